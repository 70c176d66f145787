/** A room whose creation failed: why it failed, and what can be done about it. */
import { roomDraft } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { isOnDisk } from '../region-room.ts'
import { rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

const refusedOnce = { method: 'GET', rest: '/licences', action: 'status', status: 400 } as const

test('a failed creation tells its reason, its step and its log, and a retry makes it Active', async ({
  openAs,
  network,
}) => {
  const body = roomDraft()
  const page = await openAs('CLOUD_SALES')
  await setFaults(network, body.tenantName, [refusedOnce])
  await network.admin.call('createRoom', { body })
  const row = rowOf(page, body.tenantName)
  await expect(row.getByText('Error', { exact: true })).toBeVisible()

  await row.getByRole('button', { name: `Show error messages of ${body.tenantName}` }).click()
  const dialog = page.getByRole('dialog', { name: `Error messages for project room: ${body.tenantName}` })
  const room = (await network.admin.call('room', { query: { projectRoom: body.tenantName } })).body
  expect(room.errorMessage).toMatch(/\w{5}/)
  await expect(dialog.getByText(room.errorMessage ?? '', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Failed step: check the room on the region')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toContainText([
    'done',
    'done',
    'failed',
    'open',
  ])
  await expect(
    dialog.getByRole('region', { name: 'Log' }).getByText(/^create the room on the region: created/),
  ).toBeVisible()

  await dialog.getByRole('button', { name: 'Retry' }).click()
  const accepted = `The operation of ${body.tenantName} was accepted and runs again from the failed step.`
  await expect(toast(page, 'Retry', accepted)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  expect(isOnDisk(network, body.tenantName)).toBe(true)
})

test('a retry that is refused says so in the dialog and stays there', async ({ openAs, network, browserErrors }) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [refusedOnce])
  await network.admin.call('createRoom', { body })
  await network.settle()
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await rowOf(page, body.tenantName)
    .getByRole('button', { name: `Show error messages of ${body.tenantName}` })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeVisible()
  // Meanwhile another operator has retried it.
  const room = (await network.admin.call('room', { query: { projectRoom: body.tenantName } })).body
  await network.admin.call('retryOperation', { params: { id: room.failedOperationId ?? '' } })
  await network.settle()

  browserErrors.expect(/^POST \/api\/operator\/monitoring\/[\w-]+\/retry 409$/)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  const refusal = dialog.getByRole('alert').filter({ hasText: 'The operation could not be started again' })
  await expect(refusal.getByText('Only a failed operation can be retried.')).toBeVisible()
})

// shows: bulk-retry
test('a retry of several says which operations go on, deletions above all', async ({ openAs, network }) => {
  const [created, deleted] = [roomDraft(), await network.newRoom()]
  await setFaults(network, created.tenantName, [refusedOnce])
  await network.planFault('room.delete:delete-room:before:fail')
  await network.admin.call('createRoom', { body: created })
  await network.admin.call('deleteRoom', { body: { roomName: deleted, withoutBackup: true } })
  await network.settle()
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/administration?status=ERROR')
  for (const name of [created.tenantName, deleted]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Retry …' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/^1 × (Create PR|Delete PR) · 1 × (Create PR|Delete PR)$/)).toBeVisible()
  await expect(dialog.getByText('The deletion of 1 of them continues.')).toBeVisible()
  await expectAccessible(page, 'a retry that deletes', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Retry 2 project rooms' }).click()
  await expect(dialog.getByText('2 of 2 went well')).toBeVisible({ timeout: 60_000 })
})
