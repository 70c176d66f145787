/**
 * An actor works with one project room after another and knows the expected state. It performs one action at a time;
 * while the room moves, users write to it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'
import { perform, write } from './real-room.ts'
import { untilAnswered } from './repeated-calls.ts'
import { type Action, after, isPossible, type RegionNumber, type RoomModel, withDocument } from './room-model.ts'

export interface Actor {
  /** The room that it currently works with. */
  name: string
  room: RoomModel | null
  /** Deleted rooms, which must stay deleted. */
  gone: string[]
  /** Works until the time `until`, in milliseconds since the epoch. */
  work(until: number): Promise<void>
}

/** How often each event happened, for example `move: done` or `suspend: refused room-busy`. */
export type Tally = Map<string, number>

export function count(tally: Tally, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

export function newActor(network: Network, title: string, random: () => number, tally: Tally): Actor {
  let rooms = 0
  const nameOfNext = () => `${title}room${rooms++}`
  const actor: Actor = {
    name: nameOfNext(),
    room: null,
    gone: [],
    async work(until) {
      while (Date.now() < until) {
        const action = choose(actor.room, random)
        if (action.do === 'write') await userWrites(network, actor, tally)
        else await act(network, actor, action, until, tally)
        if (actor.room === null && action.do === 'delete') {
          actor.gone.push(actor.name)
          actor.name = nameOfNext()
        }
      }
    },
  }
  return actor
}

async function act(network: Network, actor: Actor, action: Action, until: number, tally: Tally): Promise<void> {
  const users = action.do === 'move' ? usersWriteMeanwhile(network, actor, tally) : null
  const ending = await performOrRefused(network, actor, action)
  await users?.stop()
  count(tally, `${action.do}: ${ending}`)
  const isDone = ending === 'done' || (await retryUntilDone(network, actor.name, until, tally))
  if (isDone) actor.room = after(actor.room, action)
}

async function performOrRefused(network: Network, { name, room }: Actor, action: Action): Promise<string> {
  try {
    return await perform(network, name, room, action)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    await settled(network, name)
    return `refused ${error.code}`
  }
}

/**
 * Retries the failed operation of a room in ERROR, as its operator would.
 * @returns whether the action took effect in the end
 */
export async function retryUntilDone(network: Network, name: string, until: number, tally: Tally): Promise<boolean> {
  for (;;) {
    const [row] = await untilAnswered(() =>
      network.database.rows<{ id: string; kind: string }>(
        `select o.id, o.kind from rooms r join operations o on o.room_id = r.id
          where r.name = $1 and r.state = 'ERROR' order by o.n desc limit 1`,
        [name],
      ),
    )
    if (row === undefined) return false
    await pause(500)
    try {
      await untilAnswered(() => network.admin.call('retryOperation', { params: { id: row.id } }))
      count(tally, `${row.kind}: retried`)
    } catch (error) {
      if (!(error instanceof ProblemError) || Date.now() > until) throw error
      count(tally, `${row.kind}: retry refused ${error.code}`)
    }
    await settled(network, name)
    const [now] = await untilAnswered(() =>
      network.database.rows<{ state: string }>('select state from operations where id = $1', [row.id]),
    )
    if (now?.state === 'done') return true
  }
}

export async function settled(network: Network, name: string): Promise<void> {
  for (;;) {
    const open = await untilAnswered(() =>
      network.database.rows('select from operations where room_name = $1 and ended_at is null', [name]),
    )
    if (open.length === 0) return
    await pause(100)
  }
}

function choose(room: RoomModel | null, random: () => number): Action {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const viewers = Math.floor(random() * 50)
  const changes: (() => Action)[] = [
    () => ({ do: 'create', region: pick<RegionNumber>([1, 2]), viewers }),
    () => ({ do: 'edit', company: `Company ${viewers}`, viewers }),
    () => ({ do: 'write', text: '' }),
    () => ({ do: pick(['suspend', 'backup', 'backupDatabase', 'restoreDatabase'] as const) }),
    () => ({ do: 'move' }),
    () => (random() < 0.3 ? { do: 'resume' } : { do: 'restore', backup: viewers }),
    () => ({ do: random() < 0.2 ? 'delete' : 'move' }),
  ]
  for (;;) {
    const action = pick(changes)()
    if (isPossible(room, action)) return action
  }
}

/** Tries to write once, in the region where the room was last seen. */
export async function userWrites(
  network: Network,
  actor: Actor,
  tally: Tally,
  regionNumber = actor.room?.region,
): Promise<void> {
  const region = network.regions[(regionNumber ?? 1) - 1]
  if (region === undefined || actor.room === null) return
  const id = randomUUID()
  const text = `${id} `.repeat(1 + Math.floor(200 * (Number.parseInt(id.slice(0, 2), 16) / 255)))
  const written = await write(region, actor.name, id, text)
  count(tally, `write: ${written}`)
  if (written === 'refused') return
  actor.room = withDocument(actor.room, written === 'acknowledged' ? 'certain' : 'possible', id, text)
}

/** Writes in both regions of the move. Each accepts or refuses a write, and what it accepts must not be lost. */
function usersWriteMeanwhile(network: Network, actor: Actor, tally: Tally): { stop(): Promise<void> } {
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      await userWrites(network, actor, tally, 1)
      await userWrites(network, actor, tally, 2)
      await pause(30)
    }
  })()
  return {
    stop() {
      isOver = true
      return writing
    },
  }
}
