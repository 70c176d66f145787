/** Live migration configurations: added, changed, deleted, exported; what disabled buttons say. */
import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { until } from '@roomkeeper/dev-env'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { addMigration, buttonOf, openCloud, optionsOf, rowNamed } from '../manage-cloud.ts'
import { closeToasts, toast } from '../toasts.ts'

const title = 'Live migration'
const row = 'region-1'

// shows: migrations-configuration
test('a configuration is made: each region only once, with its address and its rooms, and all fields filled', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'some' }])
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await expect(dialog.getByRole('heading', { name: 'No live migrations yet' })).toBeVisible()
  await buttonOf(dialog, 'New').click()
  const form = page.getByRole('dialog', { name: 'New live migration configuration' })
  for (const box of ['Routing', 'Parallel']) await expect(form.getByLabel(box)).not.toBeChecked()
  const [source, target] = ['Source region', 'Target region'].map((name) => form.getByRole('combobox', { name }))
  await source?.click()
  const options = network.regions.map(({ name, url }) => `${name} (${url})`)
  await expect(optionsOf(page)).toContainText(options)
  await optionsOf(page)
    .filter({ hasText: /^region-1/ })
    .click()
  await expect(form.getByText('Number of project rooms: 1', { exact: true })).toBeVisible()
  await buttonOf(form, 'Save').click()
  const fillAll = 'Could not save live migration configuration. Please fill all fields to save it.'
  await expect(form.getByRole('alert')).toHaveText(fillAll)
  await target?.click()
  await expect(optionsOf(page)).toContainText(options.slice(1))
  await optionsOf(page)
    .filter({ hasText: /^region-2/ })
    .click()
  await source?.click()
  await expect(optionsOf(page)).toContainText(options.slice(0, 1))
  await page.keyboard.press('Escape')
  await form.getByLabel('Routing').check()
  await buttonOf(form, 'Save').click()
  await expect(toast(page, title, 'Save live migration configuration was Successful')).toBeVisible()
  await expect(dialog.getByRole('columnheader')).toHaveText([
    'Selected',
    'Source region',
    'Target region',
    'State',
    'Routing',
    'Start time',
    'Actions',
  ])
  const cells = rowNamed(dialog, row).getByRole('cell')
  await expect(cells).toHaveText(['', 'region-2', 'Stopped', 'On', 'Not yet started', /^StartStopStateReset priority$/])
})

// shows: migrations-edit-refresh
test('the edit dialog opens after a refresh, with what a colleague has changed meanwhile', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const id = await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await buttonOf(dialog, 'Edit').click()
  await expect(toast(page, title, 'Please select one live migration config')).toBeVisible()
  await dialog.getByLabel('Select region-1 → region-2').check()
  await network.admin.call('saveLiveMigration', {
    body: { id, sourceRegion: 1, targetRegion: 2, routing: true, parallel: false },
  })
  const refreshed = page.waitForResponse(/\/api\/operator\/livemigration$/)
  await buttonOf(dialog, 'Edit').click()
  await refreshed
  const at = Date.now()
  const form = page.getByRole('dialog', { name: 'Edit live migration configuration' })
  await expect(form).toBeVisible()
  expect(Date.now() - at).toBeGreaterThanOrEqual(150)
  await expect(form.getByLabel('Routing')).toBeChecked()
  await form.getByLabel('Parallel').check()
  // Another colleague is faster again: both values are shown, and both changes are kept.
  browserErrors.expect(/^POST \/api\/operator\/livemigration 409$/)
  await network.admin.call('saveLiveMigration', { body: { id, sourceRegion: 1, targetRegion: 2 } })
  await buttonOf(form, 'Save').click()
  const conflict = form.getByRole('alert', { name: /^The live migration configuration was changed by somebody else/ })
  await expect(conflict.getByRole('row')).toHaveText([/Field/, 'RoutingOnOff', 'ParallelOnOff'])
  await buttonOf(conflict, 'Keep mine on the new version').click()
  await expect(form.getByLabel('Routing')).not.toBeChecked()
  await form.getByLabel('Routing').check()
  await buttonOf(form, 'Save').click()
  await expect(form).toBeHidden()
  expect((await network.admin.call('liveMigration', { params: { id } })).body).toMatchObject({
    routing: true,
    parallel: true,
  })
})

