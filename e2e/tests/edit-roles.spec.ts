/** Who can change what on the edit screen in which state, and what a disabled field or button says. */
import type { Locator, Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import { field } from '../create-form.ts'
import {
  button,
  createActiveRoom,
  createSuspendedRoom,
  editPath,
  expectState,
  expectWhyNot,
  submitChanges,
} from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, regionKnowsNothing } from '../insert-rooms.ts'

const notAllowed = 'Your role does not allow this.'
const isSuspended = 'This project room is suspended.'
const isOnlineShop = 'This is not possible for Online Shop project rooms.'
/** The fields of an ARIS Basic room that can be changed. */
const changeable = [
  'Expiration date',
  'Viewer',
  'Designer',
  'Owner e-mail',
  'Customer contact first name',
  'Customer contact last name',
  'Company name',
  'Contact details',
  'New SAP contract number',
  'Sales contact',
  'Sales contact e-mail',
]
const onlyAdministrators = 'Only administrators can do this for Online Shop project rooms.'

// shows: edit-support
test('support reads an active room: everything is disabled and says why', async ({ openAs, network }) => {
  const name = await createActiveRoom(network)
  const page = await openAs('CLOUD_SUPPORT', editPath(name))
  await expectFixed(page, notAllowed)
  await expectButtons(page, ['Import Database', 'Suspend'])
  await expectWhyNot(page, 'Import Database', notAllowed)
  await expectWhyNot(page, 'Suspend', notAllowed)
  await expectTabs(page, ['Settings', 'History'])
})

// shows: who-sales
test('sales change, suspend and resume a room, and leave its databases alone', async ({ openAs, network }) => {
  const name = await createActiveRoom(network)
  const page = await openAs('CLOUD_SALES', editPath(name))
  await expect(field(page, 'Company name')).toBeEnabled()
  await expectButtons(page, ['Import Database', 'Suspend'])
  await expectWhyNot(page, 'Import Database', notAllowed)
  await expect(button(page, 'Suspend')).toBeEnabled()
  await expectTabs(page, ['Settings', 'History'])

  const suspended = await createSuspendedRoom(network)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(editPath(suspended, 'databases'))
  await expectState(page, 'Suspended')
  await expectFixed(page, isSuspended)
  await expectButtons(page, ['Resume', 'Backup', 'Backup D2O', 'Restore'])
  await expect(button(page, 'Resume')).toBeEnabled()
  for (const each of ['Backup', 'Backup D2O', 'Restore']) await expectWhyNot(page, each, notAllowed)
  expect(asked.filter((url) => /room\/(database|backups)/.test(url))).toEqual([])
})

for (const role of ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const satisfies readonly Role[]) {
  // shows: edit-buttons
  test(`${role} can do everything that the state allows`, async ({ openAs, network }) => {
    const [active, suspended] = [await createActiveRoom(network), await createSuspendedRoom(network)]
    const page = await openAs(role, editPath(active))
    await expect(field(page, 'Company name')).toBeEnabled()
    await expectTabs(page, ['Settings', 'Databases', 'Backups', 'History'])
    for (const name of ['Import Database', 'Suspend']) await expect(button(page, name)).toBeEnabled()

    await page.goto(editPath(suspended))
    await expectFixed(page, isSuspended)
    for (const name of ['Resume', 'Backup', 'Backup D2O', 'Restore']) await expect(button(page, name)).toBeEnabled()
    // The buttons are shown on every tab.
    await page.getByRole('tab', { name: 'History' }).click()
    await expectButtons(page, ['Resume', 'Backup', 'Backup D2O', 'Restore'])
    await button(page, 'Restore').click()
    await expect(page).toHaveURL(`/project/restore_project_room/${suspended}`)
    await expect(page.getByRole('heading', { name: `Restore project room ${suspended}` })).toBeVisible()
    await button(page, 'Back').click()
    await expect(page).toHaveURL(editPath(suspended))
  })
}

// shows: edit-online-shop
test('an Online Shop room is changed by nobody, and suspended by administrators only', async ({
  openAs,
  network,
  troubles,
}) => {
  troubles.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'shop', salesChannel: 'online-shop' }])
  const page = await openAs('CLOUD_OPERATOR', editPath('shop'))
  await expect(field(page, 'Sales channel')).toHaveValue('Online Shop')
  await expectFixed(page, isOnlineShop)
  await expect(button(page, 'Suspend')).toBeEnabled()
})

test('sales can neither change nor suspend an Online Shop room', async ({ openAs, network, troubles }) => {
  troubles.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'shop', salesChannel: 'online-shop' }])
  const page = await openAs('CLOUD_SALES', editPath('shop'))
  await expectFixed(page, isOnlineShop)
  await expectWhyNot(page, 'Suspend', onlyAdministrators)
})

// shows: edit-state
test('a room in error, being worked on or in a disabled region can be read, and has no buttons', async ({
  openAs,
  network,
}) => {
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  await insertRooms(network, [
    { name: 'failed', state: 'ERROR', errorMessage: 'The disk is full.' },
    { name: 'busy', state: 'IN_PROGRESS' },
    { name: 'regionoff', region: 2 },
  ])
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath('failed'))
  await expectFixed(page, 'This project room is in error.')
  await expect(page.getByRole('region', { name: 'Error' }).getByText('The disk is full.')).toBeVisible()
  await expectButtons(page, [])
  await page.goto(editPath('busy'))
  await expectFixed(page, 'An operation is running for this project room.')
  await expectButtons(page, [])
  await page.goto(editPath('regionoff'))
  await expectFixed(page, 'The region of this project room is disabled.')
  await expectState(page, 'Disabled region')
})

async function expectFixed(page: Page, why: string): Promise<void> {
  await expect(page.getByRole('note')).toHaveText(`Nothing can be changed here now. ${why}`)
  for (const label of changeable) await expect(field(page, label)).toBeDisabled()
  // No other field accepts input either.
  const inputs = page.locator('form input:not([readonly]), form textarea:not([readonly])')
  expect(await inputs.count()).toBeGreaterThanOrEqual(changeable.length)
  await expect(inputs.and(page.locator(':enabled'))).toHaveCount(0)
  await expect(button(page, 'Open the calendar')).toBeDisabled()
  await expect(submitChanges(page)).toBeDisabled()
  await submitChanges(page).hover({ force: true })
  await expect(page.getByRole('tooltip', { name: why })).toBeVisible()
  await page.mouse.move(0, 0)
}

async function expectButtons(page: Page, names: readonly string[]): Promise<void> {
  const all = ['Import Database', 'Suspend', 'Resume', 'Backup', 'Backup D2O', 'Restore']
  for (const name of all) await expect(button(page, name)).toHaveCount(names.includes(name) ? 1 : 0)
}

async function expectTabs(page: Page, names: readonly string[]): Promise<void> {
  const tabs: Locator = page.getByRole('tab')
  await expect(tabs).toHaveText([...names])
}
