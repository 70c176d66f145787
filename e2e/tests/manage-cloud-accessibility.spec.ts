/** axe finds nothing in any tab or dialog of the Manage Cloud dialog, in light and dark. */
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import {
  addMigration,
  buttonOf,
  inputOf,
  openCloud,
  openSession,
  openTab,
  optionsOf,
  processRow,
  rowNamed,
} from '../manage-cloud.ts'
import { closeToasts } from '../toasts.ts'

const dialogs = '[role=dialog]'

test('the settings, the regions and their dialogs', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Configuration')
  await dialog.getByLabel('Video identifier').fill('no/video')
  await expectAccessible(page, 'configuration')
  await dialog.getByLabel('Video identifier').fill('')
  await openTab(dialog, 'Regions')
  await dialog.getByLabel('Select region-1').check()
  await expectAccessible(page, 'regions', dialogs)
  await buttonOf(dialog, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Edit region region-1' })
  await form.getByLabel('Source regions').click()
  await expect(optionsOf(page)).toHaveCount(1)
  await expectAccessible(page, 'an open selection', '[role=listbox]')
  await optionsOf(page).click()
  await page.keyboard.press('Escape')
  await buttonOf(form, 'Test Connection').click()
  await expect(form.getByRole('status')).toBeVisible()
  await expectAccessible(page, 'a region that was tested', dialogs)
  await inputOf(form, 'User name').fill('')
  await inputOf(form, 'Maximum number of tenants').fill('-7')
  await expectAccessible(page, 'a region with what is wrong', dialogs)
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'unsaved changes', dialogs)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  for (const [button, title] of [
    ['Delete', 'Delete Region'],
    ['Update system db', 'Update system db'],
  ] as const) {
    await buttonOf(dialog, button).click()
    // Until it is open, the dialog below would be looked at, and Escape would close that one.
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await expectAccessible(page, button, dialogs)
    await page.keyboard.press('Escape')
  }
  await buttonOf(dialog, 'Disable').click()
  await expect(rowNamed(dialog, 'region-1')).toContainText('Disabled')
  await closeToasts(page)
  await expectAccessible(page, 'a disabled region', dialogs)
})

test('live migrations and their dialogs', async ({ openAs, network }) => {
  const [moved, left] = [await network.newRoom(), await network.newRoom()]
  await openSession(network, left)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await expectAccessible(page, 'no live migrations', dialogs)
  await addMigration(network)
  await expect(rowNamed(dialog, 'region-1')).toBeVisible()
  await buttonOf(dialog, 'New').click()
  await buttonOf(page.getByRole('dialog').last(), 'Save').click()
  await expectAccessible(page, 'a configuration that is incomplete', dialogs)
  await page.getByRole('combobox', { name: 'Source region' }).click()
  await page.keyboard.press('ArrowDown')
  await expectAccessible(page, 'a selection of regions', '[role=listbox]')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await buttonOf(dialog, 'Reset priority').click()
  // Loaded on demand: until then the dialog below would be looked at, and Escape would close nothing.
  await expect(page.getByRole('dialog', { name: 'Reset priority' })).toBeVisible()
  await expectAccessible(page, 'reset priority', dialogs)
  await page.keyboard.press('Escape')
  await buttonOf(dialog, 'Start').click()
  await page.getByRole('button', { name: 'Select project rooms' }).click()
  // The list of rooms behind the dialogs has boxes of the same names.
  const picker = page.getByRole('dialog').last()
  await picker.getByLabel(`Select ${moved}`).check()
  await picker.getByLabel(`Select ${left}`).check()
  await expectAccessible(page, 'rooms to pick', dialogs)
  await page.getByRole('button', { name: 'Done' }).click()
  await buttonOf(page.getByRole('dialog', { name: 'Start live migration' }), 'Start').click()
  await expect(page.getByText('Will be postponed')).toBeVisible()
  await expectAccessible(page, 'what will happen', dialogs)
})

test('a live migration that has ended, its state entries, their logs, and force delete', async ({
  openAs,
  network,
}) => {
  const [moved, left] = [await network.newRoom(), await network.newRoom()]
  await openSession(network, left)
  const id = await addMigration(network)
  const body = { liveMigrationData: { id }, selectedRooms: [moved, left] }
  await network.admin.call('startLiveMigration', { body })
  await network.settle()
  await network.database.rows(`update live_migration_states set outcome = 'failed' where outcome = 'postponed'`)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await expect(rowNamed(dialog, 'region-1')).toContainText('Partially completed')
  await expectAccessible(page, 'live migrations', dialogs)
  await buttonOf(dialog, 'State').click()
  await expect(rowNamed(page.getByRole('dialog').last(), moved)).toBeVisible()
  await expectAccessible(page, 'state entries', dialogs)
  await buttonOf(rowNamed(page.getByRole('dialog').last(), left), 'Logs').click()
  await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
  await expectAccessible(page, 'logs of a state entry', dialogs)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Force delete failed project rooms' }).click()
  await page.getByRole('dialog').last().getByLabel(`Select ${left}`).check()
  await page.getByRole('button', { name: 'Force delete', exact: true }).click()
  await expect(page.getByLabel('Type region-2 to confirm')).toBeVisible()
  await expectAccessible(page, 'force delete', dialogs)
})

test('the monitoring and a log', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Monitoring')
  const row = processRow(dialog, name, 'Create PR')
  await expect(row).toBeVisible()
  await expectAccessible(page, 'monitoring', dialogs)
  await buttonOf(row, 'Logs').click()
  await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
  await expectAccessible(page, 'logs', dialogs)
  await page.keyboard.press('Escape')
  await dialog.getByRole('searchbox').fill('nothing')
  await expect(dialog.getByRole('heading', { name: 'No background process matches' })).toBeVisible()
  await expectAccessible(page, 'no match', dialogs)
})
