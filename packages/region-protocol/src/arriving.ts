/** Content of an object that a store sends: nobody but us waits for its end, so it has to get on. */
import type { Readable } from 'node:stream'
import { EndlessAnswer } from './object-store-answers.ts'
import { createPace, type Floor } from './pace.ts'

export interface ArrivingLimits {
  /** How long nothing may come; default 60. */
  silentSeconds?: number
  /** By default one that no honest link falls below. */
  floor?: Floor
  /** More bytes than that are not taken. */
  most?: number
}

/**
 * The same content; the time that its reader takes does not count.
 * @throws EndlessAnswer when there is more; an error with the code ETIMEDOUT when nothing comes any more, or too little for too long;
 * whatever reading throws. Then the connection is closed.
 */
export async function* arriving(body: Readable, limits: ArrivingLimits = {}): AsyncGenerator<Buffer> {
  const { silentSeconds = 60, floor, most = Number.POSITIVE_INFINITY } = limits
  const pace = createPace(floor)
  const falling = () => body.destroy(timedOut('nothing arrives'))
  let silence = setTimeout(falling, silentSeconds * 1000)
  let taken = 0
  try {
    pace.wait()
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(silence)
      taken += chunk.byteLength
      if (taken > most) throw new EndlessAnswer('It is longer than it may be.')
      if (!pace.moved(chunk.byteLength)) throw timedOut('too little arrives')
      yield chunk
      silence = setTimeout(falling, silentSeconds * 1000)
      pace.wait()
    }
  } finally {
    clearTimeout(silence)
    body.destroy()
  }
}

function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' })
}
