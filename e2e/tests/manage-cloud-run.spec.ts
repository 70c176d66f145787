/** A live migration from selecting its rooms to its state entries, on two real regions. */
import type { Locator, Page } from '@playwright/test'
import { roomDraft } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { addMigration, buttonOf, openCloud, openSession, openTab, processRow, rowNamed } from '../manage-cloud.ts'
import { toast } from '../toasts.ts'

const title = 'Live migration'

// shows: migrations-picker, dialog-width-30
test('rooms are picked by page, by search, all that match, and with exceptions', async ({ openAs, network }) => {
  await insertRooms(network, [
    ...numberedRooms('alpha', 10),
    ...numberedRooms('beta', 3),
    { name: 'failed', state: 'ERROR' },
  ])
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const start = await openStart(page)
  expect((await start.boundingBox())?.width).toBe(0.3 * 1280)
  await expect(start.getByRole('checkbox', { name: 'Skipp active session' })).not.toBeChecked()
  await buttonOf(start, 'Start').click()
  await expect(start.getByRole('alert')).toHaveText('Please select project rooms for live migration')

  await buttonOf(start, 'Select project rooms').click()
  const picker = page.getByRole('dialog', { name: 'Select project rooms' })
  await expect(picker.getByRole('rowheader')).toHaveCount(8)
  await expect(picker.getByRole('navigation', { name: 'Pages' })).toContainText('1–8 of 13')
  await picker.getByLabel('Select all project rooms of this page').check()
  await expect(picker.getByText('Selected project rooms: 8', { exact: true })).toBeVisible()
  await buttonOf(picker, 'Clear selection').click()

  await buttonOf(picker, 'Select all matching (13)').click()
  await picker.getByRole('searchbox', { name: 'Search' }).fill('beta')
  await expect(picker.getByRole('rowheader')).toHaveText(['beta01', 'beta02', 'beta03'])
  await picker.getByLabel('Select beta02').uncheck()
  await expect(picker.getByText('Selected project rooms: 12', { exact: true })).toBeVisible()

  await buttonOf(picker, 'Select all matching (3)').click()
  await expect(picker.getByText('Selected project rooms: 3 that match “beta”')).toBeVisible()
  await picker.getByRole('searchbox', { name: 'Search' }).fill('alpha01')
  await expect(picker.getByLabel('Select alpha01')).toBeDisabled()
  await picker.getByRole('searchbox', { name: 'Search' }).fill('nothing')
  await expect(picker.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await buttonOf(picker, 'Done').click()
  await expect(start.getByText('Selected project rooms: 3', { exact: true })).toBeVisible()
  // Escape does not lose the selection without asking.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(start).toBeHidden()
})

test('a run: what will happen is shown first, every operator sees how far it is, and the state entries tell the end', async ({
  openAs,
  network,
  newVisitor,
}) => {
  const [moved, used] = [await network.newRoom(), await network.newRoom()]
  await openSession(network, used)
  await addMigration(network)
  const page = await openAs('CLOUD_OPERATOR')
  const start = await openStart(page)
  await pickAll(start, 2)
  await buttonOf(start, 'Start').click()
  const question = page.getByRole('dialog', { name: 'Start live migration' }).last()
  await expect(question.getByText('Are you sure you want to start live migration?', { exact: true })).toBeVisible()
  await expect(rowNamed(question, moved)).toContainText('Will be moved')
  await expect(rowNamed(question, used)).toContainText('Will be postponed')

  const other = await newVisitor('CLOUD_OPERATOR')
  await other.goto('/project/administration')
  const theirs = await openCloud(other, 'Live migration')
  await expect(rowNamed(theirs, 'region-1')).toContainText('Stopped')

  await buttonOf(question, 'Start live migration').click()
  await expect(toast(page, title, 'Started live migration')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  // A real run, which takes its time on a busy machine.
  await expect(rowNamed(theirs, 'region-1')).toContainText('Partially completed', { timeout: 45_000 })

  const dialog = page.getByRole('dialog', { name: 'Manage Cloud' })
  await expect(rowNamed(dialog, 'region-1')).toContainText('Partially completed')
  await buttonOf(dialog, 'State').click()
  const state = page.getByRole('dialog', { name: 'State of region-1 → region-2' })
  await expect(rowNamed(state, moved)).toContainText('Migrated')
  await expect(rowNamed(state, used)).toContainText('Postponed')
  const run = state.getByRole('region', { name: 'Progress of region-1 → region-2' })
  await expect(run).toContainText('Done1 of 2')
  await expect(run).toContainText('Postponed1')

  await buttonOf(rowNamed(state, moved), 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Live migration logs of ${moved}` })
  await expect(logs.getByRole('region', { name: 'Log' })).not.toBeEmpty()
  await page.keyboard.press('Escape')

  await buttonOf(state, 'Delete entries').click()
  await expect(toast(page, 'Delete entries', 'Please select a live migration state')).toBeVisible()
  await state.getByLabel(`Select ${used}`).check()
  await buttonOf(state, 'Delete entries').click()
  const remove = page.getByRole('dialog', { name: 'Delete state' })
  await expect(remove.getByText('Are you sure you want to delete this state entries?', { exact: true })).toBeVisible()
  await buttonOf(remove, 'Delete entries').click()
  await expect(rowNamed(state, used)).toHaveCount(0)
  await expect(rowNamed(state, moved)).toHaveCount(1)
})

test('a room is moved from where it is found, and what stands in its way is said until it is gone', async ({
  openAs,
  network,
}) => {
  const name = await network.newSuspendedRoom()
  await network.database.rows('update regions set max_rooms = room_count where id = 2')
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: 'Command palette' }).click()
  await page.getByRole('dialog').getByRole('combobox').fill(`move ${name}`)
  await page.getByRole('option', { name: `Move: ${name}` }).click()
  const move = page.getByRole('dialog', { name: `Move ${name} to …` })
  await move.getByRole('combobox', { name: 'Target region' }).click()
  await page.getByRole('option', { name: /^region-2/ }).click()
  await expect(move).toContainText('Exceeded maximum number of project room on region region-2.')
  const start = buttonOf(move, 'Move 1 project room')
  await expect(start).toBeDisabled()
  await expect(start).toBeInViewport({ ratio: 1 })
  await start.hover({ force: true })
  await expect(page.getByRole('tooltip')).toHaveText('It is not possible for any of them.')
  // As soon as there is a place, the room can be moved.
  await network.database.rows('update regions set max_rooms = -1 where id = 2')
  await expect(move).toContainText('Do you want to move 1 project room?')
  await start.click()
  await expect(page.getByRole('status').getByText('1 of 1 moved')).toBeVisible({ timeout: 60_000 })
  await network.settle()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room).toMatchObject({ region: 2, projectRoomState: 'SUSPENDED' })
})

test('a run shows its progress while it goes on, and is stopped after a question', async ({ openAs, network }) => {
  const names = [await network.newRoom(), await network.newRoom()]
  const id = await addMigration(network)
  await network.planFault('room.migrate:back-room-up:after:hold')
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, title)
  await network.admin.call('startLiveMigration', {
    body: { liveMigrationData: { id }, selectedRooms: names, skippActiveSessions: true },
  })
  await expect(rowNamed(dialog, 'region-1')).toContainText('Running')
  const run = dialog.getByRole('region', { name: 'Progress of region-1 → region-2' })
  await expect(run).toContainText('Done0 of 2')
  await expect(run).toContainText('In flight1')
  await expect(run.getByRole('listitem').first().getByRole('progressbar')).toBeVisible()
  await buttonOf(dialog, 'Stop').click()
  const question = page.getByRole('dialog', { name: 'Stop live migration' })
  await expect(question.getByText('Do you really want to stop this live migration?', { exact: true })).toBeVisible()
  await buttonOf(question, 'Stop live migration').click()
  await expect(toast(page, title, 'Stopped live migration')).toBeVisible()
  await expect(rowNamed(dialog, 'region-1')).toContainText('Stopped')
  // The room in flight has not ended.
  await expect(buttonOf(dialog, 'Start')).toBeDisabled()
})

test('while the target is away, the progress says since when and counts down to the next try; Stop leaves nothing waiting', async ({
  openAs,
  network,
}) => {
  const names = [await network.newRoom(), await network.newRoom()].sort()
  const id = await addMigration(network)
  await network.regions[1]?.stop()
  const body = { liveMigrationData: { id }, selectedRooms: names, skippActiveSessions: true }
  await network.admin.call('startLiveMigration', { body })
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, title)
  const run = dialog.getByRole('region', { name: 'Progress of region-1 → region-2' })
  const first = run.getByRole('listitem').filter({ hasText: names[0] ?? '' })
  const away = (language: 'en' | 'de', next: string) =>
    language === 'en'
      ? new RegExp(
          `Waiting for region-2, which has not answered since \\d\\d:\\d\\d\\. ${next} Gives up at \\d\\d:\\d\\d; the project room is then as before\\.`,
        )
      : new RegExp(`Wartet auf region-2, die seit \\d\\d:\\d\\d nicht antwortet\\. ${next}`)
  // The pauses grow: this one is long enough to see it count down.
  await expect(first).toContainText(away('en', 'Try \\d+, the next in [5-9] s\\.'), { timeout: 20_000 })
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/progress')) calls += 1
  })
  await expect(first).toContainText(away('en', 'Try \\d+, the next in [1-4] s\\.'))
  expect(calls).toBeLessThan(2)

  // Wherever operations are listed, the run is called by what it is.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Running operations/ }).click()
  const panel = page.getByRole('dialog', { name: 'Running operations' })
  await expect(panel.getByText('Live migration region-1 → region-2, 2 project rooms', { exact: true })).toBeVisible()
  await expect(panel.getByText('Live migration region-1 → region-2', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await openCloud(page, title)

  await network.admin.call('stopLiveMigration', { body: { id } })
  await expect(run.getByRole('listitem').filter({ hasText: names[1] ?? '' })).toContainText('Not begun')
  await expect(run).toContainText('Not begun1')
  await page.context().addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  await page.reload()
  const german = page.getByRole('dialog').getByRole('region', { name: 'Fortschritt von region-1 → region-2' })
  await expect(german).toContainText(away('de', 'Versuch \\d+(, der nächste in \\d+ s| läuft)\\.'))
  await network.restartRegion(1)
  await network.settle()
  await expect(german).toContainText('Erledigt1 von 2')
  await expect(german).not.toContainText('Wartet auf')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Laufende Vorgänge/ }).click()
  const finished = page.getByRole('region', { name: 'Kürzlich beendet' })
  await expect(finished).toContainText('Live-Migration region-1 → region-2, 2 Projekträume')
})

test('where a region refuses its stored login, its settings are one click away: in the preflight, the state entries, and the toast of what ended', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const id = await addMigration(network)
  await network.database.rows(`update regions set user_name = 'nobody' where id = 2`)
  const page = await openAs('CLOUD_OPERATOR')
  const check = "Check them in the region's settings →"
  const refused = 'Region region-2 refused the stored user name or password.'
  const expectSettings = async () => {
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(buttonOf(page.getByRole('dialog'), 'Regions')).toHaveAttribute('aria-expanded', 'true')
  }

  const start = await openStart(page)
  await pickAll(start, 1)
  await start.getByRole('checkbox', { name: 'Skipp active session' }).check()
  await buttonOf(start, 'Start').click()
  const question = page.getByRole('dialog', { name: 'Start live migration' }).last()
  await expect(rowNamed(question, name)).toContainText(refused)
  await rowNamed(question, name).getByRole('link', { name: check }).click()
  await expectSettings()
  // The chosen settings are still there after coming back.
  const dialog = page.getByRole('dialog', { name: 'Manage Cloud' })
  await openTab(dialog, 'Live migration')
  await buttonOf(dialog, 'Start').click()
  await expect(start.getByRole('status')).toHaveText('Selected project rooms: 1')
  await expect(start.getByRole('checkbox', { name: 'Skipp active session' })).toBeChecked()
  await buttonOf(start, 'Cancel').click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Discard' }).click()

  // A real move would go on trying to clean up there.
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, outcome, error, error_reasons)
     select $1, id, name, 'failed', 'x', $3 from rooms where name = $2`,
    [id, name, JSON.stringify([{ code: 'region-refused-login', params: { region: 'region-2' } }])],
  )
  await buttonOf(dialog, 'State').click()
  const state = page.getByRole('dialog', { name: 'State of region-1 → region-2' })
  await buttonOf(rowNamed(state, name), 'Logs').click()
  const logs = page.getByRole('dialog', { name: `Live migration logs of ${name}` })
  const error = logs.getByRole('region', { name: 'Error' })
  await expect(error).toContainText(refused)
  await error.getByRole('link', { name: check }).click()
  await expectSettings()

  const created = roomDraft({ region: 2 })
  await network.admin.call('createRoom', { body: created })
  await network.settle()
  await openTab(dialog, 'Monitoring')
  const row = processRow(dialog, created.tenantName, 'Create PR')
  await expect(row.getByRole('link', { name: check })).toBeVisible()
  // The long reason leaves the time of the row in view.
  const [time, actions] = await Promise.all([
    row.getByRole('cell').nth(2).boundingBox(),
    row.getByRole('cell').nth(3).boundingBox(),
  ])
  expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual((actions?.x ?? 0) + 1)
  await buttonOf(row, 'Logs').click()
  const lines = page.getByRole('dialog').last().getByRole('region', { name: 'Log' })
  await expect(
    lines.getByText(new RegExp(`check the name on the region: .*${refused} ${check}$`)).first(),
  ).toBeVisible()
  await buttonOf(page.getByRole('dialog').last(), 'Retry').click()
  const ended = page.getByRole('alert').filter({ hasText: 'Retry' }).filter({ hasText: refused })
  await ended.hover()
  await page.keyboard.press('Escape')
  await ended.getByRole('link', { name: check }).click()
  await expectSettings()
  await network.database.rows(
    `update regions set user_name = (select user_name from regions where id = 1) where id = 2`,
  )
})

// shows: migrations-force-delete
test('what failed migrations left in the target is deleted after the name of the region was typed', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const id = await addMigration(network)
  await network.planFault('room.migrate:restore-copy:after:fail')
  const body = { liveMigrationData: { id }, selectedRooms: [name], skippActiveSessions: true }
  await network.admin.call('startLiveMigration', { body })
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, title)
  await buttonOf(dialog, 'State').click()
  const state = page.getByRole('dialog', { name: 'State of region-1 → region-2' })
  await expect(rowNamed(state, name)).toContainText('Postponed (failed)')
  await buttonOf(rowNamed(state, name), 'Logs').click()
  await expect(page.getByRole('region', { name: 'Error' })).toContainText('A test made this step fail.')
  await page.keyboard.press('Escape')
  await buttonOf(state, 'Force delete failed project rooms').click()
  const force = page.getByRole('dialog', { name: 'Force delete from target' })
  await buttonOf(force, 'Force delete').click()
  await expect(force.getByRole('alert')).toHaveText('Please select a project room name')
  // What is selected in the dialog below is selected here, too.
  await page.keyboard.press('Escape')
  await rowNamed(state, name).getByRole('checkbox').check()
  await buttonOf(state, 'Force delete failed project rooms').click()
  await expect(force.getByLabel(`Select ${name}`)).toBeChecked()
  await buttonOf(force, 'Force delete').click()
  const question = force.last()
  const text = `Are you sure you want to delete this failed project rooms from the target region? After this action you should wait at least 20 minutes before you can start a new live migration. selected rooms: ${name}`
  await expect(question.getByText(text, { exact: true })).toBeVisible()
  await expect(buttonOf(question, 'Force delete')).toBeDisabled()
  await question.getByLabel('Type region-2 to confirm').fill('region-2')
  await buttonOf(question, 'Force delete').click()
  await expect(toast(page, title, 'Delete failed migrated rooms was accepted and runs')).toBeVisible()
  await network.settle()
  await expect(rowNamed(state, name)).toContainText('Postponed (failed), copy removed')
  await page.keyboard.press('Escape')

  // A start that comes too soon says how many minutes to wait.
  await buttonOf(dialog, 'Start').click()
  const start = page.getByRole('dialog', { name: 'Start live migration' })
  await buttonOf(start, 'Select project rooms').click()
  await page.getByRole('dialog', { name: 'Select project rooms' }).getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Done' }).click()
  await buttonOf(start, 'Start').click()
  const wait =
    /Failed project rooms were deleted in the target region region-2 a short while ago. Please wait another \d+ min\./
  const again = start.last()
  await expect(again.getByRole('alert').filter({ hasText: wait })).toBeVisible()
  await expectAccessible(page, 'what stands in the way of the whole run', '[role=dialog]')
  await expect(rowNamed(again, name)).not.toContainText('Will be moved')
  await expect(buttonOf(again, 'Start live migration')).toBeDisabled()
  await buttonOf(again, 'Start live migration').hover({ force: true })
  await expect(page.getByRole('tooltip')).toHaveText(wait)
})

async function openStart(page: Page) {
  const dialog = await openCloud(page, title)
  await buttonOf(dialog, 'Start').click()
  return page.getByRole('dialog', { name: 'Start live migration' })
}

async function pickAll(start: Locator, count: number): Promise<void> {
  await buttonOf(start, 'Select project rooms').click()
  const picker = start.page().getByRole('dialog', { name: 'Select project rooms' })
  await buttonOf(picker, `Select all matching (${count})`).click()
  await buttonOf(picker, 'Done').click()
}
