import { expect, it } from 'vitest'
import { createUploadTickets, ticketSeconds } from './upload-tickets.ts'

const file = { id: 'backup-1', sizeAtMost: 10 }
const isRefused = expect.objectContaining({ code: 'signed-out' })

it('a ticket ends when its upload has not begun in time', () => {
  let now = 1_000_000
  const tickets = createUploadTickets(() => now)
  const [{ ticket, expiresAt }, late] = [tickets.open(file), tickets.open(file).ticket]
  expect(Date.parse(expiresAt)).toBe(now + ticketSeconds * 1000)
  now += ticketSeconds * 1000 - 1
  expect(tickets.admit(ticket, file.id)).toBe(file.sizeAtMost)
  now += 1
  expect(() => tickets.admit(late, file.id)).toThrow(isRefused)
})

it('each ticket is another one, and using one up leaves the others', () => {
  const tickets = createUploadTickets()
  const [first, second] = [tickets.open(file).ticket, tickets.open(file).ticket]
  expect(first).not.toBe(second)
  tickets.admit(first, file.id)
  expect(() => tickets.admit(first, file.id)).toThrow(isRefused)
  tickets.admit(second, file.id)
})
