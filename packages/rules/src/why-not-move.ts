/**
 * Why a live migration does not move a room: one function for the preflight, which shows every obstacle, and for the
 * run, which checks the facts one after another and stops at the first obstacle. Both use the same texts; the run adds
 * what people can do about the obstacle.
 */
import {
  because,
  type CodedReason,
  englishReason,
  type Obstacle,
  type Product,
  type ProjectRoomState,
  type Reasons,
} from '@roomkeeper/contract'

/** The stored states from which a room can be moved, and which it has again afterwards. */
export const movableStates = ['DEFAULT', 'SUSPENDED'] as const
export type MovableState = (typeof movableStates)[number]

export function isMovableState(state: ProjectRoomState | null): state is MovableState {
  return movableStates.some((each) => each === state)
}

/** Facts about a run. Regions are given by name. A missing fact has not been checked and is no obstacle. */
export interface WayFacts {
  source: string
  target: string
  targetIsDisabled?: boolean
  isSameServer?: boolean
}

export interface MoveFacts extends WayFacts {
  /** The room's name. */
  room: string
  /** The region that the room belongs to in the console's database. */
  home?: 'source' | 'elsewhere' | 'nowhere'
  /** Another operation of the room has not ended. */
  isBusy?: boolean
  /** The stored state. */
  state?: ProjectRoomState
  product?: Product
  targetProducts?: readonly string[]
  /** The free capacity of the target; null: unlimited. */
  freeCapacity?: number | null
  /** A removal that is under way in the target. It could mistake the new copy for what it has to remove. */
  removalInTarget?: 'force-delete' | 'former-copy' | null
  inSource?: 'missing' | 'locked' | 'unlocked'
  /** How many users' sessions are active. Not checked if rooms in use are moved too. */
  sessions?: number
  inTarget?: 'nothing' | 'left-copy' | 'other-room'
}

type Params = Readonly<Record<string, string | number>>

/**
 * `postponed`: nothing is wrong, and the next run tries the room again. The text is that of the reason `move-<code>`.
 */
interface ObstacleRow {
  kind: Obstacle['kind']
  effect: 'fails' | 'postponed'
  /** What people can do about it; only the run adds this to the text. */
  more?: 'remove-by-force-delete' | 'not-of-this-console'
}

const obstacles = {
  'region-disabled': fails('region-disabled'),
  'same-server': fails('same-server'),
  'room-unknown': fails('wrong-state'),
  'not-in-source': fails('wrong-state'),
  busy: postponed('busy'),
  'state-not-movable': fails('wrong-state'),
  'product-not-served': fails('product-not-served'),
  capacity: fails('capacity'),
  'force-delete-running': postponed('busy'),
  'former-copy': postponed('busy'),
  'missing-in-source': fails('wrong-state'),
  locked: postponed('lock'),
  'in-use': postponed('session'),
  'left-copy': { ...fails('name-taken'), more: 'remove-by-force-delete' },
  'name-taken': { ...fails('name-taken'), more: 'not-of-this-console' },
} as const satisfies Record<string, ObstacleRow>

export type MoveObstacleCode = keyof typeof obstacles

export interface MoveObstacle<Code extends MoveObstacleCode = MoveObstacleCode> {
  code: Code
  params: Params
}

/** The obstacles that concern all rooms of a run, in the order in which a run checks. */
export function whyNotMoveBetween(facts: WayFacts): MoveObstacle<'region-disabled' | 'same-server'>[] {
  const { source, target, targetIsDisabled, isSameServer } = facts
  return [
    ...when(targetIsDisabled === true, 'region-disabled', { region: target }),
    ...when(isSameServer === true, 'same-server', { source, target }),
  ]
}

/** All obstacles of a room, in the order in which a run checks. Empty: the room can be moved. */
export function whyNotMove(facts: MoveFacts): MoveObstacle[] {
  const { room, source, home, state, isBusy } = facts
  const between = whyNotMoveBetween(facts)
  if (home === 'nowhere') return [...between, obstacle('room-unknown')]
  if (home === 'elsewhere') return [...between, obstacle('not-in-source', { region: source })]
  const byRecord = [...between, ...when(isBusy === true, 'busy', { room })]
  if (state !== undefined && !isMovableState(state)) return [...byRecord, obstacle('state-not-movable')]
  return [...byRecord, ...whyNoCapacity(facts), ...whyNotFrom(facts), ...whyNotInto(facts)]
}

function whyNoCapacity({
  target: region,
  product,
  targetProducts,
  freeCapacity,
  removalInTarget,
}: MoveFacts): MoveObstacle[] {
  const isServed = product === undefined || targetProducts === undefined || targetProducts.includes(product)
  return [
    ...when(!isServed, 'product-not-served', { region, product: product ?? '' }),
    ...when(typeof freeCapacity === 'number' && freeCapacity <= 0, 'capacity', { region }),
    ...when(removalInTarget === 'force-delete', 'force-delete-running'),
    ...when(removalInTarget === 'former-copy', 'former-copy'),
  ]
}

function whyNotFrom({ source: region, inSource, sessions = 0 }: MoveFacts): MoveObstacle[] {
  if (inSource === 'missing') return [obstacle('missing-in-source', { region })]
  return [...when(inSource === 'locked', 'locked'), ...when(sessions > 0, 'in-use', { sessions })]
}

/** If both regions are the same server, the room in the target is the room itself. */
function whyNotInto({ target: region, isSameServer, inTarget }: MoveFacts): MoveObstacle[] {
  if (isSameServer === true) return []
  return [
    ...when(inTarget === 'left-copy', 'left-copy', { region }),
    ...when(inTarget === 'other-room', 'name-taken', { region }),
  ]
}

/** The obstacle in the form that the preflight shows. */
export function presentObstacle(found: MoveObstacle): Obstacle {
  const { kind, effect } = obstacles[found.code]
  return obstacleBecause(kind, effect, reasonOf(found))
}

/** An obstacle of the preflight with this reason. */
export function obstacleBecause(kind: Obstacle['kind'], effect: Obstacle['effect'], reason: CodedReason): Obstacle {
  return { kind, effect, text: englishReason(reason), reason }
}

function reasonOf({ code, params }: MoveObstacle): CodedReason {
  if (code === 'in-use' && params.sessions === 1) return because('move-in-use-once')
  return { code: `move-${code}`, params }
}

/** What becomes of a room that a run does not move, and why. */
export interface NotMoved {
  outcome: 'failed' | 'postponed'
  reasons: Reasons
}

export function outcomeOf(found: MoveObstacle): NotMoved {
  const { effect, more }: ObstacleRow = obstacles[found.code]
  const reasons = more === undefined ? [reasonOf(found)] : [reasonOf(found), because(more)]
  return { outcome: effect === 'fails' ? 'failed' : 'postponed', reasons }
}

function when<Code extends MoveObstacleCode>(isSo: boolean, code: Code, params: Params = {}): MoveObstacle<Code>[] {
  return isSo ? [obstacle(code, params)] : []
}

function obstacle<Code extends MoveObstacleCode>(code: Code, params: Params = {}): MoveObstacle<Code> {
  return { code, params }
}

function fails(kind: Obstacle['kind']): ObstacleRow {
  return { kind, effect: 'fails' }
}

function postponed(kind: Obstacle['kind']): ObstacleRow {
  return { kind, effect: 'postponed' }
}
