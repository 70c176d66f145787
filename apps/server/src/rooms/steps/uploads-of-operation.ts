/** Releases or keeps the uploaded files of an operation when it ends, in addition to setting the room's state. */
import type { OperationRecord } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { keepUploadForRetry, releaseUpload, takeUploadAgain } from '#uploads/index.ts'

export interface Endings {
  done(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  failed(tx: Tx, operation: OperationRecord<unknown>, reason: string, undone: boolean): Promise<void>
  cancelled(tx: Tx, operation: OperationRecord<unknown>): Promise<void>
  retrying(tx: Tx, operation: OperationRecord<unknown>, puttingBack: boolean): Promise<void>
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
    async failed(tx: Tx, operation: OperationRecord<Input>, reason: string, undone: boolean): Promise<void> {
      await each(operation, (name) => keepUploadForRetry(tx, name))
      await endings.failed(tx, operation, reason, undone)
    },
    async cancelled(tx: Tx, operation: OperationRecord<Input>): Promise<void> {
      await each(operation, (name) => releaseUpload(tx, name))
      await endings.cancelled(tx, operation)
    },
    async retrying(tx: Tx, operation: OperationRecord<Input>, puttingBack: boolean): Promise<void> {
      if (!puttingBack) await each(operation, (name) => takeUploadAgain(tx, name))
      await endings.retrying(tx, operation, puttingBack)
    },
  }
}
