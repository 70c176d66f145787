import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PlannedAnswer {
  status: number
  text: string
  headers?: Record<string, string>
}

/** What the work does with a server that gives these answers, the last one again and again. */
export async function withAnswers<Result>(
  answers: readonly PlannedAnswer[],
  work: (url: string) => Promise<Result>,
  onCall: () => void = () => undefined,
): Promise<Result> {
  let calls = 0
  const server = createServer((_, response) => {
    const { status, text, headers = {} } = answers[Math.min(calls, answers.length - 1)] as PlannedAnswer
    calls += 1
    onCall()
    response.writeHead(status, headers).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}
