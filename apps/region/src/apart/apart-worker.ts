/** The thread that does the work apart, one task after another. */
import { parentPort } from 'node:worker_threads'
import { Refusal } from '#refusals.ts'
import type { FromApart, ToApart, ToldError } from './messages.ts'
import { type Report, tasks } from './tasks.ts'

const tell = (message: FromApart) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ name, input }: ToApart) => {
  try {
    const work = (await tasks[name as keyof typeof tasks]()) as (input: unknown, report: Report) => unknown
    tell({ progress: 0 })
    tell({ result: await work(input, (progress) => tell({ progress })) })
  } catch (error) {
    tell({ error: toldError(error) })
  }
})

function toldError(error: unknown): ToldError {
  const refusal = error instanceof Refusal ? { code: error.code, fields: error.fields } : null
  const { message, stack = '', code, errcode } = error as Error & { code?: unknown; errcode?: unknown }
  return { refusal, message: String(message), stack: String(stack), codes: { code, errcode } }
}
