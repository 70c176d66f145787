/**
 * The console's sessions. Credentials are compared in constant time; sessions are kept in memory, by the hash of their
 * token, and end with a restart.
 *
 * Behind a proxy all callers have the same address, so an attacker who guesses passwords must not lock the console out.
 * Right credentials always pass. But after some failures from a network, all attempts from there, right ones included,
 * are checked one after another, with a pause before each.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RegionSession } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import type { RegionSettings } from '#settings.ts'

export interface SignIn {
  /** @throws {Refusal} 'wrong-credentials'; 'too-many-attempts' for wrong ones after many failures */
  open(credentials: { userName: string; password: string }, address: string): Promise<RegionSession>
  /** Checks an `Authorization` header. @throws {Refusal} 'signed-out' */
  authorise(header: string | undefined): void
}

const sessionSeconds = 3600
const failuresPerMinute = 10

export interface Clock {
  now(): number
  pause(milliseconds: number): Promise<unknown>
}
const realClock: Clock = { now: Date.now, pause: (milliseconds) => sleep(milliseconds) }

export function createSignIn(settings: Pick<RegionSettings, 'userName' | 'password'>, clock = realClock): SignIn {
  const { now } = clock
  const credentials = fingerprint(settings.userName, settings.password)
  /** Hash of the token → when it ends. */
  const sessions = new Map<string, number>()
  const failures = createFailures(now)
  const attemptQueue = createAttemptQueue(clock)
  return {
    async open({ userName, password }, address) {
      const network = networkOf(address)
      const isGuessed = failures.count(network) >= failuresPerMinute
      if (isGuessed) await attemptQueue.wait(network)
      if (!timingSafeEqual(fingerprint(userName, password), credentials)) {
        failures.add(network)
        throw refuse(isGuessed ? 'too-many-attempts' : 'wrong-credentials')
      }
      for (const [key, end] of sessions) if (end <= now()) sessions.delete(key)
      const token = randomBytes(32).toString('base64url')
      const end = now() + sessionSeconds * 1000
      sessions.set(hashOf(token), end)
      return { token, expiresAt: new Date(end).toISOString() }
    },
    authorise(header) {
      const token = bearerToken(header)
      const end = token === null ? undefined : sessions.get(hashOf(token))
      if (end === undefined || end <= now()) throw refuse('signed-out')
    },
  }
}

/** The token in an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | null {
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1] ?? null
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Has the same length for all credentials. The user name's length tells `a` + `bc` from `ab` + `c`. */
function fingerprint(userName: string, password: string): Buffer {
  return createHash('sha256').update(`${userName.length}:${userName}${password}`).digest()
}

/** When more networks than this have failed, the one that failed longest ago is forgotten. */
const networksAtMost = 10_000

function createFailures(now: () => number) {
  const times = new Map<string, number[]>()
  const recent = (network: string) =>
    (times.get(network) ?? []).filter((at) => at > now() - 60_000).slice(-failuresPerMinute)
  return {
    count: (network: string) => recent(network).length,
    add(network: string) {
      const known = [...recent(network), now()]
      times.delete(network)
      times.set(network, known)
      forgetOldest(times)
    },
  }
}

const betweenMilliseconds = 100
/** Well within the time limit of the console's calls. */
const waitMillisecondsAtMost = 10_000

/** Allows one attempt per network every tenth of a second; no attempt waits longer than ten seconds. */
function createAttemptQueue({ now, pause }: Clock) {
  const lastAttempts = new Map<string, number>()
  return {
    async wait(network: string): Promise<void> {
      const last = Math.max(now(), lastAttempts.get(network) ?? 0)
      const attemptAt = Math.min(last + betweenMilliseconds, now() + waitMillisecondsAtMost)
      lastAttempts.delete(network)
      lastAttempts.set(network, attemptAt)
      forgetOldest(lastAttempts)
      await pause(attemptAt - now())
    },
  }
}

function forgetOldest(networks: Map<string, unknown>): void {
  const oldest = networks.keys().next().value
  if (networks.size > networksAtMost && oldest !== undefined) networks.delete(oldest)
}

/** For IPv6 the first 64 bits of the address: the holder of one address of such a network has all of them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const between = Array.from({ length: Math.max(8 - first.length - last.length, 0) }, () => '0')
  return [...first, ...between, ...last].slice(0, 4).join(':')
}
