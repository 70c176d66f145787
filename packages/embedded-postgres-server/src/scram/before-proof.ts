/**
 * Checks what a server sends before it has proven itself. node-postgres trusts every message as if PostgreSQL had sent
 * it: an error without its terminator keeps it busy for ever, an unknown authentication method throws an exception that
 * nobody can catch, and an endless message is buffered until the memory is full.
 */
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'

/** The limit for all messages together. The proof takes less than 1 KiB; an error instead of it takes little more. */
const bytesAtMost = 8 * 1024
/** A message's type and length. */
const headBytes = 5

const authentication = 'R'.charCodeAt(0)
const textMessages = ['E'.charCodeAt(0), 'N'.charCodeAt(0)]
/** The server's steps of SCRAM, each once and in this order: the request, the challenge, the proof. */
const steps = [10, 11, 12]
/**
 * Other authentication methods that node-postgres understands: none, the password, an MD5 hash. They are passed on, so
 * that the refusal can say what the server asked for.
 */
const otherMethods = [0, 3, 5]

export interface Judge {
  /** Whether the messages passed on so far have proven that the server knows the password's verifier. */
  hasProven(): boolean
  isOver(): boolean
  refuse(what: string): void
}

/** @returns what node-postgres may read: before the proof one complete message at a time, afterwards everything */
export function readUntilProof(stream: Readable, judge: Judge): EventEmitter {
  const passed = new EventEmitter()
  const checkMessage = newCheck()
  let waiting: Buffer = Buffer.alloc(0)
  let left = bytesAtMost
  let isThrough = false
  stream.on('end', () => passed.emit('end'))
  // There must be only one listener for the stream's data: pg-copy-streams relies on that when it takes it over.
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

/** Makes a check for complete messages, in the order in which they arrive. The check returns what is wrong, or null. */
function newCheck(): (message: Buffer) => string | null {
  const awaited = [...steps]
  return (message) => {
    const type = message[0] ?? 0
    if (textMessages.includes(type)) return message.subarray(headBytes).subarray(-2).equals(twoZeros) ? null : neverSent
    if (type !== authentication) return 'does not ask for the password by SCRAM'
    if (message.length < headBytes + 4) return neverSent
    const code = message.readInt32BE(headBytes)
    if (otherMethods.includes(code)) return null
    return awaited.shift() === code ? null : neverSent
  }
}

/** An error or a notice is a list of texts, each terminated by a zero, with another zero at the end of the list. */
const twoZeros = Buffer.from([0, 0])
