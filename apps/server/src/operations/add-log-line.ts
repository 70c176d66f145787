/** A line in the log of an operation, written in any transaction, also after its end: how something went that it has left to others, such as an e-mail. */
import type { CodedReason } from '@roomkeeper/contract'
import { recordedFor } from '#changes/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'

export interface AddedLogLine {
  level: 'info' | 'warning'
  reason: CodedReason
}

/** Also tells the consoles. Nothing, when the operation was removed meanwhile. */
export async function addLogLine(tx: Tx, operationId: string, { level, reason }: AddedLogLine): Promise<void> {
  const { text, codes } = storedReasons([reason])
  await queryRows(
    tx,
    `with held as (
       update operations set log_lines = log_lines + 1 where id = $1 returning id, room_name, log_lines
     ), recorded as (
       ${recordedFor('operation.changed', 'held')}
     )
     insert into operation_log (operation_id, n, level, text, reasons) select $1, log_lines, $2, $3, $4 from held`,
    [operationId, level, text, codes],
  )
}
