/** Stores a file in a folder store, or removes it, and is killed at its n-th call to the disk. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createFolderStore } from '#platform/file-store/folder-store.ts'
import { planFileFault } from './file-faults.ts'

const [folder = '', key = '', what, at, source = ''] = process.argv.slice(2)
const store = createFolderStore(join(folder, 'backups'))
planFileFault({ under: folder, at: Number(at), how: 'kill' })
if (what === 'put') await store.put(key, createReadStream(source))
else await store.remove(key)
