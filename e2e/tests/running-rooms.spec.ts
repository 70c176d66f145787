/** What the console shows while operations run: progress in the row, the running check, the running operations. */
import { roomDraft } from '@roomkeeper/dev-env'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { rowOf, shownRooms } from '../room-list.ts'
import { toast } from '../toasts.ts'

/** The region refuses for a while, so that the creation keeps retrying its second step. */
const stuck = { method: 'PUT', action: 'status', status: 503, times: 1000 } as const

test('a colleague’s creation appears, shows its step and progress in its row, and becomes Active by itself', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_SALES')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create the first one' })).toBeVisible()
  const body = roomDraft()
  const row = rowOf(page, body.tenantName)
  await setFaults(network, body.tenantName, [stuck])
  await network.admin.call('createRoom', { body })
  await expect(row.getByText('In progress', { exact: true })).toBeVisible()
  await expect(row.getByText('create the room on the region')).toBeVisible()
  const progress = row.getByRole('progressbar', { name: `Create PR ${body.tenantName}` })
  await expect(progress).toHaveAttribute('aria-valuenow', '25')

  await network.setRegionFaults([])
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  await expect(progress).toHaveCount(0)
  await expect(row.getByRole('button', { name: `Edit ${body.tenantName}` })).toBeVisible()
})

// shows: C-runningOperations, folded-tries
test('the running operations are counted and shown with their progress and log', async ({ openAs, network }) => {
  const sales = await network.as('CLOUD_SALES')
  const [own, other] = [roomDraft(), roomDraft()]
  await setFaults(network, '', [stuck])
  await sales.call('createRoom', { body: own })
  await network.admin.call('createRoom', { body: other })

  const page = await openAs('CLOUD_SALES')
  await page.getByRole('button', { name: 'Running operations: 2' }).click()
  const panel = page.getByRole('dialog', { name: 'Running operations' })
  await expect(panel.getByRole('heading', { name: 'Yours (1)' })).toBeVisible()
  await expect(panel.getByRole('heading', { name: 'Of colleagues (1)' })).toBeVisible()
  const card = panel.getByRole('listitem').filter({ hasText: own.tenantName })
  await expect(card.getByText('Create PR')).toBeVisible()
  await expect(card.getByText('create the room on the region')).toBeVisible()
  await card.getByRole('button', { name: 'Show log' }).click()
  await expect(card.getByRole('list', { name: 'Steps' }).getByRole('listitem')).toHaveText([
    /^check the name on the region.*done.*\d\.\d s$/,
    /^create the room on the region.*running/,
    /^check the room on the region.*open/,
    /^tell owner and delegate.*open/,
  ])
  const log = card.getByRole('region', { name: 'Log' })
  await expect(log.getByText(/^\d+ tries, \d\d:\d\d–\d\d:\d\d: /).first()).toBeVisible()

  await network.setRegionFaults([])
  await expect(panel.getByText('Nothing is running right now.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Running operations: 0' })).toBeVisible()
})

// shows: list-info
test('the running check tells that an operation is still running', async ({ openAs, network, browserErrors }) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [stuck])
  await network.admin.call('createRoom', { body })
  const page = await openAs('CLOUD_SUPPORT')
  const check = rowOf(page, body.tenantName).getByRole('button', {
    name: `Check whether the operation of ${body.tenantName} is still running`,
  })
  await check.click()
  await expect(toast(page, `Project room ${body.tenantName}`, 'Operation is still running')).toBeVisible()

  browserErrors.expect(/^GET \/api\/operator\/isRunning\/\w+ net::ERR_CONNECTION_FAILED$/)
  await page.route('**/api/operator/isRunning/**', (route) => route.abort('connectionfailed'))
  await check.click()
  await expect(
    toast(page, `Project room ${body.tenantName}`, 'Failed to check if operation is still running'),
  ).toBeVisible()
})

