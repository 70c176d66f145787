/**
 * Tickets with which another region may send a file. A ticket is for one file of one content, or of a content that
 * nobody knows yet, for one upload of it, and never for reading. Tickets are kept in memory, by their hash, and end with a restart or when the file is removed.
 */
import { randomBytes } from 'node:crypto'
import { hashOf } from '#http/sign-in.ts'
import { refuse } from '#refusals.ts'
import type { FileSum } from './sha256-of-file.ts'

export interface UploadTickets {
  /** The upload has to begin within `ticketSeconds`. */
  open(file: TicketFile | UnknownFile): { ticket: string; expiresAt: string }
  /**
   * Admits a request to send the file, and uses the ticket up if the request carries content.
   * @throws {Refusal} 'signed-out'
   */
  admit(ticket: string, request: TicketFile & { hasContent: boolean }): void
  /**
   * Admits a request that sends a file of unknown content, and uses the ticket up.
   * @returns how many bytes it may have @throws {Refusal} 'signed-out'
   */
  admitUnknown(ticket: string, id: string): number
  /** Ends all tickets for this file: it is removed, and nobody may bring it back. */
  end(id: string): void
}

interface TicketFile extends FileSum {
  id: string
}

interface UnknownFile {
  id: string
  sizeAtMost: number
}

/** A file of unknown content has neither size nor digest. */
type Ticket = { id: string; end: number } & Partial<FileSum & UnknownFile>

export const ticketSeconds = 600
/** When there are more, the oldest is forgotten. */
const ticketsAtMost = 10_000

export function createUploadTickets(now: () => number = Date.now): UploadTickets {
  /** By the hash of the ticket, the oldest first. */
  const tickets = new Map<string, Ticket>()
  return {
    open(file) {
      for (const [key, { end }] of tickets) {
        if (end > now() && tickets.size < ticketsAtMost) break
        tickets.delete(key)
      }
      const ticket = randomBytes(32).toString('base64url')
      const end = now() + ticketSeconds * 1000
      tickets.set(hashOf(ticket), { ...file, end })
      return { ticket, expiresAt: new Date(end).toISOString() }
    },
    admit(ticket, { id, size, sha256, hasContent }) {
      const key = hashOf(ticket)
      const known = tickets.get(key)
      const isForIt = known?.id === id && known.size === size && known.sha256 === sha256
      if (known === undefined || known.end <= now() || !isForIt) throw refuse('signed-out')
      if (hasContent) tickets.delete(key)
    },
    admitUnknown(ticket, id) {
      const key = hashOf(ticket)
      const known = tickets.get(key)
      if (known?.id !== id || known.sizeAtMost === undefined || known.end <= now()) throw refuse('signed-out')
      tickets.delete(key)
      return known.sizeAtMost
    },
    end(id) {
      for (const [key, file] of tickets) if (file.id === id) tickets.delete(key)
    },
  }
}
