/** Passwords of operators: argon2id (RFC 9106, second recommended option), in the PHC string format. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { atMost } from '#platform/at-most.ts'
import { widerNetworkOf } from '#platform/network-of.ts'
import type { Secret } from '#platform/secrets.ts'

const derive = promisify(argon2)
const memoryKibibytes = 65_536
const passes = 3
const parallelism = 4
const tagLength = 32

/**
 * Each takes 64 MiB and a thread of those that also read files and ask for names: a crowd that signs in must leave some
 * to everybody else. Of one network only a few wait: its owner has more addresses than the line has places.
 */
const hashing = atMost(2, 200, 8)

/** @throws Refusal `too-many-calls` when too many wait for theirs, as do the others */
export async function hashPassword(password: Secret): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt)
  return `$argon2id$v=19$m=${memoryKibibytes},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** @param address of whoever gives it; @throws Refusal `too-many-calls` as above, or when too many of its network wait */
export async function passwordMatches(password: Secret, hash: string, address: string): Promise<boolean> {
  const [, name, , , salt, tag] = hash.split('$')
  if (name !== 'argon2id' || salt === undefined || tag === undefined) return false
  const expected = Buffer.from(tag, 'base64')
  const found = await tagOf(password, Buffer.from(salt, 'base64'), address)
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** Costs what a real check costs, so that an unknown e-mail cannot be told from a wrong password by time. */
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
  return hashing.take(work, address === undefined ? undefined : widerNetworkOf(address))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
