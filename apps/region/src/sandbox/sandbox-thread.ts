/** The thread of the sandbox that runs the tasks, one at a time. */
import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { Refusal } from '#refusals.ts'
import type { SandboxError, SandboxMessage, TaskMessage } from './messages.ts'
import type { Report } from './report.ts'
import { tasks } from './tasks.ts'

/** The names of tasks whose code this thread has loaded. */
const loaded = new Set<string>()

const send = (message: SandboxMessage) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ name, input }: TaskMessage) => {
  try {
    const work = (await tasks[name as keyof typeof tasks]()) as (input: unknown, report: Report) => unknown
    send({ progress: 0 })
    send({ result: await work(input, (progress) => send({ progress })) })
  } catch (error) {
    send({ error: sandboxErrorOf(error) })
  }
  if (loaded.has(name)) return
  loaded.add(name)
  // For the next sandbox, which starts in half the time. Node keeps what it has compiled only when a process ends by
  // itself, and a sandbox is killed.
  flushCompileCache()
})

function sandboxErrorOf(error: unknown): SandboxError {
  const refusal = error instanceof Refusal ? { code: error.code, fields: error.fields } : null
  const { message, stack = '', code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  return { refusal, message: String(message), stack: String(stack), codes: { code, errcode } }
}
