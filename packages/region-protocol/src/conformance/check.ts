/** What a conformance check is, and what it states of an answer. */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Capability } from '../capabilities.ts'
import { RegionJobFailed, RegionRefusal, refusalTypePrefix } from '../client/errors.ts'
import { requireForm } from '../client/require-form.ts'
import { type RegionCode, regionCodes } from '../codes.ts'
import { type RegionProblem, regionProblem } from '../schemas.ts'
import type { RawAnswer, Region } from './region-under-test.ts'

export type Check = CheckOfOneRun | RestartCheck

interface AnyCheck {
  name: string
  /** The section of docs/region that asks for it, such as `jobs.md#restoreroom`. */
  page: string
  /** A region that lacks one of these skips the check. */
  needs?: readonly Capability[]
}

interface CheckOfOneRun extends AnyCheck {
  /**
   * `waits`: it takes longer than all others together, goes on beside them, and is left out by `--fast`.
   * `kills`: it ends and restarts the region itself, so it runs alone, after all others.
   */
  how?: 'waits' | 'kills'
  run(region: Region): Promise<void>
}

/** States what survives a restart. All checks of this kind share one restart, before those that kill. */
export interface RestartCheck extends AnyCheck {
  how: 'restarts'
  /** Prepares what has to survive. @returns what is run after the restart */
  run(region: Region): Promise<AfterRestart>
}

export type AfterRestart = () => Promise<void>

/** Its message says what was expected and what the region did. */
export class CheckFailed extends Error {}

/** Its message says why the check says nothing about this region. */
export class CheckSkipped extends Error {}

export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected))
    throw new CheckFailed(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`)
}

export function expectThat(holds: boolean, what: string, found: unknown): void {
  if (!holds) throw new CheckFailed(`expected ${what}, got ${JSON.stringify(found)}`)
}

/** Expects the call to be refused with this status. @returns the refusal */
export async function expectRefusal(call: Promise<unknown>, status: number, what: string): Promise<RegionRefusal> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('answer' in outcome)
    throw new CheckFailed(`${what}: expected a refusal with ${status}, got ${JSON.stringify(outcome.answer)}`)
  const { error } = outcome
  if (!(error instanceof RegionRefusal)) throw error
  expectEqual(error.status, status, `${what}: the status`)
  return error
}

/** Expects a call to be refused because a later worker has taken its operation over. */
export async function expectOvertaken(call: Promise<unknown>, what: string): Promise<void> {
  const refusal = await expectRefusal(call, 409, what)
  expectEqual(refusal.type, `${refusalTypePrefix}overtaken`, `${what}: the type`)
}

/**
 * Expects the job to be refused or to fail. Where the console does not act on the code, its status will do.
 * @param code null: whatever it is
 * @returns the refusal or failure
 */
export async function expectFailure(
  job: Promise<unknown>,
  code: RegionCode | null,
  what: string,
): Promise<RegionJobFailed | RegionRefusal> {
  const outcome = await job.catch((error: unknown) => error)
  if (!(outcome instanceof RegionJobFailed || outcome instanceof RegionRefusal)) {
    if (outcome instanceof Error) throw outcome
    const expected = code === null ? 'a failure' : `a failure with ${code}`
    throw new CheckFailed(`${what}: expected ${expected}, got ${JSON.stringify(outcome)}`)
  }
  if (code === null) return outcome
  const { status, console } = regionCodes[code]
  const found = `${outcome.status} ${outcome.type}: ${outcome.message}`
  const isRight = outcome.status === status && (console === undefined || outcome.type === refusalTypePrefix + code)
  expectThat(isRight, `${what} to fail with ${status} ${code}`, found)
  return outcome
}

/** The job may fail, but only with this code. @returns its result; null: it has failed so */
export async function mayFail<Result>(job: Promise<Result>, code: RegionCode, what: string): Promise<Result | null> {
  return job.catch(async () => {
    await expectFailure(job, code, what)
    return null
  })
}

/** Expects the raw answer to be a problem document with this status and a type of the protocol. */
export function expectProblem(answer: RawAnswer, status: number, what: string): RegionProblem {
  expectEqual(answer.status, status, `${what}: the status`)
  const type = answer.headers.get('content-type') ?? ''
  expectThat(type.startsWith('application/problem+json'), `${what}: application/problem+json`, type)
  const found = requireForm(regionProblem, answer.json, `refusal of ${what}`)
  expectEqual(found.status, status, `${what}: status in the problem`)
  expectThat(
    found.type.startsWith(refusalTypePrefix),
    `${what}: a type that begins with ${refusalTypePrefix}`,
    found.type,
  )
  return found
}

/** Returns when it holds, or after ten seconds: what is expected then is stated by the check. */
export async function waitUntil(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; !holds() && performance.now() < end; ) await pause(10)
}
