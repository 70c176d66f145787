// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { address, expectToast, fill, openAs, user } from '#testing/console.tsx'
import { bodiesOf, refused, reply } from '#testing/server.ts'
import { feedbackOf, isComplete, problemOf } from './ChangePasswordPage.tsx'

const path = '/project/change_operator_password'
const old = () => screen.getByLabelText('Old password')
const fresh = () => screen.getByLabelText('New password')
const again = () => screen.getByLabelText('Re-entered new password')
const confirm = () => screen.getByRole('button', { name: 'Confirm' })
const message = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .find((text) => text?.includes('new password'))
const feedback = () =>
  [fresh(), again()].map((input) => input.closest('[data-feedback]')?.getAttribute('data-feedback'))

async function openPage(): Promise<void> {
  openAs('CLOUD_SALES', path)
  await screen.findByLabelText('Old password')
}

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

// shows: password-cancel
test.each(['CLOUD_SUPPORT', 'CLOUD_ADMINISTRATOR'] as const)(
  'the profile menu leads %s to it; Cancel leads back',
  async (role) => {
    openAs(role, '/project/administration')
    await user.click(await screen.findByRole('button', { name: /^Profile of / }))
    await user.click(await screen.findByRole('menuitem', { name: 'Change password' }))
    expect(await screen.findByRole('heading', { name: 'Change password' })).toBeVisible()
    expect(address()).toBe(path)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(address()).toBe('/project/administration'))
  },
)

// shows: password-screen
test('borders and message follow what is typed, and Confirm waits for all of it', async () => {
  await openPage()
  expect(confirm()).toBeDisabled()
  fill(old(), 'anything')
  fill(fresh(), 'seven 7')
  expect(feedback()).toEqual(['grey', 'grey'])
  expect(message()).toBe('The new password needs at least 8 characters.')
  fill(fresh(), 'eight  8')
  expect(message()).toBeUndefined()
  fill(again(), 'eight  9')
  expect(feedback()).toEqual(['red', 'red'])
  expect(message()).toBe('The two new passwords differ.')
  expect(confirm()).toBeDisabled()
  fill(again(), 'eight  8')
  expect(feedback()).toEqual(['green', 'green'])
  expect(confirm()).toBeEnabled()
  fill(fresh(), 'x'.repeat(65))
  fill(again(), 'x'.repeat(65))
  expect(feedback()).toEqual(['red', 'red'])
  expect(message()).toBe('The new password can have at most 64 characters.')
  expect(confirm()).toBeDisabled()
})

// shows: password-show
test('the passwords can be shown and hidden, and a tooltip says what a new one takes', async () => {
  await openPage()
  for (const field of [old, fresh, again]) expect(field()).toHaveAttribute('type', 'password')
  await user.click(screen.getByRole('switch', { name: 'Show passwords' }))
  for (const field of [old, fresh, again]) expect(field()).toHaveAttribute('type', 'text')
  await user.click(screen.getByRole('switch', { name: 'Show passwords' }))
  expect(fresh()).toHaveAttribute('type', 'password')
  await user.hover(screen.getByRole('button', { name: 'Hint for the new password' }))
  expect(await screen.findByRole('tooltip', { name: /8 to 64 characters/ })).toBeVisible()
})

test('what cannot be submitted says so', async () => {
  await openPage()
  fill(old(), 'anything')
  fill(fresh(), 'a new password')
  await user.type(again(), '{Enter}')
  await expectToast('Error', 'not possible to submit')
  expect(bodiesOf('changePassword')).toEqual([])
})

test('a wrong old password is told at its field', async () => {
  reply({ changePassword: () => refused('wrong-old-password') })
  await openPage()
  fill(old(), 'not the old one')
  fill(fresh(), 'a new password')
  fill(again(), 'a new password')
  await user.click(confirm())
  await expectToast('Error', 'Changed password failed')
  expect(old()).toHaveAccessibleDescription('The old password is wrong.')
  fill(old(), 'another try')
  expect(old()).not.toHaveAttribute('aria-invalid', 'true')
})
