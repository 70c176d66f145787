/** Changes the labels of a room that the caller has locked, and records the change. */
import { type AuditContext, type CausingOperation, recordChange } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import type { StoredRoom } from '../stored-room.ts'

type Labelled = Pick<StoredRoom, 'id' | 'name' | 'labels'>
type Asked = Omit<AuditContext, 'requestId'> & { requestId: string | null; operation: CausingOperation | null }

export async function setLabels(tx: Tx, room: Labelled, labels: string[], asked: Asked): Promise<void> {
  if (JSON.stringify(labels) === JSON.stringify(room.labels)) return
  await queryRows(tx, 'update rooms set labels = $2 where id = $1', [room.id, labels])
  const changes = [{ field: 'labels', from: room.labels, to: labels }]
  await recordChange(tx, { kind: 'room.label', room, changes, ...asked })
}
