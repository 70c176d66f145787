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
const current = operatorDraft('CLOUD_SALES')

/** Restores the password that the other tests sign in with. */
test.afterEach(async ({ network }) => {
  const { id } = (await network.admin.call('operators', {})).body.find(({ email }) => email === current.email) ?? {}
  if (id === undefined) return
  await network.admin.call('changeOperator', { params: { id }, body: current })
})

test('a changed password is told, ends other sessions, and is the one to sign in with', async ({ openAs, network }) => {
  const page = await openAs('CLOUD_SALES', path)
  const otherSession = await signIn(() => network.server.address, current)
  await expectBorders(page, 'grey')
  await old(page).fill(current.password)
  await fresh(page).fill('a new password')
  await again(page).fill('another password')
  await expectBorders(page, 'red')
  await expectAccessible(page, 'change password', 'main')
  await again(page).fill('a new password')
  await expectBorders(page, 'green')
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

async function expectBorders(page: Page, colour: keyof typeof colours): Promise<void> {
  // Move the focus away: a focused field has the colour of the focus.
  await page.getByRole('heading', { name: 'Change password' }).click()
  for (const field of [fresh, again]) await expect(field(page)).toHaveCSS('border-top-color', colours[colour])
}
