import { expect, test } from 'vitest'
import { readMessages, type SentMessage } from './read-messages.ts'

function streamOf(...pieces: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

async function messagesOf(stream: ReadableStream<Uint8Array>): Promise<SentMessage[]> {
  const messages: SentMessage[] = []
  for await (const message of readMessages(stream)) messages.push(message)
  return messages
}

test('a message that arrives in pieces is put together', async () => {
  const stream = streamOf('id: 4', '-7\nevent: ro', 'om\ndata: {"a":', '1}\n', '\n')
  expect(await messagesOf(stream)).toEqual([{ id: '4-7', event: 'room', data: '{"a":1}' }])
})

test('keep-alive comments yield nothing', async () => {
  expect(await messagesOf(streamOf(': ping\n\n', ': ping\n\n'))).toEqual([])
})

test('a message without an id keeps the last one, so that resuming starts there', async () => {
  const messages = await messagesOf(streamOf('id: 9\ndata: a\n\nevent: reset\ndata:\n\n'))
  expect(messages.map(({ id, event }) => [id, event])).toEqual([
    ['9', 'message'],
    ['9', 'reset'],
  ])
})

test('colons in the data and Windows line ends are kept apart', async () => {
  const messages = await messagesOf(streamOf('data: {"at":"10:00"}\r\n\r\n'))
  expect(messages[0]?.data).toBe('{"at":"10:00"}')
})

test('an unfinished message at the end of the stream is dropped', async () => {
  expect(await messagesOf(streamOf('data: half'))).toEqual([])
})
