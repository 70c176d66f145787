import { expect, test } from 'vitest'
import { feedbackOf, isComplete, problemOf } from './ChangePasswordPage.tsx'

const eight = 'x'.repeat(8)
const tooLong = 'x'.repeat(65)

// shows: password-border
test.each([
  ['', '', 'grey'],
  ['x'.repeat(7), eight, 'grey'],
  [eight, '', 'grey'],
  [eight, 'y'.repeat(8), 'red'],
  [eight, 'x', 'red'],
  [tooLong, tooLong, 'red'],
  [eight, eight, 'green'],
  ['x'.repeat(64), 'x'.repeat(64), 'green'],
])('a field with %j beside %j has a %s border', (own, other, feedback) => {
  expect(feedbackOf(own, other)).toBe(feedback)
})

test.each([
  ['', '', null],
  ['x', '', 'short'],
  [eight, 'x', 'short'],
  [tooLong, '', 'long'],
  [eight, 'y'.repeat(8), 'differ'],
  [eight, eight, null],
])('%j and %j: the message is about %s', (newPassword, newPasswordReentered, problem) => {
  expect(problemOf({ newPassword, newPasswordReentered })).toBe(problem)
})

// shows: password-lengths
test('the form is complete with an old password and two equal new ones of 8 to 64 characters', () => {
  const complete = { oldPassword: 'o', newPassword: eight, newPasswordReentered: eight }
  expect(isComplete(complete)).toBe(true)
  expect(isComplete({ ...complete, oldPassword: '' })).toBe(false)
  expect(isComplete({ ...complete, newPasswordReentered: 'y'.repeat(8) })).toBe(false)
  expect(isComplete({ oldPassword: 'o', newPassword: tooLong, newPasswordReentered: tooLong })).toBe(false)
})
