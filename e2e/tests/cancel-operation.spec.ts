/** Cancelling running operations and retrying failed ones: who may, what is asked, and what comes of it. */
import { roomDraft } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { untilRoomIs } from '../region-room.ts'
import { listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

/** The region refuses for a while, so that the creation keeps retrying its second step. */
const stuck = { method: 'PUT', action: 'status', status: 503, times: 1000 } as const

test('sales cancel a creation from its page, and the room is removed', async ({ openAs, network, browserErrors }) => {
  const body = roomDraft()
  const name = body.tenantName
  await setFaults(network, name, [stuck])
  await network.admin.call('createRoom', { body })
  const page = await openAs('CLOUD_SALES', `/project/edit_project_room/${name}`)
  await page.getByRole('button', { name: `Cancel operation Create PR ${name}` }).click()
  const question = page.getByRole('dialog', { name: `Cancel Create PR of ${name}?` })
  const consequence = `What has been made so far is removed, and the project room ${name} with it.`
  await expect(question.getByText(consequence)).toBeVisible()
  await question.getByRole('button', { name: 'Let it run' }).click()
  await expect(question).toBeHidden()

  browserErrors.expect(/^GET \/api\/operator\/room\S* 404$/)
  browserErrors.expect(/^GET \/api\/operator\/monitoringLogs 404$/)
  await page.getByRole('button', { name: `Cancel operation Create PR ${name}` }).click()
  await question.getByRole('button', { name: 'Cancel operation' }).click()
  await expect(toast(page, 'Cancel operation', `The cancellation for ${name} was accepted.`)).toBeVisible()
  await network.setRegionFaults([])
  await network.settle()
  await page.goto(listPath)
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
})

// shows: states-cancel-delete
test('sales see how a deletion is going, but neither its log nor a cancel; once begun nobody cancels it', async ({
  openAs,
  network,
}) => {
  const body = roomDraft()
  const name = body.tenantName
  await network.admin.call('createRoom', { body })
  await network.settle()
  await setFaults(network, name, [{ method: 'GET', action: 'status', status: 503, times: 1000 }])
  await network.admin.call('deleteRoom', { body: { roomName: name, withoutBackup: true } })
  for (const [role, logs] of [
    ['CLOUD_SALES', 0],
    ['CLOUD_OPERATOR', 1],
  ] as const) {
    const page = await openAs(role)
    await page.getByRole('button', { name: 'Running operations: 1' }).click()
    const card = page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: `Delete PR${name}` })
    await expect(card.getByText('delete the room on the region')).toBeVisible()
    await expect(card.getByRole('button', { name: 'Show log' })).toHaveCount(logs)
    await expect(card.getByRole('button', { name: /^Cancel operation/ })).toHaveCount(0)
  }
  await network.setRegionFaults([])
  await network.settle()
})

test('a cancel that comes too late says so in the dialog', async ({ openAs, network, browserErrors }) => {
  const body = roomDraft()
  const name = body.tenantName
  await setFaults(network, name, [stuck])
  await network.admin.call('createRoom', { body })
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: 'Running operations: 1' }).click()
  await page.getByRole('button', { name: `Cancel operation Create PR ${name}` }).click()
  browserErrors.expect(/^POST \/api\/operator\/monitoring\/[\w-]+\/cancel 409$/)
  await page.route('**/cancel', (route) => route.fulfill({ status: 409, json: problem('operation-not-cancellable') }))
  await page
    .getByRole('dialog', { name: /^Cancel/ })
    .getByRole('button', { name: 'Cancel operation' })
    .click()
  const refusal = page.getByRole('alert').filter({ hasText: 'The operation could not be cancelled' })
  await expect(refusal.getByText('The words of the server.')).toBeVisible()
  await network.setRegionFaults([])
  await network.settle()
})

test('an operation whose upload is gone says Please start again, and is not offered again', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const body = roomDraft()
  const refusedOnce = { method: 'GET', rest: '/licences', action: 'status', status: 400 } as const
  await setFaults(network, body.tenantName, [refusedOnce])
  await network.admin.call('createRoom', { body })
  await network.settle()
  await untilRoomIs(network, body.tenantName, 'ERROR')
  const page = await openAs('CLOUD_OPERATOR')
  await rowOf(page, body.tenantName)
    .getByRole('button', { name: /^Show error messages/ })
    .click()
  const dialog = page.getByRole('dialog')
  browserErrors.expect(/^POST \/api\/operator\/monitoring\/[\w-]+\/retry 409$/)
  await page.route('**/retry', (route) =>
    route.fulfill({ status: 409, json: { ...problem('start-again'), detail: 'Please start again' } }),
  )
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog.getByRole('alert').getByText('Please start again')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeDisabled()
  await expectAccessible(page, 'a refused retry', '[role=dialog]')
})

test('the steps are named in German', async ({ openAs, network, context }) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [stuck])
  await network.admin.call('createRoom', { body })
  await context.addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  const page = await openAs('CLOUD_OPERATOR')
  await expect(rowOf(page, body.tenantName).getByText('Raum in der Region anlegen')).toBeVisible()
  await network.setRegionFaults([])
  await network.settle()
})

function problem(code: string) {
  const [title, instance] = ['Cannot be cancelled', '/api/operator/monitoring']
  return { type: `urn:roomkeeper:${code}`, title, status: 409, detail: 'The words of the server.', instance }
}
