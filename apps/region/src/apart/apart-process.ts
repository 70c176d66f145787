/**
 * The main thread of a process for work apart. The work is done in a thread beside it, so that this one can end the
 * process at any moment: when the region is gone, or when too much memory is taken.
 */
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FromApart, ToApart } from './messages.ts'

const lookMilliseconds = 100

let memoryBytes = Number.POSITIVE_INFINITY
const worker = new Worker(new URL('./apart-worker.ts', import.meta.url))

process.on('message', (task: ToApart) => {
  memoryBytes = task.memoryBytes
  worker.postMessage(task)
})
worker.on('message', (message: FromApart) => tell(message))
worker.once('error', (error) => {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') tell({ tooMuch: true }, endNow)
  else throw error
})

// The region ends it; a signal to the whole group is meant for the region.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', endNow)
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytes) return
  memoryBytes = Number.POSITIVE_INFINITY
  tell({ tooMuch: true }, endNow)
}, lookMilliseconds)
dieFirst()

function tell(message: FromApart, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then)
}

/** The only way that does not wait for SQLite. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** When the machine runs out of memory, this process goes and not the region. Only Linux knows such a wish. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Then the system chooses.
  }
}
