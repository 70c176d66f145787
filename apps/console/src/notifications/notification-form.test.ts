import { expect, test } from 'vitest'
import { emptyForm, formOf, readForm } from './notification-form.ts'

const stored = {
  notificationId: 4,
  message: '<p>Hello</p>',
  startDate: '2026-03-01T08:30:00.000Z',
  endDate: '2026-03-02T16:00:00.000Z',
  displayPopup: true,
  deactivate: false,
}

test('a stored notification fills the form and comes out of it as it was', () => {
  const { notificationId: _, ...draft } = stored
  expect(readForm(formOf(stored))).toEqual(draft)
})

test('an empty form starts now and misses a message and an end', () => {
  expect(readForm(emptyForm(new Date()))).toEqual({ message: 'no-message', end: 'no-moment' })
})

// shows: notice-end
test('the end must be after the start', () => {
  const { startDay, startTime } = formOf(stored)
  expect(readForm({ ...formOf(stored), endDay: startDay, endTime: startTime })).toEqual({ end: 'end-before-start' })
})

test.each(['', '25:00', '12:60', '1200'])('%j is no time', (startTime) => {
  expect(readForm({ ...formOf(stored), startTime })).toEqual({ start: 'no-moment' })
})

test('a message can be too long', () => {
  expect(readForm({ ...formOf(stored), message: `<p>${'x'.repeat(20_000)}</p>` })).toEqual({ message: 'long-message' })
})
