/**
 * The main thread of a sandbox. Tasks run in a second thread, so that this one can end the process at any moment: when
 * the region is gone, or when a task takes too much memory.
 */
import '../collect-garbage-less.ts'
import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
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
worker.once('message', () => flushCompileCache())
worker.once('error', (error) => {
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') send({ tooMuch: true }, endNow)
  else throw error
})

// Only the region ends a sandbox: a signal to the process group is meant for the region.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.once('disconnect', endNow)
setInterval(() => {
  if (process.memoryUsage.rss() <= memoryBytes) return
  memoryBytes = Number.POSITIVE_INFINITY
  send({ tooMuch: true }, endNow)
}, checkMilliseconds)
preferForOomKill()

function send(message: SandboxMessage, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then)
}

/** Any other way to exit would wait for SQLite. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** Asks the kernel to kill this process, and not the region, when the machine runs out of memory. Linux only. */
function preferForOomKill(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Without it, the kernel chooses by its own rules.
  }
}
