import { expect, it } from 'vitest'
import { createUploadTickets, ticketSeconds } from './upload-tickets.ts'

const file = { id: 'backup-1', size: 10, sha256: 'a'.repeat(64) }

it('a ticket ends when its upload has not begun in time', () => {
  let now = 1_000_000
  const tickets = createUploadTickets(() => now)
  const { ticket, expiresAt } = tickets.open(file)
  expect(Date.parse(expiresAt)).toBe(now + ticketSeconds * 1000)
  now += ticketSeconds * 1000 - 1
  tickets.admit(ticket, { ...file, hasContent: false })
  now += 1
  expect(() => tickets.admit(ticket, { ...file, hasContent: true })).toThrow(
    expect.objectContaining({ code: 'signed-out' }),
  )
})

it('each ticket is another one, and using one up leaves the others', () => {
  const tickets = createUploadTickets()
  const [first, second] = [tickets.open(file).ticket, tickets.open(file).ticket]
  expect(first).not.toBe(second)
  tickets.admit(first, { ...file, hasContent: true })
  expect(() => tickets.admit(first, { ...file, hasContent: false })).toThrow(
    expect.objectContaining({ code: 'signed-out' }),
  )
  tickets.admit(second, { ...file, hasContent: true })
})
