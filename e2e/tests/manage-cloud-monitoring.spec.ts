/** Monitoring: running and ended operations with their logs, search, live updates, and the actions on them. */
import { type Network, roomDraft } from '@roomkeeper/dev-env'
import { type Fault, setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { buttonOf, openCloud, processRow } from '../manage-cloud.ts'
import { toast } from '../toasts.ts'

// shows: monitoring-table, page-size-monitoring, dialog-width-80
test('processes are shown with room, region, process and time, found by name and by process, and the log of each', async ({
  openAs,
  network,
}) => {
  const [one, other] = [await network.newRoom({ tenantName: 'oslo' }), await network.newSuspendedRoom()]
  await network.admin.call('backupRoom', { query: { projectRoomName: other, isD2O: false } })
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Monitoring')
  await expect(dialog.getByRole('columnheader')).toHaveText([
    'Project room name',
    'Region',
    'Process',
    'Execution time',
    'Logs',
  ])
  const created = processRow(dialog, one, 'Create PR')
  const cells = created.getByRole('cell')
  await expect(cells).toHaveText(['region-1', 'Create PR', /^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/, 'Logs'])

  const search = dialog.getByRole('searchbox', { name: 'Search' })
  const asked = page.waitForRequest(/monitoring\?.*name_search=BACKUP/)
  await search.fill('BACKUP')
  const query = new URL((await asked).url()).searchParams
  expect(query.get('type_filter')).toBe('1,8,30')
  expect(query.get('size')).toBe('10')
  await expect(dialog.getByRole('rowheader')).toHaveText([other])
  await search.fill('osl')
  await expect(dialog.getByRole('rowheader')).toHaveText([one, one])
  await search.fill('no such thing')
  await expect(dialog.getByRole('heading', { name: 'No background process matches' })).toBeVisible()
  await buttonOf(dialog, 'Reset filter').click()

  await buttonOf(created, 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Logs of Create PR ${one}` })
  expect((await logs.boundingBox())?.width).toBe(0.8 * 1280)
  await expect(logs.getByRole('list', { name: 'Steps' })).toContainText('create the room on the region')
  await expect(logs.getByRole('region', { name: 'Log' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(buttonOf(created, 'Logs')).toBeFocused()
})

// shows: monitoring-undefined
test('a region that is gone is undefined', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  await page.route('**/api/operator/regions', (route) => route.fulfill({ json: [] }))
  const dialog = await openCloud(page, 'Monitoring')
  await expect(processRow(dialog, name, 'Create PR').getByRole('cell').first()).toHaveText('undefined')
})

test('a colleague’s operation appears by itself, its log follows along, and it can be cancelled', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Monitoring')
  await expect(dialog.getByRole('heading', { name: 'No background processes yet' })).toBeVisible()
  await network.planFault('room.create:create-room:after:hold')
  const { tenantName } = await startRoom(network)
  const row = processRow(dialog, tenantName, 'Create PR')
  await expect(row.getByRole('img', { name: 'Running' })).toBeVisible()
  await buttonOf(row, 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Logs of Create PR ${tenantName}` })
  await expect(logs.getByText('Running', { exact: true })).toBeVisible()
  await logs.getByRole('button', { name: /^Cancel operation/ }).click()
  const question = page.getByRole('dialog', { name: `Cancel Create PR of ${tenantName}?` })
  await buttonOf(question, 'Cancel operation').click()
  await expect(question).toBeHidden()
  await expect(logs.getByText('Cancelled', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row.getByRole('img', { name: 'Cancelled' })).toBeVisible()
  // The check had already ended, so it was not cancelled.
  const check = processRow(dialog, tenantName, 'Name already exists')
  await expect(check.getByRole('img', { name: 'Undone', exact: true })).toBeVisible()
  await buttonOf(check, 'Logs').click()
  const logsOfCheck = page.getByRole('dialog', { name: `Logs of Name already exists ${tenantName}` })
  await expect(logsOfCheck.getByText('Undone', { exact: true })).toBeVisible()
})

test('a failed process says why and is run again', async ({ openAs, network }) => {
  const { tenantName } = await startRoom(network, [{ method: 'PUT', action: 'status', status: 400 }])
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Monitoring')
  const row = processRow(dialog, tenantName, 'Create PR')
  await expect(row.getByRole('img', { name: 'Failed' })).toBeVisible()
  await buttonOf(row, 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Logs of Create PR ${tenantName}` })
  await buttonOf(logs, 'Retry').click()
  await expect(
    toast(page, 'Retry', `The operation of ${tenantName} was accepted and runs again from the failed step.`),
  ).toBeVisible()
  await expect(logs.getByText('Done', { exact: true })).toBeVisible()
})

test('what could not be loaded says so, for the table and for a log', async ({ openAs, network, browserErrors }) => {
  const name = await network.newRoom()
  browserErrors.expect(/^GET \/api\/operator\/monitoring(Logs)? 403$/)
  const page = await openAs('CLOUD_OPERATOR')
  const refuse = /\/api\/operator\/monitoring(Logs)?\?/
  await page.route(refuse, (route) => route.fulfill({ status: 403 }))
  const dialog = await openCloud(page, 'Monitoring')
  await expect(dialog.getByRole('heading', { name: 'Failed to load monitoring data' })).toBeVisible()
  await page.unroute(refuse)
  await buttonOf(dialog, 'Try again').click()
  await page.route(refuse, (route) => route.fulfill({ status: 403 }))
  await buttonOf(processRow(dialog, name, 'Create PR'), 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Logs of Create PR ${name}` })
  await expect(logs.getByRole('alert')).toContainText('Failed to load monitoring data')
})

/** @param faults what goes wrong with the room on its region */
async function startRoom(network: Network, faults: Fault[] = []) {
  const body = roomDraft()
  await setFaults(network, body.tenantName, faults)
  await network.admin.call('createRoom', { body })
  return body
}
