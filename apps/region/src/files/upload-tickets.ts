/**
 * Tickets with which another region may send a file whose content is not known in advance. A ticket is for one upload of one
 * file, and never for reading. Tickets are kept in memory, by their hash, and end with a restart or when the file is
 * removed.
 */
import { randomBytes } from 'node:crypto'
import { hashOf } from '#http/sign-in.ts'
import { refuse } from '#refusals.ts'

export interface UploadTickets {
  /** The upload has to begin within `ticketSeconds`. */
  open(file: { id: string; sizeAtMost: number }): { ticket: string; expiresAt: string }
  /**
   * Admits a request that sends the file, and uses the ticket up.
   * @returns how many bytes it may have @throws {Refusal} 'signed-out'
   */
  admit(ticket: string, id: string): number
  /** Ends all tickets for this file, which is removed and must not come back. */
  end(id: string): void
}

export const ticketSeconds = 600
/** When there are more, the oldest is forgotten. */
const ticketsAtMost = 10_000

export function createUploadTickets(now: () => number = Date.now): UploadTickets {
  /** The key is the hash of the ticket; the oldest entry comes first. */
  const tickets = new Map<string, { id: string; sizeAtMost: number; end: number }>()
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
    admit(ticket, id) {
      const key = hashOf(ticket)
      const known = tickets.get(key)
      if (known?.id !== id || known.end <= now()) throw refuse('signed-out')
      tickets.delete(key)
      return known.sizeAtMost
    },
    end(id) {
      for (const [key, file] of tickets) if (file.id === id) tickets.delete(key)
    },
  }
}
