/** Regions: added, tested, changed, disabled; every message to the letter. */
import type { Locator, Page } from '@playwright/test'
import type { Network } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { hang } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import {
  addRegion,
  buttonOf,
  cloudDialog,
  inputOf,
  openCloud,
  optionsOf,
  passwordOf,
  rowNamed,
  startSpareRegion,
  urlOf,
} from '../manage-cloud.ts'
import { rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

const urlHint = 'Please make sure you enter the correct URL format'
const negative = 'It is not possible to set the maximum number of tenants to negative value'

// shows: regions-table
test('the table names each region, its address, its rooms and its state', async ({ openAs, network }) => {
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  const dialog = await openCloud(await openAs('CLOUD_OPERATOR'), 'Regions')
  await expect(dialog.getByRole('columnheader')).toHaveText([
    'Selected',
    'NAME',
    'IP/URL',
    'ROOMS',
    'VERSION',
    'HEALTH',
    'STATE',
  ])
  for (const [index, state] of ['Enabled', 'Disabled'].entries()) {
    const cells = rowNamed(dialog, `region-${index + 1}`).getByRole('cell')
    await expect(cells).toHaveText(['', urlOf(network, index), '0', /./, /./, state])
  }
})

// shows: regions-select-one
test('Edit, Delete, Disable, Enable and Update system db need exactly one region', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  const warnings = {
    Edit: 'Please select one region',
    Delete: 'Please select one region',
    Disable: 'You can only disable one region',
    Enable: 'You can only enable one region',
    'Update system db': 'Please select one region',
  }
  for (const name of ['region-1', 'region-2']) await dialog.getByLabel(`Select ${name}`).check()
  for (const [button, text] of Object.entries(warnings)) {
    await buttonOf(dialog, button).click()
    await expect(toast(page, button, text)).toBeVisible()
  }
  await expect(page.getByRole('dialog')).toHaveCount(1)
})

