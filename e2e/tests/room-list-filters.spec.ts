/** The search and the filters of the list of project rooms. */
import { text } from 'node:stream/consumers'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { rowOf, searchBox, shownRooms } from '../room-list.ts'
import { typeAtOnce } from '../type-at-once.ts'

// shows: list-hide-failed
test('failed tenants can be hidden', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'good' }, { name: 'failed', state: 'ERROR' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect.poll(() => shownRooms(page)).toEqual(['good', 'failed'])
  await page.getByRole('checkbox', { name: 'Hide failed tenants' }).check()
  await expect.poll(() => shownRooms(page)).toEqual(['good'])
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Hide failed tenants' })).toBeChecked()
  await expect.poll(() => shownRooms(page)).toEqual(['good'])
})

// shows: list-search-fields
test('a search looks where the dropdown says', async ({ openAs, network }) => {
  await insertRooms(network, [
    { name: 'needle' },
    { name: 'first', firstName: 'Needle' },
    { name: 'last', lastName: 'McNeedle' },
    { name: 'mail', email: 'needle@example.com' },
    { name: 'none' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  const scope = page.getByRole('combobox', { name: 'Search in' })
  await expect(scope.getByRole('option')).toHaveText(['All', 'Tenant Name', 'Customer Name', 'Customer Email'])
  await searchBox(page).fill('NEEDLE')
  await expect.poll(() => shownRooms(page)).toEqual(['needle', 'mail', 'last', 'first'])
  await scope.selectOption('Tenant Name')
  await expect.poll(() => shownRooms(page)).toEqual(['needle'])
  await scope.selectOption('Customer Name')
  await expect.poll(() => shownRooms(page)).toEqual(['last', 'first'])
  await scope.selectOption('Customer Email')
  await expect.poll(() => shownRooms(page)).toEqual(['mail'])
})

// shows: search-words
test('a search of several words finds a person by both names, and the company and SAP numbers too', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [
    { name: 'hers', firstName: 'Anna', lastName: 'Beispiel' },
    { name: 'other', firstName: 'Anna', lastName: 'Berg', companyName: 'Krüger Stahl', sapNumber: '4600099' },
    { name: 'none' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  for (const [text, name] of [
    ['anna beispiel', 'hers'],
    ['krüger', 'other'],
    ['4600099', 'other'],
  ] as const) {
    await searchBox(page).fill(text)
    await expect.poll(() => shownRooms(page)).toEqual([name])
  }
  // What is found in a column that is not shown is said below the name; in a wide window the company is shown.
  await searchBox(page).fill('anna krüger')
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /^other/ }) })
  await expect(row.getByText('in: Company', { exact: true })).toBeVisible()
  await expect(row.locator('mark')).toHaveText('Anna')
  await expectAccessible(page, 'list with matches')
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(row.locator('mark')).toHaveText(['Anna', 'Krüger'])
  await expect(row.getByText('in: Company', { exact: true })).toHaveCount(0)
  await searchBox(page).fill('')
  await expect.poll(() => shownRooms(page)).toEqual(['other', 'none', 'hers'])
  await expect(page.locator('mark')).toHaveCount(0)
})

// shows: expiry-filter
test('a filter is typed in peace: one request when typing pauses, and what is no number of days stays, marked', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [
    { name: 'soon', companyName: 'Umbrella', expirationDate: new Date(Date.now() + 20 * 86_400_000).toISOString() },
    { name: 'later', companyName: 'Umbrella' },
  ])
  const page = await openAs('CLOUD_OPERATOR')
  await expect.poll(() => shownRooms(page)).toEqual(['soon', 'later'])
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/get_tenants?'))
      asked.push(new URL(request.url()).searchParams.get('filter_keys') ?? '')
  })
  await page.getByRole('button', { name: 'Filters' }).click()
  const days = page.getByRole('textbox', { name: 'Expires within (days)' })
  await typeAtOnce(days, '30x')
  await expect(days).toHaveAttribute('aria-invalid', 'true')
  await days.press('Backspace')
  await expect.poll(() => shownRooms(page)).toEqual(['soon'])
  await expect(days).toHaveValue('30')
  await typeAtOnce(page.getByRole('textbox', { name: 'Company' }), 'Umbrella')
  await expect.poll(() => asked).toEqual(['expirationDate,expirationDate', 'expirationDate,expirationDate,companyName'])
  // Closing the panel loses nothing, and who leaves the list is not led back to it.
  await page.getByRole('textbox', { name: 'Company' }).pressSequentially('X')
  await page.keyboard.press('Escape')
  await expect.poll(() => shownRooms(page)).toEqual([])
  await searchBox(page).fill('late')
  await page.getByRole('link', { name: 'New project room' }).dispatchEvent('click')
  await expect(page.getByRole('heading', { name: 'Create Project Room' })).toBeVisible()
  // Typing would have been reported by now.
  await page.waitForTimeout(400)
  expect(new URL(page.url()).pathname).toBe('/project/create_project_room')
})

