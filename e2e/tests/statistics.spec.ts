/** The statistics: totals, table, filters and charts of the rooms that are active or suspended. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { Network } from '@roomkeeper/dev-env'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { listPath, rowOf, searchBox, shownRooms } from '../room-list.ts'

const path = '/project/statistics'
const march = '2026-03-05T12:00:00Z'

/** Inserts rooms of every product, two of which are not counted. */
async function insertSomeRooms(network: Network): Promise<void> {
  const aris = { YAAV: 3, YAAD: 5, YAAA: 2, YAADS: 4, YAABS: 1, YAAEAM: 6, YAAAS: 7 }
  await insertRooms(network, [
    { name: 'adv', edition: 'advanced', licences: aris, createdAt: march, lastName: 'Łukasz' },
    {
      name: 'basic',
      state: 'SUSPENDED',
      licences: { YABV: 10, YABD: 1 },
      createdAt: march,
      salesChannel: 'online-shop',
    },
    { name: 'mine', product: 'MINING', edition: 'advanced', licences: { YPMAA: 8, YPMAE: 9, YPMAV: 20 }, region: 2 },
    {
      name: 'ent',
      product: 'ENTERPRISE',
      edition: 'enterprise-shared',
      licences: { ESA: 1, ESD: 12, ESV: 7, ESVP: 3, ESAI: 1500 },
      region: 2,
    },
    { name: 'failed', state: 'ERROR', licences: { YABD: 100 } },
    { name: 'busy', state: 'IN_PROGRESS', licences: { YABD: 100 } },
  ])
}

/** The totals in order, such as `Project rooms 4`. */
async function totals(page: Page): Promise<string[]> {
  return page
    .getByRole('region', { name: 'Totals' })
    .locator('dl > div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((each) => each.textContent).join(' ')))
}

function filterBy(page: Page, column: string): Locator {
  return page.getByRole('combobox', { name: `Filter by ${column}` })
}

/** The bars of a chart: each its label and its number. */
function bars(page: Page, title: string): Locator {
  return page.getByRole('list', { name: title, exact: true }).getByRole('listitem')
}

// shows: statistics-rows
test('every operator sees totals and rows of active and suspended rooms only, and sorts them', async ({
  openAs,
  network,
}) => {
  await insertSomeRooms(network)
  const page = await openAs('CLOUD_SUPPORT')
  await page.getByRole('button', { name: 'Customer management' }).click()
  await page.getByRole('button', { name: 'Statistics' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { name: 'Statistics', level: 1 })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText([
    'Product version',
    'Name',
    'Edition',
    'Customer contact',
    'Customer E-mail',
    'Sales Channel',
    'Region',
    'Created',
    'Valid until',
    'Status',
  ])
  expect(await shownRooms(page)).toEqual(['mine', 'ent', 'basic', 'adv'])
  expect(await totals(page)).toEqual([
    'Project rooms 4',
    'Designer licences 6',
    'Viewer licences 33',
    'Engineer licences 9',
    'Analyst licences 8',
    'Architect licences 2',
    'EP business strategy licences 1',
    'EP EAM licences 6',
    'Architect SAP licences 7',
    'Connect designer SAP licences 4',
    'AI credits 1,500',
    'ES designer licences 12',
    'ES viewer licences 7',
    'ES viewer pro licences 3',
    'ES admin licences 1',
  ])
  await expect(
    page.getByText('Active and suspended project rooms are counted; those in other states are not.'),
  ).toBeVisible()
  const adv = ['ARIS', 'Advanced', 'Øyvind Łukasz', 'owner@example.com', 'Direct Sales', 'region-1', '05.03.2026']
  await expect(rowOf(page, 'adv').getByRole('cell')).toHaveText([...adv, 'Unlimited', 'Active'])
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect(page).toHaveURL(`${path}?sort=tenantName&dir=asc`)
  await expect(page.getByRole('rowheader').first()).toHaveText('adv')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(listPath)
})

// shows: statistics-filters
test('every dropdown and the search narrow rows, totals and charts; Reset filter ends that, and all is in the URL', async ({
  openAs,
  network,
}) => {
  await insertSomeRooms(network)
  const page = await openAs('CLOUD_SALES', path)
  const expectRooms = async (...names: string[]) => expect.poll(() => shownRooms(page)).toEqual(names)
  await expect(filterBy(page, 'Status').getByRole('option')).toHaveText(['All', 'Active', 'Suspended'])
  await filterBy(page, 'Product version').selectOption('ARIS')
  await expectRooms('basic', 'adv')
  await filterBy(page, 'Status').selectOption('Suspended')
  await expectRooms('basic')
  await expect
    .poll(() => totals(page).then((all) => all.slice(0, 3)))
    .toEqual(['Project rooms 1', 'Designer licences 1', 'Viewer licences 10'])
  await expect(bars(page, 'Project rooms by product')).toHaveText(['ARIS1'])
  await page.reload()
  await expectRooms('basic')
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await expectRooms('mine', 'ent', 'basic', 'adv')
  await filterBy(page, 'Edition').selectOption('Enterprise shared')
  await expectRooms('ent')
  // Totals of which such rooms can have nothing are not there, instead of being 0.
  const ofEnterprise = ['AI credits 1,500', 'ES designer licences 12', 'ES viewer licences 7']
  await expect
    .poll(() => totals(page))
    .toEqual(['Project rooms 1', ...ofEnterprise, 'ES viewer pro licences 3', 'ES admin licences 1'])
  await filterBy(page, 'Edition').selectOption('All')
  await filterBy(page, 'Sales Channel').selectOption('Online Shop')
  await expectRooms('basic')
  await filterBy(page, 'Sales Channel').selectOption('All')
  await filterBy(page, 'Region').selectOption('region-2')
  await expectRooms('mine', 'ent')
  await page.goBack()
  await expectRooms('mine', 'ent', 'basic', 'adv')
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('Customer Name')
  await searchBox(page).fill('łuk')
  await expectRooms('adv')
  await searchBox(page).fill('nobody')
  await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await expectRooms('mine', 'ent', 'basic', 'adv')
  await expect(page).toHaveURL(path)
})

// shows: statistics-page
test('searching leads back to the first page', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, numberedRooms('room', 25))
  const page = await openAs('CLOUD_OPERATOR', path)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await searchBox(page).fill('room1')
  await expect(page.getByText('1–10 of 10')).toBeVisible()
  await expect(page).toHaveURL(`${path}?size=20&q=room1`)
  await page.getByRole('link', { name: 'room12' }).click()
  await expect(page).toHaveURL('/project/edit_project_room/room12')
})