// shows: M-001-054, C-createRegion, dialog-width-70
test('a new region: defaults, hints, what is required, the connection test, and a name that is in use', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await buttonOf(dialog, 'New').click()
  const form = page.getByRole('dialog', { name: 'New region' })
  expect((await form.boundingBox())?.width).toBe(0.7 * 1280)
  const [save, testConnection] = [buttonOf(form, 'Save'), buttonOf(form, 'Test Connection')]
  await expect(inputOf(form, 'User name')).toHaveValue('superuser')
  await expect(inputOf(form, 'User name')).toHaveAccessibleDescription(/master tenant/)
  await expect(form.getByRole('checkbox', { checked: true })).toHaveAccessibleName('ARIS')
  await expect(form.getByRole('radio', { name: 'Enabled' })).toBeChecked()
  await expect(inputOf(form, 'Maximum number of tenants')).toHaveValue('')
  for (const button of [save, testConnection]) await expect(button).toBeDisabled()

  const url = inputOf(form, 'URL')
  await url.fill('frankfurt')
  await expect(form.getByText(urlHint)).toHaveCount(0)
  await url.blur()
  await expect(form.getByText(urlHint)).toBeVisible()
  await url.fill('https://frankfurt.example.com')
  await expect(form.getByText(urlHint)).toHaveCount(0)

  await inputOf(form, 'Region name').fill('region-1')
  await passwordOf(form, 'Superuser password').fill('wrong')
  await passwordOf(form, 'System password').fill('wrong')
  for (const button of [save, testConnection]) await expect(button).toBeEnabled()
  await inputOf(form, 'Maximum number of tenants').fill('-2')
  await expect(form.getByText(negative)).toBeVisible()
  for (const button of [save, testConnection]) await expect(button).toBeDisabled()
  await inputOf(form, 'Maximum number of tenants').fill('')

  browserErrors.expect(/^POST \/api\/operator\/region\/testConnection 502$/)
  await url.fill('http://127.0.0.1:1')
  await testConnection.click()
  await expect(form.getByRole('alert')).toContainText('Connection and login to region failed.')
  await expect(form.getByRole('alert')).toContainText(/HTTP-ERROR: .*127\.0\.0\.1:1/)
  await url.fill((await startSpareRegion(network)).url)
  await expect(form.getByRole('alert')).toHaveCount(0)
  await testConnection.click()
  await expect(form.getByRole('alert')).toContainText('does not accept this user name and password')
  const spare = await url.inputValue()
  await inputOf(form, 'Region name').fill('denied')
  await save.click()
  const denied =
    'The region was saved, but it does not accept this user name and password. Edit the region to correct them.'
  await expect(toast(page, 'denied', denied)).toBeVisible()
  await expect(rowNamed(dialog, 'denied')).toContainText('Refuses login')
  const { body: added } = await network.admin.call('regions', {})
  await network.admin.call('deleteRegion', { body: { id: added.at(-1)?.regionId ?? 0 } })
  await buttonOf(dialog, 'New').click()
  await inputOf(form, 'Region name').fill('region-1')
  await url.fill(spare)
  await signInAs(form, network)
  await testConnection.click()
  await expect(form.getByRole('status')).toContainText('Connection and login to region successful')
  await expect(form.getByRole('status')).toContainText(/Version.*ProductsARIS, MINING, ENTERPRISE.*Answered in\d+ ms/)

  browserErrors.expect(/^POST \/api\/operator\/regions 409$/)
  await save.click()
  const inUse = 'Could not save region. Region name is still in use. Please use a another one.'
  await expect(inputOf(form, 'Region name')).toHaveAccessibleDescription(inUse)
  await inputOf(form, 'Region name').fill('  frankfurt ')
  await save.click()
  await expect(toast(page, 'frankfurt', 'Save region was Successful')).toBeVisible()
  await expect(form).toBeHidden()
  await expect(rowNamed(dialog, 'frankfurt')).toContainText('Enabled')
  const { body: regions } = await network.admin.call('regions', {})
  expect(regions.at(-1)).toMatchObject({ regionName: 'frankfurt', maxNumOfTenants: -1, productVersion: ['ARIS'] })
})

test('an edited region: the maximum, passwords that are asked for again, and a name that is in use', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await addRegion(network)
  await insertRooms(
    network,
    numberedRooms('room', 3).map((room) => ({ ...room, region: 1 })),
  )
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  let form = await edit(page, dialog, 'region-1')
  await expect(form.getByText(urlHint)).toBeVisible()
  await expect(inputOf(form, 'Maximum number of tenants')).toHaveValue('')
  await inputOf(form, 'Maximum number of tenants').fill('2')
  const already =
    'On this region there are already 3 tenants. Please do not set the number of tenants below the current number.'
  await expect(form.getByText(already)).toBeVisible()
  await expect(buttonOf(form, 'Save')).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()

  form = await edit(page, dialog, name)
  const passwords = ['Superuser password', 'System password'].map((label) => passwordOf(form, label))
  for (const password of passwords) {
    await expect(password).toHaveAccessibleDescription('Leave empty to keep the stored password.')
  }
  await buttonOf(form, 'Test Connection').click()
  await expect(form.getByRole('status')).toContainText('Connection and login to region successful')
  await inputOf(form, 'User name').fill('root')
  for (const password of passwords)
    await expect(password).toHaveAccessibleDescription(/Required, because the URL or the user name/)
  await expect(buttonOf(form, 'Save')).toBeDisabled()
  await inputOf(form, 'User name').fill('superuser')

  browserErrors.expect(/^POST \/api\/operator\/region 409$/)
  await inputOf(form, 'Region name').fill('region-2')
  await buttonOf(form, 'Save').click()
  const inUse = 'Could not save region. Region name is already in use. Please use a another one.'
  await expect(inputOf(form, 'Region name')).toHaveAccessibleDescription(inUse)
  await inputOf(form, 'Region name').fill(`${name}b`)
  await inputOf(form, 'Maximum number of tenants').fill('7')
  await form.getByRole('checkbox', { name: 'MINING' }).check()
  await form.getByLabel('Source regions').click()
  await optionsOf(page).filter({ hasText: 'region-1' }).click()
  await page.keyboard.press('Escape')
  await buttonOf(form, 'Save').click()
  await expect(toast(page, `${name}b`, 'Update region was Successful')).toBeVisible()
  const { body: regions } = await network.admin.call('regions', {})
  expect(regions.at(-1)).toMatchObject({
    regionName: `${name}b`,
    maxNumOfTenants: 7,
    productVersion: ['ARIS', 'MINING'],
    selectedSourceRegion: [1],
  })
})

