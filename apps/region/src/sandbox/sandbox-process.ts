/**
 * The main thread of a sandbox. The task runs in a second thread, so that this one can end the process at any moment:
 * when the region is gone, or when too much memory is taken.
 */
import { writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { SandboxMessage, TaskMessage } from './messages.ts'

const checkMilliseconds = 100

let memoryBytes = Number.POSITIVE_INFINITY
const worker = new Worker(new URL('./sandbox-thread.ts', import.meta.url))

process.on('message', (task: TaskMessage) => {
  memoryBytes = task.memoryBytes
  worker.postMessage(task)
})
worker.on('message', (message: SandboxMessage) => send(message))
worker.once('error', (error) => {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') send({ tooMuch: true }, endNow)
  else throw error
})

// Only the region ends a sandbox; a signal to the process group is meant for the region.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', endNow)
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytes) return
  memoryBytes = Number.POSITIVE_INFINITY
  send({ tooMuch: true }, endNow)
}, checkMilliseconds)
dieFirst()

function send(message: SandboxMessage, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then)
}

/** The only way to exit that does not wait for SQLite. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** When the machine runs out of memory, the kernel should kill this process and not the region. Linux only. */
function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Then the kernel chooses by itself.
  }
}