test('a configuration is deleted after a question', async ({ openAs, network, browserErrors }) => {
  // The operator who deleted it receives the event, too.
  browserErrors.expect(/^GET \/api\/operator\/livemigration\/\d+ 404$/)
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await buttonOf(dialog, 'Delete').click()
  await expect(toast(page, title, 'Please select one live migration config')).toBeVisible()
  await dialog.getByLabel('Select region-1 → region-2').check()
  await buttonOf(dialog, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete live migration configuration' })
  await expect(question.getByText('Are you sure you want to delete this configuration?', { exact: true })).toBeVisible()
  await buttonOf(question, 'Delete configuration').click()
  await expect(toast(page, title, 'Delete live migration configuration was Successful')).toBeVisible()
  await expect(rowNamed(dialog, row)).toHaveCount(0)
})

// shows: migrations-running
test('a running configuration is neither started, reset, edited nor deleted; one at rest is not stopped', async ({
  openAs,
  network,
}) => {
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  await buttonOf(dialog, 'Stop').click()
  await expect(toast(page, title, 'Live migration can only be stopped if it running')).toBeVisible()
  await network.database.rows(`update live_migrations set state = 'RUNNING'`)
  await dialog.getByLabel('Select region-1 → region-2').check()
  await buttonOf(dialog, 'Refresh').click()
  await expect(rowNamed(dialog, row)).toContainText('Running')
  for (const button of ['Start', 'Reset priority', 'Edit', 'Delete']) {
    await closeToasts(page)
    await buttonOf(dialog, button).click()
    await expect(toast(page, title, 'Live migration is still running')).toBeVisible()
  }
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await network.database.rows(`update live_migrations set state = 'STOPPED'`)
})

// shows: migrations-warning, dialog-width-30
test('while a run is in doubt Start is red and says what to do; a refresh is honest, Reset all ends the doubt', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const id = await addMigration(network)
  const body = { liveMigrationData: { id }, selectedRooms: [name], skippActiveSessions: true }
  await network.planFault('room.migrate:back-room-up:after:hold')
  await network.admin.call('startLiveMigration', { body })
  await until('the room is held', network.faultHappened)
  await network.admin.call('stopLiveMigration', { body: { id } })
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  const start = buttonOf(dialog, 'Start')
  await buttonOf(dialog, 'Refresh').click()
  await expect(start).toBeDisabled()
  await expect(start).toHaveCSS('background-color', 'rgb(198, 47, 47)')
  await start.hover({ force: true })
  const why = 'Please click refresh to see if the live migration ended'
  await expect(page.getByRole('tooltip', { name: why })).toBeVisible()

  await buttonOf(dialog, 'Reset priority').click()
  const choice = page.getByRole('dialog', { name: 'Reset priority' })
  expect((await choice.boundingBox())?.width).toBe(0.3 * 1280)
  await expect(buttonOf(choice, 'Reset priority')).toBeVisible()
  await buttonOf(choice, 'Reset all').click()
  await expect(toast(page, title, 'Reset priority was Successful')).toBeVisible()
  await expect(start).toBeEnabled()

  await buttonOf(dialog, 'Reset priority').click()
  await expect(choice).toContainText('Do you really want to reset the priority of this live migration?')
  await expect(choice.getByRole('button', { name: 'Reset all' })).toHaveCount(0)
})

test('configurations and logs are exported, and a failure says so', async ({ openAs, network, browserErrors }) => {
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  const config = page.waitForEvent('download')
  await buttonOf(dialog, 'Export config').click()
  await expect(toast(page, 'Export config', 'Downloading livemigration config')).toBeVisible()
  const text = await readFile(await (await config).path(), 'utf8')
  expect(text).toContain('\n        "sourceRegion": 1')
  expect((await config).suggestedFilename()).toMatch(/^livemigration_config_\d{4}-\d\d-\d\dT.*Z\.txt$/)

  await buttonOf(dialog, 'Export logs').click()
  await expect(toast(page, title, 'Please select one live migration config')).toBeVisible()
  await dialog.getByLabel('Select region-1 → region-2').check()
  const logs = page.waitForEvent('download')
  await buttonOf(dialog, 'Export logs').click()
  await expect(toast(page, 'Export logs', 'Downloading livemigration logs')).toBeVisible()
  expect((await logs).suggestedFilename()).toMatch(/^livemigration_logs_.*\.csv$/)

  browserErrors.expect(/\/api\/operator\/livemigration(\/export\/ticket)? 503$/)
  await page.route(/\/livemigration(\?|\/export\/ticket$)/, (route) => route.fulfill({ status: 503 }))
  await buttonOf(dialog, 'Export config').click()
  await expect(toast(page, 'Failed to download', 'Could not download livemigration config')).toBeVisible()
  await buttonOf(dialog, 'Export logs').click()
  await expect(toast(page, 'Failed to download', 'Could not download livemigration logs')).toBeVisible()
})