test('two who change a region at once both get their changes, and the second sees what they would overwrite', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^POST \/api\/operator\/region 409$/)
  const name = await addRegion(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  const form = await edit(page, dialog, name)
  const stored = async () => (await network.admin.call('regions', {})).body.at(-1)
  const id = (await stored())?.regionId ?? 0
  await inputOf(form, 'Maximum number of tenants').fill('7')
  await network.admin.call('changeRegion', { body: { id, maxNumOfTenants: 5, productVersion: ['ARIS', 'ENTERPRISE'] } })
  await buttonOf(form, 'Save').click()
  const conflict = form.getByRole('alert', { name: 'The region was changed by somebody else meanwhile.' })
  await expect(conflict).toBeFocused()
  await expect(conflict.getByRole('row')).toHaveText([
    /Field/,
    'Maximum number of tenants75',
    'Product versionARISARIS, ENTERPRISE',
  ])
  await expect(buttonOf(form, 'Save')).toBeDisabled()
  await buttonOf(conflict, 'Keep mine on the new version').click()
  await expect(conflict).toHaveCount(0)
  await expect(form.getByRole('checkbox', { name: 'ENTERPRISE' })).toBeChecked()
  await buttonOf(form, 'Save').click()
  await expect(toast(page, name, 'Update region was Successful')).toBeVisible()
  expect(await stored()).toMatchObject({ maxNumOfTenants: 7, productVersion: ['ARIS', 'ENTERPRISE'] })
})

test('where another server answers, the list says what to do, the form what follows, and a test of the connection warns first', async ({
  openAs,
  network,
}) => {
  const name = await addRegion(network)
  await network.database.rows(
    `update regions set instance_id = gen_random_uuid(), other_server_at = now() where name = $1`,
    [name],
  )
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  const row = dialog.getByRole('row').filter({ hasText: 'Another server answers' })
  await expect(row).toContainText(name)
  await expect(row).toContainText('Nothing can be done there. Select it and choose Edit.')
  const form = await edit(page, dialog, name)
  await expect(form.getByRole('alert')).toContainText('nothing but the sign-in is sent to it')
  await expect(form.getByRole('alert')).toContainText('change the superuser password')
  const confirm = form.getByLabel('The server that answers now is this region from now on')
  await expect(confirm).toHaveAccessibleDescription(/^Its project rooms are looked for there from now on\./)
  await buttonOf(form, 'Test Connection').click()
  const result = form.getByRole('status')
  await expect(result).toHaveText(
    /^This is another server than the one that is registered as this region\.Connection and login to region successful/,
  )
  await expect(result.locator('strong')).toHaveText(/^This is another server/)
  await expectAccessible(page, 'the form of a region where another server answers')
})

