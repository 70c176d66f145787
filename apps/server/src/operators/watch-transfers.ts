/**
 * Ends downloads and uploads of callers who may not make them any more: a large one can last for hours. A session that
 * is merely idle does not count: operators do nothing else during a long transfer.
 */
import type { Db } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { whoLostAccess } from './live-caller.ts'

interface Transfer {
  caller: Caller
  address: string
  end(): void
}

/** Takes a transfer in; what it returns takes it out again. */
export type TransferWatch = (transfer: Transfer) => () => void

export function createTransferWatch(db: Db, scheduler: Scheduler): TransferWatch {
  const underWay = new Set<Transfer>()
  scheduler.start({
    name: 'check of transfers',
    everySeconds: 15,
    scope: 'process',
    ignoresClock: true,
    async run() {
      if (underWay.size === 0) return
      for (const transfer of await whoLostAccess(db, [...underWay])) if (underWay.has(transfer)) transfer.end()
    },
  })
  return (transfer) => {
    underWay.add(transfer)
    return () => void underWay.delete(transfer)
  }
}
