/** Checks and hashes the passwords of operators: argon2id (RFC 9106, second recommended option), as PHC strings. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createConcurrencyLimit } from '#platform/concurrency-limit.ts'
import { widerNetworkOf } from '#platform/networks.ts'
import { Secret } from '#platform/secrets.ts'
import type { Attempt } from './sign-in-throttle.ts'

const derive = promisify(argon2)
const memoryKibibytes = 65_536
const passes = 3
const parallelism = 4
const tagLength = 32

/**
 * Each hash takes 64 MiB and one thread of the pool that also reads files and resolves names. The limit leaves threads
 * for everything else when many operators sign in at once. Only a few attempts per network may wait in the queue,
 * because the owner of a network may have more addresses than the queue has room for.
 */
const hashing = createConcurrencyLimit({ atOnce: 2, queue: 200, queueOfOne: 8 })

/** @throws Refusal `too-many-calls` if the queue is full; the other functions throw it too */
export async function hashPassword(password: Secret): Promise<string> {
  const salt = randomBytes(16)
  const tag = await tagOf(password, salt)
  return `$argon2id$v=19$m=${memoryKibibytes},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/**
 * Checks a password as part of an attempt that has already been counted.
 * @param hash the stored hash; undefined, for an unknown e-mail address, costs the same time and never matches
 */
export async function checkPassword(attempt: Attempt, given: string, hash: string | undefined): Promise<boolean> {
  const password = new Secret(given)
  try {
    if (hash !== undefined) return await passwordMatches(password, hash, attempt.address)
    await pretendToCheck(password, attempt.address)
    return false
  } catch (error) {
    // The queue was full, so the password was not checked.
    await attempt.takeBack()
    throw error
  }
}

/** @param address of the caller. @throws Refusal `too-many-calls` also if too many attempts of its network wait */
async function passwordMatches(password: Secret, hash: string, address: string): Promise<boolean> {
  const [, name, , , salt, tag] = hash.split('$')
  if (name !== 'argon2id' || salt === undefined || tag === undefined) return false
  const expected = Buffer.from(tag, 'base64')
  const found = await tagOf(password, Buffer.from(salt, 'base64'), address)
  return expected.length === found.length && timingSafeEqual(expected, found)
}

/** Takes as long as a real check, so that the time does not reveal whether the e-mail or the password was wrong. */
async function pretendToCheck(password: Secret, address: string): Promise<void> {
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
  return hashing.run(work, address === undefined ? {} : { owner: widerNetworkOf(address) })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
