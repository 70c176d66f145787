/**
 * What a server says before it has proven itself, read here first. node-postgres reads whatever comes as if
 * PostgreSQL had sent it: an error without its end keeps it busy for ever, a way of asking for the password that it
 * does not know is an exception that nobody catches, and a message without an end is kept until the memory is full.
 */
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'

/** Of all messages together. The proof takes less than 1 KiB, an error instead of it little more. */
const bytesAtMost = 8 * 1024
/** Type and length. */
const headBytes = 5

const authentication = 'R'.charCodeAt(0)
const words = ['E'.charCodeAt(0), 'N'.charCodeAt(0)]
/** The steps of SCRAM, each once and in this order: the question, the answer to the first message, the proof. */
const steps = [10, 11, 12]
/** Not what is wanted, but readable, so that the refusal says what was asked for: nothing, the password, its hash. */
const otherWays = [0, 3, 5]

export interface Judge {
  /** Whether the messages that were passed on have shown that it knows the password's verifier. */
  hasProven(): boolean
  isOver(): boolean
  refuse(what: string): void
}

/** @returns what node-postgres may read: before the proof one whole message at a time, after it all that comes */
export function readUntilProof(stream: Readable, judge: Judge): EventEmitter {
  const passed = new EventEmitter()
  const checkMessage = newCheck()
  let waiting: Buffer = Buffer.alloc(0)
  let left = bytesAtMost
  let isThrough = false
  stream.on('end', () => passed.emit('end'))
  // The only listener of the stream's data, as those expect who take it over for a time (pg-copy-streams).
  stream.on('data', (bytes: Buffer) => {
    if (isThrough) return passed.emit('data', bytes)
    waiting = Buffer.concat([waiting, bytes])
    while (!judge.isOver() && !judge.hasProven() && waiting.length >= headBytes) {
      const length = 1 + waiting.readUInt32BE(1)
      const wrong = length < headBytes || length > left ? neverSent : null
      if (wrong === null && length > waiting.length) return
      const message = waiting.subarray(0, length)
      const why = wrong ?? checkMessage(message)
      if (why !== null) return judge.refuse(why)
      left -= length
      waiting = waiting.subarray(length)
      passed.emit('data', message)
    }
    if (judge.isOver() || !judge.hasProven()) return
    isThrough = true
    if (waiting.length > 0) passed.emit('data', waiting)
    waiting = Buffer.alloc(0)
  })
  return passed
}

const neverSent = 'says what PostgreSQL never says'

/** Of whole messages, in the order in which they come. */
function newCheck(): (message: Buffer) => string | null {
  const awaited = [...steps]
  return (message) => {
    const type = message[0] ?? 0
    if (words.includes(type)) return message.subarray(headBytes).subarray(-2).equals(twoZeros) ? null : neverSent
    if (type !== authentication) return 'does not ask for the password by SCRAM'
    if (message.length < headBytes + 4) return neverSent
    const code = message.readInt32BE(headBytes)
    if (otherWays.includes(code)) return null
    return awaited.shift() === code ? null : neverSent
  }
}

/** An error or a notice is a list of texts, each with a zero at its end, and a zero at the end of the list. */
const twoZeros = Buffer.from([0, 0])
