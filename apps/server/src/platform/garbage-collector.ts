/** V8's garbage collector, for the few places that know better than V8 when it should run. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** `minor`: only what is young. `last-resort`: everything, and the memory is given back. */
export type Collection = { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }

/** Node has the function only in contexts that are made after the flag was set. */
export function garbageCollector(): (collection: Collection) => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as (collection: Collection) => void
}
