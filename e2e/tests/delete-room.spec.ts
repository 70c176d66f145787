/** Deleting a room. */
import { roomDraft } from '@roomkeeper/dev-env'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { firstRegion, isOnDisk } from '../region-room.ts'
import { rowOf, shownRooms } from '../room-list.ts'
import { toast } from '../toasts.ts'

// shows: C-deleteRoom, delete-dialog
test('a room is deleted after a confirmation: it is marked, disappears by itself and is gone from its region', async ({
  openAs,
  network,
}) => {
  const body = roomDraft()
  const name = body.tenantName
  await network.admin.call('createRoom', { body })
  await network.settle()
  expect(isOnDisk(network, name)).toBe(true)
  const page = await openAs('CLOUD_OPERATOR')
  const row = rowOf(page, name)
  const remove = row.getByRole('button', { name: `Delete ${name}` })
  const dialog = page.getByRole('dialog', { name: 'Delete Tenant' })

  await remove.click()
  await expect(
    dialog.getByText(`Are you sure you want to delete this project room: ${name}?`, { exact: true }),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await remove.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(row.getByText('Active', { exact: true })).toBeVisible()

  await setFaults(network, name, [{ method: 'GET', action: 'status', status: 503, times: 3 }])
  await remove.click()
  await dialog.getByRole('button', { name: 'Delete project room' }).click()
  await expect(toast(page, 'Delete project room', `The deletion of ${name} was accepted and is running.`)).toBeVisible()
  await expect(row.getByText('On deleting', { exact: true })).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  expect(await firstRegion(network).client.room(name)).toBeNull()
  expect(isOnDisk(network, name)).toBe(false)
})

test('a refused deletion says why in the dialog and stays open', async ({ openAs, network, browserErrors }) => {
  await insertRooms(network, [{ name: 'room' }])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await rowOf(page, 'room').getByRole('button', { name: 'Delete room' }).click()
  // Meanwhile another operator disables the region.
  await network.database.rows(`update regions set state = 'disabled'`)
  browserErrors.expect(/^POST \/api\/operator\/delete 409$/)
  const dialog = page.getByRole('dialog', { name: 'Delete Tenant' })
  await dialog.getByRole('button', { name: 'Delete project room' }).click()
  const refusal = dialog.getByRole('alert').filter({ hasText: 'Error while starting delete project room process' })
  await expect(refusal.getByText('The region of this project room is disabled.')).toBeVisible()
  expect(await shownRooms(page)).toEqual(['room'])
})
