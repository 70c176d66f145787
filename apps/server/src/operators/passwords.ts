/** Passwords of operators: argon2id (RFC 9106, second recommended option), in the PHC string format. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimit } from '#platform/concurrency-limit.ts'
import { widerNetworkOf } from '#platform/network-of.ts'
import type { Secret } from '#platform/secrets.ts'

const derive = promisify(argon2)
const memoryKibibytes = 65_536
const passes = 3
const parallelism = 4
const tagLength = 32

/**
 * Each hash takes 64 MiB and a thread of the pool that also reads files and resolves names: many sign-ins at once must
 * leave some threads to everything else. Only a few attempts of one network may wait in the queue, because its owner
 * may have more addresses than the queue is long.
 */
const hashing = createConcurrencyLimit(2, 200, 8)

/** @throws Refusal `too-many-calls` when the queue is full, as do the others */
export async function hashPassword(password: Secret): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt)
  return `$argon2id$v=19$m=${memoryKibibytes},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** @param address of the caller; @throws Refusal `too-many-calls` as above, or when too many of its network wait */
export async function passwordMatches(password: Secret, hash: string, address: string): Promise<boolean> {
  const [, name, , , salt, tag] = hash.split('$')
  if (name !== 'argon2id' || salt === undefined || tag === undefined) return false
  const expected = Buffer.from(tag, 'base64')
  const found = await tagOf(password, Buffer.from(salt, 'base64'), address)
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** Costs what a real check costs, so that the time does not show whether the e-mail or the password was wrong. */
export async function pretendToCheck(password: Secret, address: string): Promise<void> {
  await tagOf(password, randomBytes(16), address)
}

function tagOf(message: Secret, nonce: Buffer, address?: string): Promise<Buffer> {
  const work = () =>
    derive('argon2id', {
      message: message.reveal().normalize('NFC'),
      nonce,
      memory: memoryKibibytes,
      passes,
      parallelism,
      tagLength,
    })
  return hashing.run(work, address === undefined ? undefined : widerNetworkOf(address))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