test('backups of removed regions say how to use them, and each whose it is', async ({ openAs, network }) => {
  await network.database.rows(
    `with room as (insert into removed_rooms (room_id, room_name, region_name)
                   values (gen_random_uuid(), 'goneroom', 'goneregion') returning room_id, room_name)
     insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
     select gen_random_uuid(), room_id, room_name, 'classic', 'rooms/none.zip', 1, repeat('a', 64) from room`,
  )
  const page = await openAs('CLOUD_OPERATOR')
  await page.setViewportSize({ width: 800, height: 800 })
  const dialog = await openCloud(page, 'Regions')
  await buttonOf(dialog, 'Backups of removed regions').click()
  const backups = page.getByRole('dialog', { name: 'Backups of removed regions' })
  await expect(backups).toContainText('Register the region again and adopt the project room under Consistency')
  await expect(backups.getByText('Not verified')).toBeInViewport({ ratio: 1 })
  await expect(backups.getByText('aaaaaaaaaaaa')).toBeHidden()
  await expect(backups.getByRole('button', { name: /^Copy SHA-256/ })).toBeVisible()
  await backups.getByRole('button', { name: /^Delete the backup of .* of goneroom in goneregion$/ }).click()
  await expect(page.getByRole('dialog', { name: /^Delete backup of .* of goneroom in goneregion$/ })).toBeVisible()
  await network.database.rows(`delete from room_backups where room_name = 'goneroom'`)
})

// shows: regions-disable
test('a region is disabled and enabled again', async ({ openAs, network }) => {
  const name = await addRegion(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByLabel(`Select ${name}`).check()
  for (const [button, state, other] of [
    ['Disable', 'Disabled', 'Enable'],
    ['Enable', 'Enabled', 'Disable'],
  ] as const) {
    await buttonOf(dialog, button).click()
    await expect(rowNamed(dialog, name)).toContainText(state)
    await expect(toast(page, name, 'Update region was Successful').first()).toBeVisible()
    // A button without effect is disabled.
    await expect(buttonOf(dialog, button)).toHaveAttribute('aria-disabled', 'true')
    await expect(buttonOf(dialog, other)).toHaveAttribute('aria-disabled', 'false')
  }
  await buttonOf(dialog, 'Enable').hover()
  await expect(page.getByRole('tooltip', { name: 'This region is enabled already' })).toBeVisible()
})

test('each region shows its rooms and their limit, the version of its software, and its health', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'some' }])
  await network.admin.call('changeRegion', {
    body: { id: 1, maxNumOfTenants: 1500, password: '', passwordSystem: '', confirmOtherServer: false },
  })
  const name = await addRegion(network)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  const row = rowNamed(dialog, 'region-1')
  await expect(row).toContainText('1 of 1,500')
  await expect(row).toContainText('Answers')
  await expect(row).toContainText((await network.regions[0]?.client.status())?.version ?? 'a version')
  // A later change of the region's health appears without a reload.
  await network.database.rows(`update regions set health = 'unreachable', health_since = now() where name = $1`, [name])
  await network.database.rows(
    `insert into events (payload) select json_build_object('type', 'region', 'regionId', id) from regions where name = $1`,
    [name],
  )
  await expect(rowNamed(dialog, name)).toContainText(/Does not answer, since \d\d:/)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const each of ['region-1', name]) {
    const header = dialog.getByRole('rowheader', { name: each, exact: true })
    const isCut = await header.evaluate((cell) => cell.scrollWidth > cell.clientWidth)
    expect(isCut, each).toBe(false)
  }
  await network.admin.call('changeRegion', {
    body: { id: 1, maxNumOfTenants: -1, password: '', passwordSystem: '', confirmOtherServer: false },
  })
})

