/**
 * A kind of operation that exists only in tests, in two versions. The effects of its steps are rows in the table
 * fixture_effects.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { NotYet, noUndo, type Operation, operation, type StepCall, StepFailed, step } from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'

/** Each field names the id of the step at which something happens. */
const input = z.object({
  failsAt: z.string().optional(),
  /** The step waits before its effect for the sign `go <operation's subject>`. */
  waitsAt: z.string().optional(),
  /** The step waits for the same sign within an open transaction. */
  waitsInTransactionAt: z.string().optional(),
  /** The effect is committed together with the step's end, and the answer to that commit is lost. */
  losesAnswerAt: z.string().optional(),
  /** The answer is lost in the same way, and the commit itself waits for the sign `go <operation's subject>`. */
  commitsLateAt: z.string().optional(),
  /**
   * Each try of the step waits for a sign and consumes it: `try <operation's subject> succeed`, or `… fail` for a
   * transient failure, or `… fail 0.5` for one at that progress. For the step's undo, write `undo <step>`.
   */
  triesAt: z.string().optional(),
  /** The step `at` reads the output of the step `from`. */
  reads: z.object({ at: z.string(), from: z.string() }).optional(),
})
export type FixtureInput = z.infer<typeof input>
const answer = z.object({ from: z.string(), isRepeated: z.boolean().optional() })
type FixtureAnswer = z.infer<typeof answer>
type FixtureCall = StepCall<FixtureInput>

const stepsOf = { 1: ['first', 'second', 'third'], 2: ['first', 'between', 'second', 'third'] } as const
export type FixtureVersion = keyof typeof stepsOf

export function fixtureSteps(version: FixtureVersion): readonly string[] {
  return stepsOf[version]
}

export function fixtureKind(version: FixtureVersion): Operation<FixtureInput> {
  return operation<FixtureInput>({
    kind: 'fixture',
    version,
    process: null,
    input,
    takesSlot: true,
    whenFailed: 'undo',
    managedBy: 'admin',
    steps: stepsOf[version].map((id) =>
      step<FixtureInput, FixtureAnswer>({
        id,
        title: id,
        output: answer,
        run: (call) => takeEffect(call, id, version),
        undo: id === 'third' ? noUndo : (call) => putBack(call, id, version),
      }),
    ),
    done: (tx, { id }) => note(tx, id, 'done', version),
    failed: (tx, { id }, _, undone) => note(tx, id, undone ? 'failed, put back' : 'failed, not put back', version),
    cancelled: (tx, { id }) => note(tx, id, 'cancelled', version),
    async retrying() {},
  })
}

async function takeEffect(call: FixtureCall, step: string, version: number): Promise<FixtureAnswer> {
  const { waitsAt, failsAt, losesAnswerAt, commitsLateAt, waitsInTransactionAt, reads } = call.input
  await call.log([toldBy('begins')])
  if (waitsAt === step) await untilSign(call, `go ${call.roomName}`)
  await asTold(call, step)
  if (reads?.at === step) await call.log([toldBy(`read ${call.output({ id: reads.from, output: answer }).from}`)])
  if (losesAnswerAt === step) {
    const finished = await call.finishWith({ id: step, output: answer }, async (tx) => {
      await note(tx, call.id, step, version)
      return { from: step }
    })
    if (await hasSign(call, `lost ${call.id}`)) return finished
    await queryRows(call.services.db, 'insert into fixture_signs values ($1)', [`lost ${call.id}`])
    throw lostConnection()
  }
  if (commitsLateAt === step) return commitLate(call, step, version)
  await call.transaction(async (tx) => {
    if (waitsInTransactionAt === step) await untilSign(call, `go ${call.roomName}`, tx)
    await note(tx, call.id, step, version)
  })
  await call.log([toldBy('took effect')])
  if (failsAt === step) throw new StepFailed(toldBy(`It fails at ${step}.`), 'fixture')
  return { from: step }
}

/** Only the commit of the first try is late. */
async function commitLate(call: FixtureCall, step: string, version: number): Promise<FixtureAnswer> {
  const isRepeated = await hasSign(call, `late ${call.id}`)
  const begun = Promise.withResolvers<void>()
  const finishing = call.finishWith({ id: step, output: answer }, async (tx) => {
    await note(tx, call.id, step, version)
    begun.resolve()
    if (!isRepeated) await untilSign(call, `go ${call.roomName}`, tx)
    return { from: step, isRepeated }
  })
  if (isRepeated) return finishing
  await Promise.race([begun.promise, finishing])
  finishing.catch(() => undefined)
  await queryRows(call.services.db, 'insert into fixture_signs values ($1)', [`late ${call.id}`])
  throw lostConnection()
}

function lostConnection(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
}

async function putBack(call: FixtureCall, step: string, version: number): Promise<void> {
  await asTold(call, `undo ${step}`)
  if (await hasSign(call, `keep ${step}`)) throw new StepFailed(toldBy('It cannot be put back.'))
  await call.transaction((tx) => note(tx, call.id, `undo ${step}`, version))
}

async function asTold(call: FixtureCall, step: string): Promise<void> {
  if (call.input.triesAt !== step) return
  const prefix = `try ${call.roomName} `
  const take = 'delete from fixture_signs where starts_with(sign, $1) returning sign'
  for (;;) {
    const [taken] = await queryRows<{ sign: string }>(call.services.db, take, [prefix])
    const [told, share] = taken?.sign.slice(prefix.length).split(' ') ?? []
    if (share !== undefined) await call.progress(Number(share))
    if (told === 'fail') throw new NotYet(toldBy('It may pass.'))
    if (told === 'succeed') return
    await pause(20, undefined, { signal: call.signal })
  }
}

async function note(tx: Tx, id: string, what: string, version: number): Promise<void> {
  const values = [id, what, version, process.pid]
  await queryRows(tx, 'insert into fixture_effects (operation_id, what, version, pid) values ($1, $2, $3, $4)', values)
}

async function untilSign(call: FixtureCall, sign: string, db: Db | Tx = call.services.db): Promise<void> {
  while (!(await hasSign(call, sign, db))) await pause(20, undefined, { signal: call.signal })
}

async function hasSign({ services }: FixtureCall, sign: string, db: Db | Tx = services.db): Promise<boolean> {
  return (await queryRows(db, 'select from fixture_signs where sign = $1', [sign])).length > 0
}

export const fixtureTables = `
  create table fixture_effects (
    n bigint generated always as identity, operation_id uuid not null, what text not null, version integer not null,
    pid integer not null);
  create table fixture_signs (sign text not null)`

function toldBy(text: string) {
  return because('told', { told: text })
}
