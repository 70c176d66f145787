/**
 * Every repair goes wrong at every step. After a kill it continues and closes the finding. After a failure or
 * cancellation everything is intact, and the finding is gone or can be repaired.
 */
import type { Finding, Repair } from '@roomkeeper/contract'
import { bootNetwork, type Network, sampled, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverKilled } from '../server-killed.ts'
import { stepsOf } from '../steps-of.ts'
import { disagreements } from './disagreements.ts'
import { repair, runDoctor } from './run-doctor.ts'

const steps = stepsOf('doctor.repair')
let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
})
afterAll(() => network?.stop())

const cases = disagreements(() => network)
/** The first and the last step are the same code for all repairs, so one repair tests them for all. */
const eachStep = cases.flatMap((each, index) =>
  steps.map((step) => ({ ...each, step })).filter(({ step }) => step === 'repair' || index === 0),
)

interface Begun {
  finding: Finding
  isRepaired: () => Promise<void>
  /** The finding about the same disagreement in a new run of the doctor. */
  foundNow: () => Promise<Finding | undefined>
}

async function begin({ prepare, kind }: (typeof cases)[number]): Promise<Begun> {
  const { about, isRepaired } = await prepare()
  const foundNow = async () => (await runDoctor(network)).find((each) => each.kind === kind && about(each))
  const finding = await foundNow()
  if (finding === undefined) throw new Error(`No finding ${kind} was made.`)
  return { finding, isRepaired, foundNow }
}

async function start({ id }: Finding, wanted: Repair): Promise<string> {
  const answer = await network.admin.call('repairFinding', { params: { id }, body: { repair: wanted } })
  if (answer.status !== 202) throw new Error('A repair is an operation.')
  return answer.body.operationId
}

async function endOf(id: string): Promise<string | undefined> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state
}

/** An interrupted repair may or may not have taken effect. In both cases another one must settle the finding. */
async function expectInOrderAfterAnother({ foundNow, isRepaired }: Begun, wanted: Repair): Promise<void> {
  const again = await foundNow()
  if (again !== undefined) {
    expect(again.repairs).toContain(wanted)
    expect(await repair(network, again, wanted)).toEqual({ state: 'done', error: null })
    expect(await foundNow()).toBeUndefined()
  }
  await isRepaired()
}

describe('a server killed', () => {
  it.each(sampled('steps of repairs at which a server is killed', eachStep))(
    'after the step "$step" of $name goes on after its restart, and the finding is closed',
    async (life) => {
      const begun = await begin(life)
      await network.planFault(`doctor.repair:${life.step}:after:kill`)
      const operation = await start(begun.finding, life.repair)
      await serverKilled(network)
      await network.restartServer()
      await network.settle()
      expect(await endOf(operation)).toBe('done')
      await begun.isRepaired()
      expect(await begun.foundNow()).toBeUndefined()
    },
  )
})

describe('a repair that fails', () => {
  it.each(sampled('steps of repairs that fail', eachStep))(
    'after the step "$step" of $name leaves what another one brings to order',
    async (life) => {
      const begun = await begin(life)
      await network.planFault(`doctor.repair:${life.step}:after:fail`)
      const operation = await start(begun.finding, life.repair)
      await network.settle()
      expect(await network.faultHappened()).toBe(true)
      expect(await endOf(operation)).toBe('failed')
      await expectInOrderAfterAnother(begun, life.repair)
    },
  )
})

describe('a repair that is cancelled', () => {
  it.each(sampled('repairs that are cancelled', cases))(
    'before it began with $name changes nothing, and can be started again',
    async (life) => {
      const begun = await begin(life)
      await network.planFault('doctor.repair:check-first:after:hold')
      const id = await start(begun.finding, life.repair)
      await until('the repair is held', () => network.faultHappened())
      await network.admin.call('cancelOperation', { params: { id } })
      await network.settle()
      expect(await endOf(id)).toBe('cancelled')
      // The finding about a lock may be gone, because a lock that is not renewed expires.
      if (life.kind !== 'lock-orphaned') expect(await begun.foundNow()).toMatchObject({ id: begun.finding.id })
      await expectInOrderAfterAnother(begun, life.repair)
    },
  )
})
