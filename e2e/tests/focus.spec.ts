/** Where the keyboard is: dialogs take the focus, keep it, and give it back. */
import type { Locator, Page } from '@playwright/test'
import { createPath, field } from '../create-form.ts'
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { addMigration, buttonOf, cloudDialog, openCloud, openTab } from '../manage-cloud.ts'
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

test('a link of the header leads the focus to the page, and Tab goes on from there', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'room' }])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await expect(rowOf(page, 'room')).toBeVisible()
  await page.getByRole('button', { name: 'Maintenance mode' }).press('Enter')
  await expect(page.getByRole('checkbox', { name: 'Put site into maintenance mode' })).toBeFocused()
  await page.getByRole('banner').getByRole('link').first().press('Enter')
  await expect(rowOf(page, 'room')).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
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
  await expect(page.getByRole('menuitem', { name: 'Overview' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'API tokens' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Bulks' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/project/operator')
})

test('the first field of every form has the focus when the form opens', async ({ openAs, network }) => {
  const active = await network.newRoom()
  await insertRooms(network, [{ name: 'suspended', state: 'SUSPENDED' }])
  await addMigration(network)
  const page = await openAs('CLOUD_ADMINISTRATOR')
  const pages: [string, () => Locator][] = [
    [createPath, () => field(page, 'Project room name')],
    [editPath(active), () => field(page, 'Expiration date')],
    ['/project/maintenance_mode', () => page.getByRole('checkbox', { name: 'Put site into maintenance mode' })],
    ['/project/set_notification', () => page.getByRole('textbox', { name: 'Message' })],
    ['/project/change_operator_password', () => page.getByLabel('Old password')],
    ['/project/import_project_room', () => page.getByRole('button', { name: 'Choose .zip file' }).first()],
    ['/project/restore_project_room/suspended', () => page.getByRole('button', { name: 'Choose .zip file' }).first()],
  ]
  for (const [path, first] of pages) {
    await page.goto(path)
    await expect.soft(first(), path).toBeFocused()
  }
  // A field that the page itself has focused shows no error when it is left.
  await page.goto(createPath)
  await field(page, 'Company name').click()
  await expect(field(page, 'Project room name')).not.toHaveAttribute('aria-invalid', 'true')

  const dialog = page.getByRole('dialog').last()
  const expectFirst = async (first: Locator, what: string) => {
    await expect.soft(first, what).toBeFocused()
    await page.keyboard.press('Escape')
  }
  await page.goto('/project/operators')
  await page.getByRole('button', { name: 'New operator' }).click()
  await expectFirst(dialog.getByLabel('E-mail address'), 'new operator')
  await page.goto(editPath(active))
  await page.getByRole('button', { name: 'Import Database' }).click()
  await expectFirst(dialog.getByRole('button', { name: 'Choose .adb file' }), 'import database')
  await page.goto('/project/administration')
  // Its first tab is open; pressing its title would take the focus.
  await page.getByRole('button', { name: 'Configuration', exact: true }).click()
  const cloud = cloudDialog(page)
  await expect.soft(cloud.getByLabel('Video identifier'), 'configuration').toBeFocused()
  await openTab(cloud, 'Regions')
  await buttonOf(cloud, 'New').click()
  await expectFirst(dialog.getByLabel('Region name'), 'new region')
  await expect.soft(buttonOf(cloud, 'New'), 'after the dialog').toBeFocused()
  await openTab(cloud, 'Live migration')
  await buttonOf(cloud, 'New').click()
  await expectFirst(dialog.getByRole('combobox', { name: 'Source region' }), 'new configuration')
  await buttonOf(cloud, 'Start').click()
  await page.getByRole('button', { name: 'Select project rooms' }).click()
  await expectFirst(dialog.getByRole('searchbox'), 'rooms to pick')
})

test('the focus is where it was after a call, and near it if that is gone', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^(GET|POST|PUT) \/api\/operator\/.* [45]\d\d$/)
  const name = await network.newRoom()
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/change_operator_password')
  await page.getByLabel('Old password').fill('not-the-password')
  await page.getByLabel('New password', { exact: true }).fill('another-password')
  await page.getByLabel('Re-entered new password').fill('another-password')
  await page.getByRole('button', { name: 'Confirm' }).click()
  // The field that was refused.
  await expect(page.getByLabel('Old password')).toBeFocused()

  await page.goto('/project/administration')
  const cloud = await openCloud(page, 'Regions')
  await cloud.getByLabel('Select region-1').check()
  await buttonOf(cloud, 'Edit').click()
  const tested = page.getByRole('button', { name: 'Test Connection' })
  await tested.click()
  await expect(page.getByRole('dialog').last().getByRole('status')).toBeVisible()
  await expect(tested).toBeFocused()
  await page.keyboard.press('Escape')

  // A part that could not be loaded, and its button that is gone after it was pressed.
  await page.route('**/api/operator/room/database**', (route) => route.fulfill({ status: 500 }))
  await page.goto(editPath(name, 'databases'))
  const again = page.getByRole('button', { name: 'Try again' })
  await again.focus()
  await page.unroute('**/api/operator/room/database**')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader', { name: 'main' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Databases' })).toBeFocused()
})