test('a region that is down is marked at its project rooms, and named by the overview until it answers', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'alone' }])
  await regionIsNow(network, 'unreachable')
  const page = await openAs('CLOUD_SUPPORT')
  const mark = page.getByRole('img', { name: /^Does not answer, since \d\d:\d\d:\d\d$/ })
  await expect(rowOf(page, 'alone').filter({ has: mark })).toBeVisible()
  await page.goto('/project/overview')
  const capacity = page.getByRole('region', { name: 'Capacity' }).getByRole('listitem').filter({ hasText: 'region-1' })
  await expect(capacity).toContainText('1, no limit')
  await expect(capacity).toContainText('Does not answer')
  await network.database.rows('update regions set max_rooms = 36 where id = 1')
  await network.database.rows(
    `insert into region_days (region_id, day, rooms) select 1, current_date - n, 100 - n from generate_series(0, 20) as n
     on conflict (region_id, day) do update set rooms = excluded.rooms`,
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(capacity).toContainText('1 of 36')
  await expect(capacity).toContainText('35 more fit')
  await expect(capacity).toContainText('full in about 5 weeks')
  await network.database.rows('update regions set max_rooms = -1 where id = 1')
  await page.getByRole('link', { name: 'The region region-1 does not answer.' }).click()
  await expect(page).toHaveURL(/\/project\/administration\?region=(1|%221%22)$/)
  await regionIsNow(network, 'answers')
  await page.goto('/project/overview')
  const withoutBackup = page.getByRole('link', { name: '1 project room has no backup of the last 7 days.' })
  await expect(withoutBackup).toBeVisible()
  await expect(page.getByRole('link', { name: 'The region region-1 does not answer.' })).toHaveCount(0)
  // It goes by itself.
  await network.database.rows('update rooms set last_backup_at = now()')
  await expect(withoutBackup).toHaveCount(0)
})

test('what does not work is said once and stands on every screen until it works; a reload moves nothing, and it can be folded', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'alone' }])
  const page = await openAs('CLOUD_OPERATOR')
  const strip = page.getByRole('region', { name: 'What does not work now' })
  await expect(rowOf(page, 'alone')).toBeVisible()
  await expect(strip).toHaveCount(0)
  await hang(network, '/status')
  await regionIsNow(network, 'unreachable')
  await expect(strip).toContainText(/^The region region-1 does not answersince .*1 project roomRegion/)
  await expect(strip.getByRole('status')).toHaveText('The region region-1 does not answer.')
  await expectAccessible(page, 'a region is down')
  await page.reload()
  await expect(rowOf(page, 'alone')).toBeVisible()
  await expect(strip).toBeVisible()
  expect(await page.evaluate(movedAtLoad)).toEqual([])
  await page.goto('/project/administration?cloud=regions')
  await expect(rowNamed(cloudDialog(page), 'region-1')).toContainText('Does not answer')
  expect(await page.evaluate(movedAtLoad)).toEqual([])
  await buttonOf(cloudDialog(page), 'Close').click()
  await strip.getByRole('link', { name: 'Region', exact: true }).click()
  await expect(page).toHaveURL('/project/regions')
  await buttonOf(strip, 'Fold for this session').click()
  await page.reload()
  await expect(buttonOf(strip, 'Show 1 problem')).toBeVisible()
  await expect(strip.getByRole('link')).toHaveCount(0)
  await buttonOf(strip, 'Show 1 problem').click()
  await expect(strip.getByRole('link', { name: 'The region region-1 does not answer' })).toBeVisible()
  await network.setRegionFaults([])
  await regionIsNow(network, 'answers')
  await expect(strip).toHaveCount(0)
})

function regionIsNow({ database }: Network, health: string): Promise<unknown> {
  return database.rows('update regions set health = $1, health_since = now(), down_since = null where id = 1', [health])
}

/** Runs in the page: what has been moved down since the page was loaded, by the browser's own account. */
const movedAtLoad = `new Promise((resolve) =>
  new PerformanceObserver((list) =>
    resolve(list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node?.outerHTML?.slice(0, 80)))),
  ).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => resolve([]), 500),
)`

test('a new installation is led through its first steps, and what helps at once is offered', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await page.goto('/project/overview')
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem')
  const isDone = page.getByRole('img', { name: 'Done' })
  await expect(steps.filter({ has: isDone })).toHaveText(['Add the first region', 'Invite a colleague'])
  await expect(steps).toHaveCount(3)
  const today = page.getByRole('region', { name: 'Today' })
  await expect(today).toContainText('Nothing was done with project rooms today.')
  await network.newRoom()
  await expect(steps).toHaveCount(0)
  await expect(today.getByRole('link', { name: '1 created' })).toHaveAttribute(
    'href',
    /audit\?action=room.create&from=/,
  )
  await page.getByRole('button', { name: 'Protect …' }).click()
  await expect(page.getByRole('dialog', { name: 'New backup policy' })).toBeVisible()
})