test('charts that come late do not move the table', async ({ page, openAs, network }) => {
  await insertSomeRooms(network)
  await page.setViewportSize({ width: 1700, height: 900 })
  const isMeasured = Promise.withResolvers<void>()
  await page.route(/assets\/StatisticsCharts-.*\.js/, async (route) => {
    await isMeasured.promise
    await route.continue()
  })
  await openAs('CLOUD_OPERATOR', path)
  const head = page.getByRole('columnheader', { name: 'Region', exact: true })
  await expect(page.getByRole('row', { name: /adv/ })).toBeVisible()
  const charts = page.getByRole('region', { name: 'Charts' })
  await expect(charts).toHaveCount(0)
  const before = await head.boundingBox()
  isMeasured.resolve()
  await expect(charts.getByRole('link').first()).toBeVisible()
  expect(await head.boundingBox()).toEqual(before)
})

// shows: verify-statistics
test('each chart can be read as a table and is saved as CSV, with names that are no formulas', async ({
  openAs,
  network,
}) => {
  await insertSomeRooms(network)
  await network.database.rows(`update regions set name = '=region-2' where id = 2`)
  const page = await openAs('CLOUD_OPERATOR', path)
  const byRegion = page.getByRole('region', { name: 'Project rooms by region', exact: true })
  await expect(bars(page, 'Project rooms by region').filter({ hasText: 'region-1' })).toHaveText('region-12')
  await byRegion.getByRole('button', { name: 'Project rooms by region: show as table' }).click()
  await expect(byRegion.getByRole('row')).toHaveText(['RegionProject rooms', '=region-22', 'region-12'])
  const downloading = page.waitForEvent('download')
  await byRegion.getByRole('button', { name: 'Project rooms by region: export as CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^byRegion_\d{4}-\d\d-\d\dT.*\.csv$/)
  const csv = await readFile((await download.path()) ?? '', 'utf8')
  expect(csv).toBe(`"Region","Project rooms"\r\n"'=region-2",2\r\n"region-1",2\r\n`)
  for (const title of [
    'Project rooms by product',
    'Project rooms by edition',
    'Created per month',
    'Project rooms without a backup',
    'Licences by kind',
  ]) {
    await expect(page.getByRole('region', { name: title }).getByRole('list', { name: title })).toBeVisible()
  }
  const none = ['younger than 1 day4', 'younger than 7 days4', 'younger than 30 days4']
  await expect(bars(page, 'Project rooms without a backup')).toHaveText(none)
  await page.getByRole('button', { name: 'Hide charts' }).click()
  await expect(page.getByRole('region', { name: 'Charts' })).toHaveCount(0)
})

test('charts come before the table; bars lead to the list of the rooms that they count, the rest to all bars', async ({
  openAs,
  network,
}) => {
  await insertSomeRooms(network)
  await insertRooms(network, [{ name: 'new', createdAt: new Date().toISOString() }])
  const page = await openAs('CLOUD_SUPPORT', path)
  const kinds = page.getByRole('region', { name: 'Licences by kind' })
  await kinds.getByRole('button', { name: '9 more' }).click()
  await expect(kinds.getByRole('row')).toHaveCount(15)
  await filterBy(page, 'Region').selectOption('region-1')
  const product = bars(page, 'Project rooms by product').filter({ hasText: 'ARIS' })
  await expect(product).toHaveText('ARIS3')
  const table = await page.getByRole('table', { name: 'Statistics' }).boundingBox()
  expect((await product.boundingBox())?.y).toBeLessThan(table?.y ?? 0)
  const months = bars(page, 'Created per month')
  await expect(months.last()).toHaveText(/, so far: 1/)
  for (const [bar, rooms] of [
    [product, ['new', 'basic', 'adv']],
    [months.filter({ hasText: 'Mar 2026' }), ['basic', 'adv']],
    [bars(page, 'Project rooms without a backup').filter({ hasText: '7 days' }), ['new', 'basic', 'adv']],
  ] as const) {
    // The whole line of a bar can be clicked.
    await bar.click({ position: { x: 8, y: 8 } })
    await expect(page.getByRole('heading', { name: 'Project Rooms', exact: true })).toBeVisible()
    await expect.poll(() => shownRooms(page)).toEqual(rooms)
    await expect(page.getByText('Region: region-1', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(bar).toBeVisible()
  }
})
