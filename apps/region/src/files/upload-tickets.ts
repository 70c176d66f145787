/**
 * Tickets with which another region may send a file. A ticket is for one file of one content, for one upload of it, and
 * never for reading. Tickets are kept in memory, by their hash, and end with a restart or when the file is removed.
 */
import { randomBytes } from 'node:crypto'
import { hashOf } from '#http/sign-in.ts'
import { refuse } from '#refusals.ts'
import type { FileSum } from './sha256-of-file.ts'

export interface UploadTickets {
  /** The upload has to begin within `ticketSeconds`. */
  open(file: TicketFile): { ticket: string; expiresAt: string }
  /**
   * Admits a request to send the file, and uses the ticket up if the request carries content.
   * @throws {Refusal} 'signed-out'
   */
  admit(ticket: string, request: TicketFile & { hasContent: boolean }): void
  /** Ends all tickets for this file: it is removed, and nobody may bring it back. */
  end(id: string): void
}

interface TicketFile extends FileSum {
  id: string
}

export const ticketSeconds = 600
/** When there are more, the oldest is forgotten. */
const ticketsAtMost = 10_000

export function createUploadTickets(now: () => number = Date.now): UploadTickets {
  /** By the hash of the ticket, the oldest first. */
  const tickets = new Map<string, TicketFile & { end: number }>()
  return {
    open({ id, size, sha256 }) {
      for (const [key, { end }] of tickets) {
        if (end > now() && tickets.size < ticketsAtMost) break
        tickets.delete(key)
      }
      const ticket = randomBytes(32).toString('base64url')
      const end = now() + ticketSeconds * 1000
      tickets.set(hashOf(ticket), { id, size, sha256, end })
      return { ticket, expiresAt: new Date(end).toISOString() }
    },
    admit(ticket, { id, size, sha256, hasContent }) {
      const key = hashOf(ticket)
      const known = tickets.get(key)
      const isForIt = known?.id === id && known.size === size && known.sha256 === sha256
      if (known === undefined || known.end <= now() || !isForIt) throw refuse('signed-out')
      if (hasContent) tickets.delete(key)
    },
    end(id) {
      for (const [key, file] of tickets) if (file.id === id) tickets.delete(key)
    },
  }
}
