/** Backups of a suspended room: made, listed, downloaded, deleted. */
import { createHash } from 'node:crypto'
import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from '../accessibility.ts'
import { button, editPath, expectState } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { makeBackup } from '../room-backups.ts'
import { toast } from '../toasts.ts'

test('a backup is listed with its digest, verified, downloaded as it was made, and deleted', async ({
  openAs,
  network,
  context,
}) => {
  const name = await network.newSuspendedRoom()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'backups'))
  await expect(page.getByText('There are no backups yet.')).toBeVisible()
  await button(page, 'Backup').click()
  await expect(toast(page, 'Backup', `The backup of ${name} was accepted and is running.`)).toBeVisible()
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1)
  await expect(row.getByText('Read back')).toBeVisible()
  await expect(row.getByText('Classic')).toBeVisible()
  await expectState(page, 'Suspended')

  const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: name } })).body
  const sha256 = backup?.sha256 ?? ''
  await row.getByRole('button', { name: `Copy SHA-256 ${sha256}` }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sha256)

  await page.evaluate(`addEventListener('beforeunload', () => document.body.setAttribute('data-asked', ''))`)
  const download = async () => {
    const downloaded = page.waitForEvent('download')
    await row.getByRole('button', { name: /^Download the backup of/ }).click()
    return downloaded
  }
  const content = await readFile(await (await download()).path())
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  await expect(row.getByRole('button', { name: /^Download the backup of/ })).toBeEnabled()
  // A link that is refused is a failed download, and does not take the page's place.
  await page.route('**/api/operator/room/backups/*/ticket', (route) =>
    route.fulfill({ json: { url: `/api/operator/download/${'A'.repeat(43)}` } }),
  )
  expect(await (await download()).failure()).not.toBeNull()
  await expect(row.getByText('Read back')).toBeVisible()
  await expect(page.locator('body'), 'nobody is asked about unsaved changes').not.toHaveAttribute('data-asked')

  await row.getByRole('button', { name: /^Delete the backup of/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Delete backup of/ })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete backup' }).click()
  await expect(page.getByText('There are no backups yet.')).toBeVisible()
})

// shows: verify-restored, verify-alarm
test('a backup is restored in a test, and one that was altered since is shown as bad', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  await makeBackup(network, name)
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'backups'))
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1)
  await expect(row.getByText('Read back')).toBeVisible()
  const verify = row.getByRole('button', { name: /^Restore the backup of .* in a test$/ })
  await verify.click()
  await expect(
    page.getByRole('alert').getByText(/ was restored in a test\. The table shows the result\.$/),
  ).toBeVisible()
  await expect(row.getByText('Restored in a test')).toBeVisible()
  await expectState(page, 'Suspended')

  const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: name } })).body
  await truncate(join(network.dir, 'server', 'backups', backup?.location ?? ''), 100)
  await verify.click()
  await expect(row.getByText('Missing or altered')).toBeVisible()
  await expectAccessible(page, 'a bad backup')
})

test('a backup that began and ended between two looks at the room is listed', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'backups'))
  await expect(page.getByText('There are no backups yet.')).toBeVisible()
  await setFaults(network, name, [{ method: 'GET', action: 'delay', milliseconds: 2000 }])
  // The console learns nothing about the room until the operation has ended.
  await page.route('**/api/operator/room?*', async (route) => {
    await network.settle()
    await route.continue()
  })
  const asked = page.waitForResponse('**/api/operator/room/backups?*')
  await button(page, 'Backup').click()
  expect(await (await asked).json()).toEqual([])
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('row').nth(1)
  await expect(row.getByText('Read back')).toBeVisible()
})

test('without an object store a D2O backup is refused in the server’s words', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newSuspendedRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  browserErrors.expect(/^POST \/api\/operator\/backup 409$/)
  await button(page, 'Backup D2O').click()
  const text = 'No object store is configured: please set OBJECT_STORE_URI.'
  await expect(toast(page, 'Error while BackUp project room', text)).toBeVisible()
  await expectState(page, 'Suspended')
})
