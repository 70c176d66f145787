/** Imported first by the processes that pass the content of files on. */
import { setFlagsFromString } from 'node:v8'

// V8 starts a collection of everything whenever a few megabytes of buffers were made, however soon each is given up: one
// for every 8 MB that a region passes on, which costs as much as the rest of its work. With this flag buffers count like
// other memory, against a limit that grows with the heap.
setFlagsFromString('--external-memory-accounted-in-global-limit')
