/** Reads an object's content from a store, with limits for silence, rate and length. */
import type { Readable } from 'node:stream'
import { EndlessAnswer } from './object-store-answers.ts'
import { createRateMeter, type MinimumRate } from './rate-meter.ts'

export interface ReadLimits {
  /** The longest silence; default 60. */
  silentSeconds?: number
  /** Default: far below the rate of any real connection. */
  minimumRate?: MinimumRate
  /** The maximum length in bytes. */
  most?: number
}

/**
 * Yields the body's content. The time that the caller spends between chunks does not count.
 * @throws {EndlessAnswer} when the content is too long; an error with the code ETIMEDOUT when it arrives too slowly or
 * not at all; errors of the body. The connection is closed in each case.
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
