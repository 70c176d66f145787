/** Changing one's own password at /project/change_operator_password. */
import type { Page } from '@playwright/test'
import { operatorDraft, signIn } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/change_operator_password'
const old = (page: Page) => page.getByLabel('Old password')
const fresh = (page: Page) => page.getByLabel('New password', { exact: true })
const again = (page: Page) => page.getByLabel('Re-entered new password')
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm' })
const message = (page: Page) => page.getByRole('alert').filter({ hasText: 'new password' })
const current = operatorDraft('CLOUD_SALES')

/** Restores the password that the other tests sign in with. */
test.afterEach(async ({ network }) => {
  const { id } = (await network.admin.call('operators', {})).body.find(({ email }) => email === current.email) ?? {}
  if (id === undefined) return
  await network.admin.call('changeOperator', { params: { id }, body: current })
})

// shows: password-cancel
test('the profile menu leads to it, for every role; Cancel leads back', async ({ openAs }) => {
  for (const role of ['CLOUD_SUPPORT', 'CLOUD_ADMINISTRATOR'] as const) {
    const page = await openAs(role)
    await page.getByRole('button', { name: /^Profile of / }).click()
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(listPath)
  }
})

// shows: password-screen
test('borders and message follow what is typed, and Confirm waits for all of it', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', path)
  await expect(confirm(page)).toBeDisabled()
  await old(page).fill('anything')
  await fresh(page).fill('seven 7')
  await expectBorders(page, 'grey', 'grey')
  await expect(message(page)).toHaveText('The new password needs at least 8 characters.')
  await fresh(page).fill('eight  8')
  await expect(message(page)).toHaveCount(0)
  await again(page).fill('eight  9')
  await expectBorders(page, 'red', 'red')
  await expect(message(page)).toHaveText('The two new passwords differ.')
  await expect(confirm(page)).toBeDisabled()
  await again(page).fill('eight  8')
  await expectBorders(page, 'green', 'green')
  await expect(confirm(page)).toBeEnabled()
  await fresh(page).fill('x'.repeat(65))
  await again(page).fill('x'.repeat(65))
  await expectBorders(page, 'red', 'red')
  await expect(message(page)).toHaveText('The new password can have at most 64 characters.')
  await expect(confirm(page)).toBeDisabled()
  await expectAccessible(page, 'change password', 'main')
})

// shows: password-show
test('the passwords can be shown and hidden, and a tooltip says what a new one takes', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', path)
  for (const field of [old, fresh, again]) await expect(field(page)).toHaveAttribute('type', 'password')
  await page.getByRole('switch', { name: 'Show passwords' }).click()
  for (const field of [old, fresh, again]) await expect(field(page)).toHaveAttribute('type', 'text')
  await page.getByRole('switch', { name: 'Show passwords' }).click()
  await expect(fresh(page)).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Hint for the new password' }).hover()
  await expect(page.getByRole('tooltip', { name: /8 to 64 characters/ })).toBeVisible()
})

test('what cannot be submitted says so', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', path)
  await old(page).fill('anything')
  await fresh(page).fill('a new password')
  await again(page).press('Enter')
  await expect(toast(page, 'Error', 'not possible to submit')).toBeVisible()
})

test('a wrong old password is told at its field', async ({ openAs, troubles }) => {
  troubles.expect(/^POST \/api\/operator\/changeOperatorPassword 400/)
  const page = await openAs('CLOUD_SALES', path)
  await old(page).fill('not the old one')
  await fresh(page).fill('a new password')
  await again(page).fill('a new password')
  await confirm(page).click()
  await expect(toast(page, 'Error', 'Changed password failed')).toBeVisible()
  await expect(old(page)).toHaveAccessibleDescription('The old password is wrong.')
  await old(page).fill('another try')
  await expect(old(page)).not.toHaveAttribute('aria-invalid', 'true')
})

test('a changed password is told, ends other sessions, and is the one to sign in with', async ({ openAs, network }) => {
  const page = await openAs('CLOUD_SALES', path)
  const otherSession = await signIn(() => network.server.address, current)
  await old(page).fill(current.password)
  await fresh(page).fill('a new password')
  await again(page).fill('a new password')
  await again(page).press('Enter')
  await expect(
    toast(page, 'Password changed', 'Your password was changed. Please use the new password the next time you log in.'),
  ).toBeVisible()
  await expect(page).toHaveURL(listPath)
  await expect(otherSession.call('permissions', {})).rejects.toMatchObject({ problem: { status: 401 } })
  await signIn(() => network.server.address, { ...current, password: 'a new password' })
})

/** The colours of the light scheme in global.css. */
const colours = { grey: 'rgb(201, 206, 216)', red: 'rgb(180, 35, 35)', green: 'rgb(23, 112, 58)' }
type Colour = keyof typeof colours

async function expectBorders(page: Page, first: Colour, second: Colour): Promise<void> {
  // Move the focus away: a focused field has the colour of the focus.
  await page.getByRole('heading', { name: 'Change password' }).click()
  await expect(fresh(page)).toHaveCSS('border-top-color', colours[first])
  await expect(again(page)).toHaveCSS('border-top-color', colours[second])
}
