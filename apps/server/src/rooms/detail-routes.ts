/** The call that reads a room's licences in use, and the call that deletes a customer user. */

import { because } from '@roomkeeper/contract'
import type { UserRemoval } from '@roomkeeper/region-protocol'
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { Refusal } from '#platform/refuse.ts'
import { askRegion, type ConnectRegion } from '#regions/index.ts'
import { findRoomOnRegion } from './stored-room.ts'

type DetailHandlers = Pick<Handlers, 'roomLicences' | 'deleteUser'>

export function roomDetailHandlers(database: Database, connectRegion: ConnectRegion): DetailHandlers {
  const { db } = database
  return {
    async roomLicences({ query, signal }) {
      const { name, regionId, regionName } = await findRoomOnRegion(db, query.projectRoom)
      const region = await connectRegion(regionId, signal)
      return ok(await askRegion(regionName, () => region.licences(name)))
    },
    async deleteUser({ params, caller, requestId, signal }) {
      const ask: AskForRemoval = async ({ id, name }) => {
        const region = await connectRegion(id, signal)
        return askRegion(name, () => region.deleteUser(params.id))
      }
      return ok(await deleteUser(database, { user: params.id, actor: caller.actor, requestId }, ask))
    },
  }
}

interface AskedRegion {
  id: number
  name: string
}
/** @throws Refusal what the region refuses, or that it does not answer */
type AskForRemoval = (region: AskedRegion) => Promise<UserRemoval>

interface Removal {
  user: string
  actor: string
  requestId: string
}

/**
 * Deletes a customer user from the region that has them; a delegate is then no delegate of the room here either. Asks
 * all regions, because the console does not know which one has the user. The answer of the region that has them
 * decides. If no region that answers has the user, one that does not answer may have them.
 * @returns whether the user is gone
 */
async function deleteUser(database: Database, removal: Removal, ask: AskForRemoval): Promise<boolean> {
  const regions = await queryRows<AskedRegion>(database.db, 'select id, name from regions order by id')
  const answers = await Promise.allSettled(regions.map(ask))
  const asked = answers.map((answer, index) => ({
    region: regions[index] as AskedRegion,
    isGone: answer.status === 'fulfilled' && answer.value.gone,
    ...(answer.status === 'fulfilled' ? roomsOf(answer.value) : noRooms),
  }))
  const having = asked.filter(({ hadUser }) => hadUser)
  const open = asked.filter(({ isGone }) => !isGone).map(({ region }) => region.name)
  // Recorded even if a region failed, because others may have deleted the user.
  await database.transaction(async (tx) => {
    const regions = open.join(', ')
    const detail = open.length === 0 ? removal.user : because('audit-not-deleted-on', { user: removal.user, regions })
    const entry = { actor: removal.actor, kind: 'user.delete', detail, requestId: removal.requestId } as const
    await recordChange(tx, entry)
    for (const { region, withoutDelegate } of asked)
      for (const name of withoutDelegate) await removeDelegate(tx, region, name, removal)
  })
  const failures = answers.flatMap((answer): unknown[] => (answer.status === 'rejected' ? [answer.reason] : []))
  const failure = failures.find((each) => !isAway(each)) ?? (having.length > 0 ? undefined : failures[0])
  if (failure !== undefined) throw failure
  return (having.length > 0 ? having : asked).every(({ isGone }) => isGone)
}

const noRooms = { hadUser: false, withoutDelegate: [] }

/** `withoutDelegate`: rooms whose delegate was deleted now, or by an earlier call whose answer may have been lost. */
function roomsOf({ rooms = [], withoutDelegate = [] }: UserRemoval) {
  const deleted = rooms.filter(({ gone, wasDelegate }) => gone && wasDelegate).map(({ name }) => name)
  return { hadUser: rooms.length > 0, withoutDelegate: [...deleted, ...withoutDelegate] }
}

function isAway(failure: unknown): boolean {
  return failure instanceof Refusal && failure.code === 'region-unreachable'
}

/** Does nothing to a room that is in another region, or that has no delegate. */
async function removeDelegate(tx: Tx, region: AskedRegion, name: string, { actor, requestId }: Removal): Promise<void> {
  const [changed] = await queryRows<{ id: string; was: string | null }>(tx, withoutDelegate, [name, region.id])
  if (changed === undefined) return
  const { id, was } = changed
  const changes = [{ field: 'additionalEmail', from: was, to: null }]
  await recordChange(tx, { kind: 'room.edit', actor, requestId, room: { id, name }, operation: null, changes })
}

const withoutDelegate = `
  with before as (
    select id, additional_email from rooms
     where name = $1 and region_id = $2 and additional_email is not null for no key update
  )
  update rooms set additional_email = null, version = version + 1 from before where rooms.id = before.id
  returning rooms.id, before.additional_email as was`