test('live migrations that could not be loaded or refreshed say so', async ({ openAs, network, browserErrors }) => {
  await addMigration(network)
  browserErrors.expect(/^GET \/api\/operator\/livemigration 403$/)
  const page = await openAs('CLOUD_OPERATOR')
  const list = '**/api/operator/livemigration'
  await page.route(list, (route) => route.fulfill({ status: 403 }))
  const dialog = await openCloud(page, 'Live migration')
  await expect(dialog.getByRole('heading', { name: 'Could not load live migration data' })).toBeVisible()
  await page.unroute(list)
  await buttonOf(dialog, 'Try again').click()
  await expect(rowNamed(dialog, row)).toBeVisible()
  await page.route(list, (route) => route.fulfill({ status: 403 }))
  await buttonOf(dialog, 'Refresh').click()
  await expect(page.getByRole('alert').getByText('Could not refresh live migration config')).toBeVisible()
  await expect(rowNamed(dialog, row)).toBeVisible()
})

// shows: page-size-states, dialog-width-70
test('state entries and logs that could not be loaded say so and can be asked for again', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const id = await addMigration(network)
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, outcome, source_region_id, target_region_id)
     select $1, gen_random_uuid(), 'room' || n, 'failed', 1, 2 from generate_series(1, 11) n`,
    [id],
  )
  browserErrors.expect(/ 503$/)
  const page = await openAs('CLOUD_OPERATOR')
  const refuse = /\/api\/operator\/livemigration\/(state|logs)/
  await page.route(refuse, (route) => route.fulfill({ status: 503 }))
  const dialog = await openCloud(page, 'Live migration')
  await buttonOf(dialog, 'State').click()
  const state = page.getByRole('dialog', { name: 'State of region-1 → region-2' })
  await expect(state.getByRole('heading', { name: 'Could not load live migration state' })).toBeVisible()
  await page.unroute(refuse)
  await buttonOf(state, 'Try again').click()
  // A page has ten rows.
  await expect(state.getByRole('rowheader')).toHaveCount(10)
  expect((await state.boundingBox())?.width).toBe(0.7 * 1280)
  await page.route(refuse, (route) => route.fulfill({ status: 503 }))
  await buttonOf(rowNamed(state, 'room11'), 'Logs').click()
  await expect(page.getByRole('dialog').last()).toContainText('Failed to load live migration logs')
})

test('all that can be done with a configuration is in view, as are the boxes in the midst of their rows', async ({
  openAs,
  network,
}) => {
  const id = await addMigration(network)
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, outcome, source_region_id, target_region_id)
     values ($1, gen_random_uuid(), 'raised', 'failed', 1, 2)`,
    [id],
  )
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Live migration')
  const actions = rowNamed(dialog, row)
  for (const name of ['Start', 'Stop', 'State', 'Reset priority'])
    await expect(buttonOf(actions, name)).toBeInViewport({ ratio: 1 })
  expect(await boxIsOffBy(actions)).toBeLessThan(4)
  await buttonOf(actions, 'State').click()
  const entry = rowNamed(page.getByRole('dialog', { name: 'State of region-1 → region-2' }), 'raised')
  await expect(entry).toBeVisible()
  expect(await boxIsOffBy(entry)).toBeLessThan(4)
})

/** Pixels between the middle of a row and the middle of its checkbox. */
async function boxIsOffBy(line: Locator): Promise<number> {
  const [whole, box] = await Promise.all([line.boundingBox(), line.getByRole('checkbox').boundingBox()])
  const middleOf = (found: { y: number; height: number } | null) => (found?.y ?? 0) + (found?.height ?? 0) / 2
  return Math.abs(middleOf(whole) - middleOf(box))
}