test('filters stand as chips and in the URL, the export honours them, and Reset filter ends them', async ({
  openAs,
  network,
}) => {
  const day = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  await insertRooms(network, [
    { name: 'soon', expirationDate: day(20), companyName: 'Krüger Stahl' },
    { name: 'later', expirationDate: day(90), companyName: 'Krüger Stahl' },
    { name: 'past', expirationDate: day(-3), state: 'SUSPENDED' },
    { name: 'failed', state: 'ERROR', region: 2 },
    { name: 'mine', product: 'MINING', edition: 'enterprise', salesChannel: 'online-shop' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  const shown = async (...names: string[]) =>
    expect.poll(async () => (await shownRooms(page)).toSorted()).toEqual(names.toSorted())
  await shown('soon', 'later', 'past', 'failed', 'mine')
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  const box = (name: string) => panel.getByRole('checkbox', { name, exact: true })
  await box('Error').check()
  await shown('failed')
  await box('Suspended').check()
  await shown('failed', 'past')
  await expect(panel.getByText('Status (2)', { exact: true })).toBeVisible()
  await panel.getByRole('textbox', { name: 'Search the filters' }).fill('region-')
  await expect(panel.getByRole('checkbox')).toHaveCount(2)
  await box('region-2').check()
  await shown('failed')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  const chips = page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem')
  await expect(chips).toHaveText(['Region: region-2', 'Status: Error, Suspended'])
  await page.getByRole('button', { name: 'Remove the filter Region: region-2' }).click()
  await shown('failed', 'past')
  await page.reload()
  await expect(chips).toHaveText(['Status: Error, Suspended'])
  await shown('failed', 'past')
  const exported = async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const csv = await text(await (await download).createReadStream())
    return ['soon', 'later', 'past', 'failed', 'mine'].filter((name) => csv.includes(`,"${name}",`))
  }
  expect(await exported()).toEqual(['past', 'failed'])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Form of the CSV file' }).click()
  await page.getByRole('menuitem', { name: 'Shown columns only' }).click()
  const [head] = (await text(await (await download).createReadStream())).split('\r\n')
  const contact = 'Customer first name,Customer last name,Customer E-mail'
  expect(head).toBe(`Product,Name,Edition,${contact},Sales channel,Region,Created,Valid until,Status`)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await shown('soon', 'later', 'past', 'failed', 'mine')

  await page.getByRole('button', { name: 'Filters' }).click()
  await panel.getByRole('textbox', { name: 'Expires within (days)' }).fill('30')
  await shown('soon')
  await box('Already expired').check()
  await shown('past')
  await box('Already expired').uncheck()
  await panel.getByRole('textbox', { name: 'Company' }).fill('stahl')
  await shown('soon', 'later')
  await box('MINING').check()
  await expect(page.getByText('No project room matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await shown('soon', 'later', 'past', 'failed', 'mine')

  // Rooms without a backup count as backed up longest ago.
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
     select gen_random_uuid(), id, name, 'classic', name, 1, '', now() - interval '1 day' * case name when 'soon' then 1 else 60 end
     from rooms where name in ('soon', 'later')`,
  )
  await page.getByRole('button', { name: 'Filters' }).click()
  await panel.getByRole('textbox', { name: 'Last backup older than (days)' }).fill('30')
  await shown('later', 'past', 'failed', 'mine')
  await expect(chips).toHaveText(['Last backup: older than 30 days, or none'])
  await expect(page.getByRole('columnheader', { name: 'Last backup' })).toBeVisible()
  await box('Never backed up').check()
  await shown('past', 'failed', 'mine')
  await page.keyboard.press('Escape')
  await expect(chips).toHaveText(['Last backup: none'])
  expect(new URL(page.url()).search).toContain('backup=none')
  expect(await exported()).toEqual(['past', 'failed', 'mine'])
  await page.getByRole('button', { name: 'Filters' }).click()
  await box('Never backed up').uncheck()
  await panel.getByRole('textbox', { name: 'Last backup within (days)' }).fill('30')
  await shown('soon')
  await page.keyboard.press('Escape')
  await expect(chips).toHaveText(['Last backup: within 30 days'])
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByRole('columnheader', { name: 'Last backup' })).toHaveCount(0)
})

// shows: verify-column
test('the column Last backup is chosen, tells the age and whether it was restored in a test, and sorts', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'tested' }, { name: 'never' }, { name: 'untested' }])
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, restored_at)
     select gen_random_uuid(), id, name, 'classic', name, 1, '',
            now() - interval '1 hour' * case name when 'tested' then 3 else 290 end,
            case name when 'tested' then now() end
       from rooms where name in ('tested', 'untested')`,
  )
  const page = await openAs('CLOUD_SUPPORT')
  await expect(rowOf(page, 'tested')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Last backup' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Last backup' }).click()
  await page.keyboard.press('Escape')
  const cell = (name: string, text: string) => rowOf(page, name).getByRole('cell', { name: text })
  await expect(cell('tested', '3 hours ago').getByRole('img', { name: 'Restored in a test' })).toBeVisible()
  await expect(cell('untested', '12 days ago').getByRole('img')).toHaveCount(0)
  await expect(cell('never', 'none')).toBeVisible()
  await cell('tested', '3 hours ago').getByText('3 hours ago').hover()
  await expect(page.getByRole('tooltip')).toContainText('Restored in a test on')
  await page.getByRole('columnheader', { name: 'Last backup' }).getByRole('button').first().click()
  await expect.poll(() => shownRooms(page)).toEqual(['never', 'untested', 'tested'])
  expect(new URL(page.url()).search).toContain('sort=lastBackup')
  await expectAccessible(page, 'list with the last backups')
})

// shows: labels-console
test('labels are given by typing, stand in the list, and lead to the rooms that have them', async ({
  openAs,
  network,
  newVisitor,
  browserErrors,
}) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'one' }, { name: 'two' }, { name: 'three' }])
  await network.admin.call('labelRoom', { body: { projectRoom: 'two', labels: ['pilot', 'VIP'] } })
  const page = await openAs('CLOUD_OPERATOR')
  await rowOf(page, 'one').getByText('Active').click()
  const labels = page.getByRole('complementary').getByRole('group', { name: 'Labels of one' })
  const field = labels.getByRole('combobox', { name: 'Add a label' })
  await field.fill('Gold')
  await field.press('Enter')
  await field.fill('pil')
  await expect(page.getByRole('option', { name: 'pilot' })).toBeVisible()
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(labels.getByRole('link')).toHaveText(['Gold', 'pilot'])
  await expect(field).toHaveValue('')
  // What is too long stays typed, with the reason at the field; a label of another case is the same one.
  await field.fill('x'.repeat(41))
  await field.press('Enter')
  await expect(field).toHaveAccessibleDescription('At most 40 characters.')
  await expect(field).toHaveValue('x'.repeat(41))
  await field.fill('gold')
  await field.press('Enter')
  await expect(labels.getByRole('link')).toHaveText(['Gold', 'pilot'])
  await expectAccessible(page, 'labels beside the list', 'aside')
  await labels.getByRole('button', { name: 'Remove the label Gold' }).press('Enter')
  await expect(field).toBeFocused()
  await expect(labels.getByRole('link')).toHaveText(['pilot'])
  await expect
    .poll(async () => (await network.admin.call('room', { query: { projectRoom: 'one' } })).body.labels)
    .toEqual(['pilot'])
  await expect(page.getByRole('rowheader', { name: /^one/ })).toContainText('pilot')

  await labels.getByRole('link', { name: 'pilot' }).click()
  await expect.poll(async () => (await shownRooms(page)).toSorted()).toEqual(['one', 'two'])
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await panel.getByRole('checkbox', { name: 'pilot' }).uncheck()
  await panel.getByRole('checkbox', { name: 'VIP' }).check()
  await expect.poll(() => shownRooms(page)).toEqual(['two'])
  await expect(page.getByRole('list', { name: 'Filters in use' })).toHaveText('Labels: VIP')
  await page.keyboard.press('Escape')

  // For all that match: the labels that are given and taken stand in the bulk.
  await page.getByRole('checkbox', { name: 'Select two', exact: true }).check()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change labels …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change labels of two' })
  await dialog.getByRole('group', { name: 'Add these labels' }).getByRole('combobox').fill('Silver')
  await dialog.getByRole('group', { name: 'Remove these labels' }).getByRole('combobox').fill('PILOT')
  await dialog.getByRole('combobox').last().press('Enter')
  await dialog.getByRole('button', { name: /^Change labels of 1 project room/ }).click()
  await expect(dialog.getByText('Labels of 1 of 1 changed', { exact: true })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: /^two/, includeHidden: true })).toContainText('VIP Silver')

  const support = await newVisitor('CLOUD_SUPPORT')
  await support.goto('/project/edit_project_room/two?tab=overview')
  await expect(support.getByRole('tabpanel').getByRole('link', { name: 'VIP' })).toBeVisible()
  await expect(support.getByRole('combobox', { name: 'Add a label' })).toHaveCount(0)
})
