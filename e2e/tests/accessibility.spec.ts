/** axe finds nothing in any page, dialog, panel or menu, in light and dark. */
import { roomDraft } from '@roomkeeper/dev-env'
import { expectAccessible, expectAccessibleIn } from '../accessibility.ts'
import { chooseProduct, createPath, field, fillInRoom, select, submitCreation } from '../create-form.ts'
import { setFaults } from '../faults.ts'
import { administrator, expect, test } from '../fixtures.ts'
import { type InsertedRoom, insertRooms } from '../insert-rooms.ts'
import { firstRegion, untilRoomIs } from '../region-room.ts'
import { listPath, rowOf, searchBox } from '../room-list.ts'

test('the sign-in, also after a failure', async ({ page, troubles }) => {
  troubles.expect(/^POST \/api\/operator\/session 401/)
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto('/project/operator')
    await expectAccessibleIn(page, scheme, 'sign-in')
    await page.getByLabel('Email').fill(administrator.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessibleIn(page, scheme, 'sign-in with a refusal')
  }
})

test('the list with a room in every state, its menus and its dialogs', async ({ openAs, network }) => {
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  await insertRooms(network, roomsInEveryState)
  const page = await openAs('CLOUD_OPERATOR')
  await expect(page.getByRole('rowheader')).toHaveCount(roomsInEveryState.length)
  await expectAccessible(page, 'list')

  await rowOf(page, 'zfailed').getByRole('button', { name: 'Delete zfailed' }).hover()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await expectAccessible(page, 'tooltip of a row action', '[role=tooltip]')
  for (const name of ['Language: EN', 'Colour scheme', /^Profile of /, 'Columns']) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page, `menu ${name}`, '[role=menu]')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  const dialogs = [/^Delete zactive/, /^Show error messages/, 'Keyboard shortcuts', 'Customer management', 'Filters']
  for (const open of [...dialogs, 'Command palette']) {
    await page.getByRole('button', { name: open }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, `dialog ${open}`, '[role=dialog]')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  await expect(bar).toBeVisible()
  await expectAccessible(page, 'selected rooms', 'footer')
  await bar.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'an action on the selected rooms', '[role=dialog]')
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Move to …' }).click()
  await page.getByRole('combobox', { name: 'Target region' }).click()
  await page.keyboard.press('ArrowDown')
  await expectAccessible(page, 'where to move the selected rooms', '[role=dialog], [role=listbox]')
})

test('the list without rows: nothing yet, no match, could not load', async ({ openAs, troubles }) => {
  const page = await openAs('CLOUD_OPERATOR')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  await expectAccessible(page, 'nothing yet')
  await searchBox(page).fill('nothing')
  await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await expectAccessible(page, 'no match')

  troubles.expect(/^POST \/api\/operator\/get_tenants 403$/)
  await page.route('**/api/operator/get_tenants**', (route) => route.fulfill({ status: 403 }))
  await page.goto(`${listPath}?q=other`)
  await expect(page.getByRole('heading', { name: 'The project rooms could not be loaded' })).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Exported successfully' })).toBeVisible()
  await expectAccessible(page, 'could not load, with a toast')
})

test('the create form of each product, with its messages, selections, calendar and question', async ({
  openAs,
  troubles,
}) => {
  const page = await openAs('CLOUD_OPERATOR', createPath)
  await select(page, 'Edition', 'Advanced')
  await field(page, 'Architect').fill('2')
  await field(page, 'Designer').fill('2')
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Company name')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page, 'ARIS Advanced with messages')

  await chooseProduct(page, 'MINING')
  await select(page, 'Edition', 'Enterprise')
  await page.getByText('Living', { exact: true }).click()
  await expectAccessible(page, 'MINING', 'form')
  await select(page, 'Region', 'region-2')
  // The chosen option, and the one that the keys have come to, have colours of their own.
  await page.getByRole('combobox', { name: 'Region' }).click()
  await expect(page.getByRole('option')).toHaveCount(2)
  for (const state of ['the chosen option', 'another option']) {
    await page.keyboard.press('ArrowDown')
    await expectAccessible(page, `a selection, at ${state}`, '[role=listbox]')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Edition' }).click()
  await expectAccessible(page, 'the open selection of editions', '[role=listbox]')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible()
  await expectAccessible(page, 'the calendar', '[role=dialog]')
  await page.keyboard.press('Escape')

  await chooseProduct(page, 'ENTERPRISE')
  await expectAccessible(page, 'ENTERPRISE', 'form')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'the question about unsaved changes', '[role=dialog]')
  await page.keyboard.press('Escape')

  troubles.expect(/^POST \/api\/operator\/create 500$/)
  await page.route('**/api/operator/create', (route) => route.fulfill({ status: 500 }))
  await chooseProduct(page, 'ARIS')
  await fillInRoom(page, 'goodname')
  await submitCreation(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Create Project Room Failed' })).toBeVisible()
  await expectAccessible(page, 'a failed creation', 'form [role=alert]')
})

test('what runs and what failed: rows, panels, dialogs and pages with steps and log', async ({ openAs, network }) => {
  const [running, failed] = [roomDraft(), roomDraft()]
  const region = firstRegion(network)
  await setFaults(region, failed.tenantName, [{ method: 'GET', rest: '/licences', action: 'status', status: 400 }])
  await network.admin.call('createRoom', { body: failed })
  await network.settle()
  await setFaults(region, running.tenantName, [{ method: 'PUT', action: 'status', times: 1000 }])
  await network.admin.call('createRoom', { body: running })
  await untilRoomIs(network, failed.tenantName, 'ERROR')

  const page = await openAs('CLOUD_OPERATOR')
  await expect(rowOf(page, running.tenantName).getByText('create the room on the region')).toBeVisible()
  await expectAccessible(page, 'list with a running operation')
  await page.getByRole('button', { name: 'Running operations: 1' }).click()
  await page.getByRole('button', { name: 'Show log' }).first().click()
  await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
  await expectAccessible(page, 'running operations', '[role=dialog]')
  await page.keyboard.press('Escape')
  await rowOf(page, failed.tenantName).getByRole('button').first().click()
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Steps' })).toBeVisible()
  await expectAccessible(page, 'error messages with steps and log', '[role=dialog]')

  for (const name of [running.tenantName, failed.tenantName]) {
    await page.goto(`/project/edit_project_room/${name}`)
    await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
    await expectAccessible(page, 'page of a room')
  }
})

const roomsInEveryState: InsertedRoom[] = [
  { name: 'zactive', expirationDate: '2031-01-09' },
  { name: 'zsuspended', state: 'SUSPENDED', salesChannel: 'online-shop' },
  { name: 'zfailed', state: 'ERROR', errorMessage: 'The region refused.' },
  { name: 'zbusy', state: 'IN_PROGRESS' },
  { name: 'zdeleting', state: 'MARKED_FOR_DELETION' },
  { name: 'zregionoff', region: 2 },
]
