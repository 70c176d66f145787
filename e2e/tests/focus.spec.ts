/** Where the keyboard is: dialogs take the focus, keep it, and give it back. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { rowOf } from '../room-list.ts'

const openers: [string, (page: Page) => Locator][] = [
  ['Delete Tenant', (page) => rowOf(page, 'failed').getByRole('button', { name: 'Delete failed' })],
  [
    'Error messages for project room: failed',
    (page) => rowOf(page, 'failed').getByRole('button', { name: /^Show error/ }),
  ],
  ['Keyboard shortcuts', (page) => page.getByRole('button', { name: 'Keyboard shortcuts' })],
  ['Customer management', (page) => page.getByRole('button', { name: 'Customer management' })],
  ['Running operations', (page) => page.getByRole('button', { name: /^Running operations/ })],
]

test('a dialog holds the focus while it is open, and gives it back to where it was when Escape closes it', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'failed', state: 'ERROR', errorMessage: 'The region refused.' }])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  for (const [name, openerOf] of openers) {
    const [opener, dialog] = [openerOf(page), page.getByRole('dialog', { name })]
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Shift+Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect.soft(opener, `after ${name}`).toBeFocused()
  }
})

test('a double click opens one dialog', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'room' }])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await rowOf(page, 'room').getByRole('button', { name: 'Delete room' }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Delete Tenant' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a dialog of a page goes with its page, one of the header stays', async ({ openAs }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await page.getByRole('link', { name: 'New project room' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create project room' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { level: 1, name: 'Create project room' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Customer management' }).click()
  const panel = page.getByRole('dialog', { name: 'Customer management' })
  await expect(panel).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/project/administration')
  await expect(panel).toBeVisible()
})

test('the menus of the header open, are walked through and chosen from by keys', async ({ openAs }) => {
  const page = await openAs('CLOUD_SUPPORT')
  const language = page.getByRole('button', { name: 'Language: EN' })
  await language.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(language).toBeFocused()

  await page.getByRole('button', { name: /^Profile of / }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/project/operator')
})
