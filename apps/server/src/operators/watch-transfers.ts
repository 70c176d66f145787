/**
 * Ends downloads and uploads of callers who may not make them any more: a large one can last for hours. A session that
 * is merely idle does not count: operators do nothing else during a long transfer.
 */
import type { Db } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { whoLostAccess } from './live-caller.ts'

const lookMilliseconds = 15_000

interface Transfer {
  caller: Caller
  address: string
  end(): void
}

/** Takes a transfer in; what it returns takes it out again. */
export type TransferWatch = (transfer: Transfer) => () => void

export function createTransferWatch(db: Db): TransferWatch {
  const underWay = new Set<Transfer>()
  let looking: NodeJS.Timeout | undefined
  const look = async () => {
    const asked = [...underWay]
    const gone = await whoLostAccess(db, asked).catch(() => new Set<Transfer>())
    for (const transfer of gone) if (underWay.has(transfer)) transfer.end()
  }
  return (transfer) => {
    underWay.add(transfer)
    looking ??= setInterval(() => void look(), lookMilliseconds)
    return () => {
      underWay.delete(transfer)
      if (underWay.size > 0) return
      clearInterval(looking)
      looking = undefined
    }
  }
}