// shows: regions-system-db
test('the system databases of a region and of all regions are updated after a question', async ({
  openAs,
  network,
}) => {
  await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByLabel('Select region-1').check()
  const questions = {
    'Update system db': 'Are you sure you want to update the system db for all project rooms on this region?',
    'Update system db of all regions': 'Are you sure you want to update the system db for all project rooms?',
  }
  for (const [button, text] of Object.entries(questions)) {
    await buttonOf(dialog, button).click()
    const question = page.getByRole('dialog', { name: 'Update system db' })
    await expect(question.getByText(text, { exact: true })).toBeVisible()
    await buttonOf(question, 'Update system db').click()
    await expect(toast(page, 'Update system db', 'was successfully triggered').first()).toBeVisible()
    await expect(question).toBeHidden()
    await network.settle()
  }
  await buttonOf(dialog, 'Monitoring').click()
  await expect(dialog.getByRole('row').filter({ hasText: 'Update system DB' }).first()).toBeVisible()
})

test('regions that could not be loaded can be asked for again', async ({ openAs, browserErrors }) => {
  browserErrors.expect(/^GET \/api\/operator\/regions 403$/)
  const page = await openAs('CLOUD_OPERATOR')
  await page.route('**/api/operator/regions', (route) => route.fulfill({ status: 403 }))
  const dialog = await openCloud(page, 'Regions')
  await expect(dialog.getByRole('heading', { name: 'The regions could not be loaded' })).toBeVisible()
  await page.unroute('**/api/operator/regions')
  await buttonOf(dialog, 'Try again').click()
  await expect(rowNamed(dialog, 'region-1')).toBeVisible()
})

test('a region that could not be saved or updated, and an update that could not be triggered, say so where they were asked for', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/ 503$/)
  const page = await openAs('CLOUD_OPERATOR')
  await page.route(/\/api\/operator\/(region|regions|updatesystemdb)$/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503 }) : route.continue(),
  )
  const dialog = await openCloud(page, 'Regions')
  await buttonOf(dialog, 'New').click()
  const created = page.getByRole('dialog', { name: 'New region' })
  await inputOf(created, 'Region name').fill('berlin')
  await inputOf(created, 'URL').fill(urlOf(network, 1))
  await signInAs(created, network)
  await buttonOf(created, 'Save').click()
  await expect(created.getByRole('alert')).toContainText('Save region is failed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()

  const edited = await edit(page, dialog, 'region-1')
  await inputOf(edited, 'Maximum number of tenants').fill('9')
  await buttonOf(edited, 'Save').click()
  await expect(edited.getByRole('alert')).toContainText('Update region is failed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()

  await buttonOf(dialog, 'Update system db').click()
  const question = page.getByRole('dialog', { name: 'Update system db' })
  await buttonOf(question, 'Update system db').click()
  await expect(question.getByRole('alert')).toContainText('Triggering the Update System db for all tenants failed')
})

async function edit(page: Page, dialog: Locator, name: string): Promise<Locator> {
  for (const each of await dialog.getByRole('checkbox', { checked: true }).all()) await each.uncheck()
  await dialog.getByLabel(`Select ${name}`, { exact: true }).check()
  await buttonOf(dialog, 'Edit').click()
  return page.getByRole('dialog', { name: `Edit region ${name}` })
}

async function signInAs(form: Locator, network: Network): Promise<void> {
  const region = network.regions[1]
  await passwordOf(form, 'Superuser password').fill(region?.password ?? '')
  await passwordOf(form, 'System password').fill(region?.systemPassword ?? '')
}
