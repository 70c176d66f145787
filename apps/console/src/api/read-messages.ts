/** Reads server-sent events from a streamed answer. */

export interface SentMessage {
  /** The last `id` received, to resume from. */
  id: string | null
  /** The event's name; 'message' when it has none. */
  event: string
  data: string
}

/**
 * Reads server-sent events from a streamed answer until it ends. EventSource cannot be used, because it cannot send the
 * Authorization header. Comments (heartbeats) yield nothing.
 * @throws if the connection breaks
 */
export async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<SentMessage> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | null = null
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseBlock(block, id)
        if (message === null) continue
        id = message.id
        yield message
      }
    }
  } finally {
    reader.releaseLock()
  }
}

function parseBlock(block: string, lastId: string | null): SentMessage | null {
  const fields = block
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => [line.split(':', 1)[0], line.replace(/^[^:]*:? ?/, '')] as const)
  if (fields.length === 0) return null
  const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value)
  return {
    id: valuesOf('id').at(-1) ?? lastId,
    event: valuesOf('event').at(-1) ?? 'message',
    data: valuesOf('data').join('\n'),
  }
}
