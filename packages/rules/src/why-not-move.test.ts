import { englishReasons, type Product, type ProjectRoomState, products, projectRoomStates } from '@roomkeeper/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMovableState, type MoveFacts, outcomeOf, presentObstacle, whyNotMove, whyNotMoveBetween } from './index.ts'

const way = { room: 'alpha', source: 'north', target: 'south' }

/** A room without obstacles. */
const free: Required<MoveFacts> = {
  ...way,
  targetIsDisabled: false,
  isSameServer: false,
  home: 'source',
  isBusy: false,
  state: 'DEFAULT',
  product: 'ARIS',
  targetProducts: ['ARIS'],
  freeCapacity: 1,
  removalInTarget: null,
  inSource: 'unlocked',
  sessions: 0,
  inTarget: 'nothing',
}

const anyFacts: fc.Arbitrary<Required<MoveFacts>> = fc.record({
  room: fc.constant(way.room),
  source: fc.constant(way.source),
  target: fc.constant(way.target),
  targetIsDisabled: fc.boolean(),
  isSameServer: fc.boolean(),
  home: fc.constantFrom('source', 'elsewhere', 'nowhere'),
  isBusy: fc.boolean(),
  state: fc.constantFrom<ProjectRoomState>(...projectRoomStates),
  product: fc.constantFrom<Product>(...products),
  targetProducts: fc.subarray([...products]),
  freeCapacity: fc.option(fc.integer({ min: 0, max: 2 })),
  removalInTarget: fc.constantFrom(null, 'force-delete', 'former-copy'),
  inSource: fc.constantFrom('missing', 'locked', 'unlocked'),
  sessions: fc.integer({ min: 0, max: 3 }),
  inTarget: fc.constantFrom('nothing', 'left-copy', 'other-room'),
})

/**
 * The facts that a run checks, one group after another: at its start, then in the room's record, the target's record,
 * the source, its sessions, and the target.
 */
const checks = [
  ['targetIsDisabled', 'isSameServer'],
  ['home', 'isBusy', 'state'],
  ['product', 'targetIsDisabled', 'targetProducts', 'freeCapacity', 'removalInTarget'],
  ['home'],
  ['inSource'],
  ['sessions'],
  ['inTarget'],
] as const satisfies readonly (readonly (keyof MoveFacts)[])[]

/** A run stops at the first obstacle that it finds. */
function stoppedBy(facts: Required<MoveFacts>) {
  for (const keys of checks) {
    const seen = { ...way, ...Object.fromEntries(keys.map((key) => [key, facts[key]])) }
    const [first] = whyNotMove(seen)
    if (first !== undefined) return first
  }
  return undefined
}

describe('a preflight, which knows everything, and a run, which looks step by step', () => {
  it('agree whether the room is moved, and the run stops at the first of what the preflight shows', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(stoppedBy(facts)).toEqual(whyNotMove(facts)[0])
      }),
    )
  })

  it('use the same texts, to which the run may add some', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const stopped = stoppedBy(facts)
        if (stopped === undefined) return
        const [shown] = whyNotMove(facts).map(presentObstacle)
        const { outcome, reasons } = outcomeOf(stopped)
        expect(englishReasons(reasons).startsWith(shown?.text ?? 'nothing')).toBe(true)
        expect(outcome).toBe(shown?.effect === 'fails' ? 'failed' : 'postponed')
      }),
    )
  })

  it('refuse a whole run for the same reasons as each of its rooms', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const whole = whyNotMoveBetween(facts)
        expect(whyNotMove(facts).slice(0, whole.length)).toEqual(whole)
      }),
    )
  })
})

describe('a room', () => {
  it('is moved when nothing stands in its way', () => {
    expect(whyNotMove(free)).toEqual([])
    expect(whyNotMove({ ...free, state: 'SUSPENDED', freeCapacity: null })).toEqual([])
  })

  it('meets nothing in what nobody has looked at', () => {
    expect(whyNotMove(way)).toEqual([])
  })

  it.each<[Partial<MoveFacts>, string, string]>([
    [{ targetIsDisabled: true }, 'fails', 'The target region south is disabled.'],
    [{ isSameServer: true }, 'fails', 'The regions north and south are the same server: there is nothing to move.'],
    [{ home: 'nowhere' }, 'fails', 'There is no such project room (any more).'],
    [{ home: 'elsewhere' }, 'fails', 'The project room is not in the region north.'],
    [{ isBusy: true }, 'postponed', 'Another operation is running for the project room alpha.'],
    [{ state: 'ERROR' }, 'fails', 'Only active and suspended project rooms can be moved.'],
    [{ product: 'MINING' }, 'fails', 'The region south does not serve MINING.'],
    [
      { freeCapacity: 0 },
      'fails',
      'Exceeded maximum number of project room on region south. Use another region or increase limit.',
    ],
    [{ removalInTarget: 'force-delete' }, 'postponed', 'A force delete in the target region is under way.'],
    [{ removalInTarget: 'former-copy' }, 'postponed', 'Its former copy in the target region is still being removed.'],
    [{ inSource: 'missing' }, 'fails', 'The server of the region north does not have this project room.'],
    [{ inSource: 'locked' }, 'postponed', 'The project room is locked by another process.'],
    [{ sessions: 1 }, 'postponed', 'The project room is in use: 1 active session.'],
    [{ sessions: 2 }, 'postponed', 'The project room is in use: 2 active sessions.'],
    [
      { inTarget: 'left-copy' },
      'fails',
      'The region south still has what an earlier migration of this project room left.',
    ],
    [{ inTarget: 'other-room' }, 'fails', 'The region south has another project room of this name.'],
  ])('that has only %j in its way meets that alone', (fact, effect, text) => {
    expect(whyNotMove({ ...free, ...fact }).map(presentObstacle)).toMatchObject([{ effect, text }])
  })

  it('is told at once of everything that stands in its way', () => {
    const codes = whyNotMove({
      ...free,
      isBusy: true,
      freeCapacity: 0,
      inSource: 'locked',
      sessions: 2,
      inTarget: 'left-copy',
    })
    expect(codes.map(({ code }) => code)).toEqual(['busy', 'capacity', 'locked', 'in-use', 'left-copy'])
  })

  it('in no state to be moved is not asked about in its regions', () => {
    for (const state of projectRoomStates.filter((each) => !isMovableState(each)))
      expect(whyNotMove({ ...free, state, inSource: 'missing', inTarget: 'other-room' })).toHaveLength(1)
  })
})
