/** Releases or keeps the uploaded files of an operation when it ends, in addition to setting the room's state. */
import type { Reasons } from '@roomkeeper/contract'
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { keepUploadForRetry, releaseUpload, takeUploadAgain } from '#uploads/index.ts'

export interface Endings {
  done(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  failed(tx: Tx, operation: OperationRecord<unknown>, reasons: Reasons, undone: boolean): Promise<void>
  cancelled(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  retrying(tx: Tx, operation: OperationRecord<unknown>, isFinishingUndo: boolean): Promise<void>
}

/** Keeps the files until the operation succeeds or is cancelled, and for one day after a failure. */
export function withUploads<Input>(endings: Endings, uploadsOf: (input: Input) => (string | null)[]) {
  const each = async (operation: OperationRecord<Input>, work: (name: string) => Promise<void>) => {
    for (const name of uploadsOf(operation.input)) if (name !== null) await work(name)
  }
  return {
    async done(tx: Tx, operation: OperationRecord<Input>): Promise<void> {
      await each(operation, (name) => releaseUpload(tx, name))
      await endings.done(tx, operation)
    },
    async failed(tx: Tx, operation: OperationRecord<Input>, reasons: Reasons, undone: boolean): Promise<void> {
      await each(operation, (name) => keepUploadForRetry(tx, name))
      await endings.failed(tx, operation, reasons, undone)
    },
    async cancelled(tx: Tx, operation: OperationRecord<Input>): Promise<void> {
      await each(operation, (name) => releaseUpload(tx, name))
      await endings.cancelled(tx, operation)
    },
    async retrying(tx: Tx, operation: OperationRecord<Input>, isFinishingUndo: boolean): Promise<void> {
      if (!isFinishingUndo) await each(operation, (name) => takeUploadAgain(tx, name))
      await endings.retrying(tx, operation, isFinishingUndo)
    },
  }
}