// shows: list-error-dialog, state-lost-operation
test('the running check of a room whose operation is lost reloads the list, and the room is in error', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'lost', state: 'IN_PROGRESS' }, { name: 'other' }])
  const page = await openAs('CLOUD_SUPPORT')
  await rowOf(page, 'lost').getByRole('button').click()
  const warning = 'not more running. Will reload data and if needed change to error state.'
  await expect(toast(page, 'Project room lost', warning)).toBeVisible()
  await expect(rowOf(page, 'lost').getByText('Error', { exact: true })).toBeVisible()
  expect(await shownRooms(page)).toEqual(['other', 'lost'])
  await rowOf(page, 'lost').getByRole('button', { name: 'Show error messages of lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Error messages for project room: lost' })
  await expect(dialog.getByText('An operation was interrupted.')).toBeVisible()
})

test('the page of a room shows its creation while it runs and turns into the finished room', async ({
  openAs,
  network,
}) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [{ method: 'PUT', action: 'status', status: 503, times: 1000 }])
  await network.admin.call('createRoom', { body })
  const page = await openAs('CLOUD_SALES', `/project/edit_project_room/${body.tenantName}`)
  const running = page.getByRole('region', { name: 'Create PR: create the room on the region' })
  await expect(running.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  // Why it does not get on.
  await expect(running.getByText(/Failing since \d\d:\d\d: .*A test asked for this failure\./)).toBeVisible()
  await expect(running.getByText(/Gives up at \d\d:\d\d\./)).toBeVisible()
  await network.setRegionFaults([])
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(running).toHaveCount(0)
})

test('what was accepted ends in the same toast; the panel, above any dialog, keeps what ended, failures first', async ({
  openAs,
  network,
  context,
}) => {
  const good = await network.newRoom()
  const body = roomDraft()
  const bad = body.tenantName
  const refused = { method: 'GET', rest: '/licences', action: 'status', status: 400, times: 2 } as const
  await setFaults(network, bad, [refused])
  await network.admin.call('createRoom', { body })
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR')
  const other = await context.newPage()
  await other.goto('/project/administration')
  await expect(rowOf(other, good)).toBeVisible()
  await page.bringToFront()
  const toasts = page.getByRole('alert')
  await rowOf(page, bad)
    .getByRole('button', { name: `Show error messages of ${bad}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
  await expect(toasts).toHaveText(new RegExp(`The operation of ${bad} was accepted`))
  await expect(toasts).toHaveText(new RegExp(`${bad}: Create PR failed\\. .*Open ${bad}`))
  await rowOf(page, good)
    .getByRole('button', { name: `Delete ${good}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete project room' }).click()
  const deleted = toasts.filter({ hasText: 'Delete project room' })
  await expect(deleted).toContainText(`The deletion of ${good} was accepted and is running.`)
  await expect(deleted).toContainText(`${good} is deleted.`)
  // It stays long enough for the link in it to be reached.
  await expect(toasts).toHaveCount(1, { timeout: 40_000 })
  await expect(toasts).toContainText('failed.')
  await expect(other.getByRole('alert')).toHaveCount(0)

  const running = roomDraft()
  await setFaults(network, running.tenantName, [stuck])
  await network.admin.call('createRoom', { body: running })
  await page.getByRole('button', { name: 'Customer management' }).click()
  const below = page.getByRole('dialog', { name: 'Customer management' })
  await page.getByRole('button', { name: 'Show operations, 1 running' }).click()
  const panel = page.getByRole('dialog', { name: 'Running operations' })
  const finished = panel.getByRole('region', { name: 'Recently finished' }).getByRole('listitem')
  await expect(finished.first()).toContainText(`Create PR${bad}Failed`)
  await expect(finished.filter({ hasText: good }).first()).toContainText(`Delete PR${good}Done`)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(below).toBeVisible()
  await page.keyboard.press('Control+.')
  await expect(panel).toBeVisible()
  await network.setRegionFaults([])
  await expect(finished.filter({ hasText: running.tenantName })).toContainText('Done')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await toasts.getByRole('link', { name: `Open ${bad}` }).click()
  await expect(page).toHaveURL(new RegExp(`/edit_project_room/${bad}`))
})
