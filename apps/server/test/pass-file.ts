/** A program that passes a file through a store, and prints how often V8 collected its whole heap meanwhile. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { finished } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createFolderStore } from '../src/platform/file-store/folder-store.ts'

const megabytes = Number(process.argv[2])
const pieceBytes = 64 * 1024
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-store-'))
let collections = 0
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (isMajor(entry)) collections += 1
})
observer.observe({ entryTypes: ['gc'] })
const store = createFolderStore(folder)
await store.put('a.zip', content())
await finished((await store.open('a.zip')).resume())
await pause(10)
console.log(JSON.stringify({ collections }))
await rm(folder, { recursive: true })

async function* content(): AsyncGenerator<Uint8Array> {
  for (let bytes = 0; bytes < megabytes * 1024 * 1024; bytes += pieceBytes) yield Buffer.allocUnsafeSlow(pieceBytes)
}

function isMajor(entry: PerformanceEntry): boolean {
  return (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}
