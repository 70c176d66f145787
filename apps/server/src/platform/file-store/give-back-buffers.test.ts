import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFolderStore } from './folder-store.ts'

const pieceBytes = 64 * 1024
const pieces = 2000

it('a file that passes through the store does not have the whole heap collected again and again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-store-'))
  try {
    const store = createFolderStore(folder)
    const collections = await majorCollectionsDuring(async () => {
      await store.put('a.zip', content())
      let bytes = 0
      for await (const piece of await store.open('a.zip')) bytes += (piece as Uint8Array).length
      expect(bytes).toBe(pieces * pieceBytes)
    })
    // Without giving buffers back: one for about every 8 MB, thirty for these.
    expect(collections).toBeLessThan(8)
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function* content(): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < pieces; count += 1) yield Buffer.allocUnsafeSlow(pieceBytes)
}

async function majorCollectionsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (isMajor(entry)) count += 1
  })
  observer.observe({ entryTypes: ['gc'] })
  await work()
  await turn()
  observer.disconnect()
  return count
}

function isMajor(entry: PerformanceEntry): boolean {
  return (entry as { detail?: { kind?: number } }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}
