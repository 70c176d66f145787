/** Sends a file from one region to another, which has given a ticket for it. */
import { type FileInfo, ticketHeader } from '../files.ts'
import { slowestRate } from '../rate-meter.ts'
import { createSender } from './caller.ts'
import { putFile, type RegionFileSource } from './file-transfer.ts'

/** For silence, as in the client of the console. */
const timeoutSeconds = 20

/**
 * Goes on where an earlier upload of the same content broke off. Since a ticket is for one upload, an upload that
 * breaks off is not tried again.
 * @param to the other region's address, the id of the file there, and the ticket
 * @throws {RegionRefusal | RegionUnreachable} and what the source throws
 */
export function sendWithTicket(
  to: { url: string; file: string; ticket: string },
  source: RegionFileSource,
  signal: AbortSignal,
): Promise<FileInfo> {
  const send = createSender(to.url, { timeoutSeconds, signal })
  const authorization = ticketHeader(to.ticket)
  const sender = {
    timeoutSeconds,
    slowest: slowestRate,
    exchange: (exchange: Parameters<typeof send>[0]) =>
      send({ ...exchange, headers: { ...exchange.headers, authorization } }),
  }
  return putFile(sender, to.file, source)
}
