/** axe finds nothing on the edit screen, its tabs and its dialogs, in light and dark. */
import { expectAccessible } from '../accessibility.ts'
import { field } from '../create-form.ts'
import { button, createActiveRoom, createSuspendedRoom, editPath, submitChanges } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { firstRegion } from '../region-room.ts'

const arisAdvanced = { edition: 'advanced', licenses: { YAAD: 1, YAAA: 2 } } as const

test('the form: as it is, with messages, with a conflict, with a failure', async ({ openAs, network, troubles }) => {
  const name = await createActiveRoom(network, arisAdvanced)
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await expect(page.getByText('1 used')).toBeVisible()
  await expectAccessible(page, 'the edit screen')
  await field(page, 'Company name').fill('')
  await page.keyboard.press('Control+Enter')
  await expect(field(page, 'Company name')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page, 'the form with messages', 'form')

  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  await network.admin.call('editRoom', { body: { ...room, sapNumberLast: `SAP ${name}`, companyName: 'Theirs' } })
  await page.getByRole('button', { name: 'Keep mine on the new version' }).waitFor()
  await expectAccessible(page, 'a conflict', 'form [role=alert]')
  await page.getByRole('button', { name: 'Take over the stored values' }).click()

  troubles.expect(/^POST \/api\/operator\/edit 500$/)
  await page.route('**/api/operator/edit', (route) => route.fulfill({ status: 500 }))
  await field(page, 'Company name').fill('Mine')
  await submitChanges(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Error while edit project room' })).toBeVisible()
  await expectAccessible(page, 'a failed edit', 'form [role=alert]')
})

test('a suspended room, its tabs and dialogs', async ({ openAs, network }) => {
  const name = await createSuspendedRoom(network)
  await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await expect(page.getByRole('note')).toBeVisible()
  await expectAccessible(page, 'a suspended room')
  await button(page, 'Resume').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'resume', '[role=dialog]')
  await button(page, 'No').click()

  await page.getByRole('tab', { name: 'Backups' }).click()
  await expect(page.getByText('Classic')).toBeVisible()
  await expectAccessible(page, 'backups')
  await page.getByRole('button', { name: /^Delete the backup/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'delete a backup', '[role=dialog]')
  await page.keyboard.press('Escape')

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Show log' }).first().click()
  await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
  await expectAccessible(page, 'history')
})

test('the databases and the dialogs of an active room', async ({ openAs, network, troubles }) => {
  const name = await createActiveRoom(network)
  const fault = { method: 'POST', rest: '/suspend', action: 'status', status: 400 } as const
  await setFaults(firstRegion(network), name, [fault])
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'databases'))
  await expect(page.getByRole('rowheader', { name: 'main' })).toBeVisible()
  await expectAccessible(page, 'databases')
  await button(page, 'Import Database').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'import a database', '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete main' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'delete a database', '[role=dialog]')
  await page.keyboard.press('Escape')

  troubles.expect(/^POST \/api\/operator\/suspend 50\d$/)
  await button(page, 'Suspend').click()
  await button(page, 'Yes').click()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'a failed suspension', '[role=dialog]')
  await button(page, 'No').click()
  await page.getByRole('button', { name: 'Show details' }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
  await expectAccessible(page, 'the last failure')
})
