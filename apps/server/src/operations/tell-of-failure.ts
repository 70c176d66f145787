/** Tells webhooks that an operation has failed, once its end is written. */
import type { ProcessType, ProjectRoomState, Reasons } from '@roomkeeper/contract'
import { queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'
import { isAwaited, tellWebhooks } from '#platform/webhook-outbox.ts'

interface Failed {
  id: string
  kind: string
  process: ProcessType | null
  attempt: number
  parentId: string | null
  roomId: string | null
  roomName: string
  state: ProjectRoomState | null
  region: string | null
}

export async function tellOfFailure(tx: Tx, operationId: string, why: Reasons | null): Promise<void> {
  if (!(await isAwaited(tx, 'operation.failed'))) return
  await queryRows(tx, `select from rooms where id = (select room_id from operations where id = $1) for no key update`, [
    operationId,
  ])
  const [failed] = await queryRows<Failed>(
    tx,
    `select o.id, o.kind, o.process_type as process, o.attempt, o.parent_id, o.room_id, o.room_name, rooms.state,
            region.name as region
       from operations o left join rooms on rooms.id = o.room_id left join regions region on region.id = o.region_id
      where o.id = $1`,
    [operationId],
  )
  if (failed === undefined) return
  const { roomId, roomName, state, region, ...operation } = failed
  const { text, codes } = storedReasons(why ?? [])
  const data = { operation, room: { id: roomId, name: roomName, state }, region, text, reasons: JSON.parse(codes) }
  await tellWebhooks(tx, [{ type: 'operation.failed', data, lane: roomId ?? operationId, roomName: roomName || null }])
}
