/** Reads the content of an object from a store, with limits for silence, rate and length. */
import type { Readable } from 'node:stream'
import { EndlessAnswer } from './object-store-answers.ts'
import { createRateMeter, type MinimumRate } from './rate-meter.ts'

export interface ReadLimits {
  /** The longest silence; default 60. */
  silentSeconds?: number
  /** By default a rate below that of any real connection. */
  minimumRate?: MinimumRate
  /** The most bytes that are accepted. */
  most?: number
}

/**
 * The same content; the time of the reader does not count.
 * @throws EndlessAnswer when there is more; an error with the code ETIMEDOUT after too long a silence, or at too low a
 * rate; errors of the body. Then the connection is closed.
 */
export async function* readWithLimits(body: Readable, limits: ReadLimits = {}): AsyncGenerator<Buffer> {
  const { silentSeconds = 60, minimumRate, most = Number.POSITIVE_INFINITY } = limits
  const meter = createRateMeter(minimumRate)
  const giveUp = () => body.destroy(timedOut('nothing arrives'))
  let silence = setTimeout(giveUp, silentSeconds * 1000)
  let received = 0
  try {
    meter.wait()
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(silence)
      received += chunk.byteLength
      if (received > most) throw new EndlessAnswer('It is longer than it may be.')
      if (!meter.moved(chunk.byteLength)) throw timedOut('too little arrives')
      yield chunk
      silence = setTimeout(giveUp, silentSeconds * 1000)
      meter.wait()
    }
  } finally {
    clearTimeout(silence)
    body.destroy()
  }
}

function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}
