/** The list of project rooms: what it shows, and how it is sorted, paged, refreshed and kept. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { listHeading, listPath, rowOf, searchBox, shownRooms, storedText } from '../room-list.ts'
import { toast } from '../toasts.ts'

// shows: list-columns, edition-labels
test('every column shows its field, dates as dd.MM.yyyy, a missing expiration as Unlimited, a past one as Expired', async ({
  openAs,
  network,
}) => {
  const march = '2026-03-05T12:00:00Z'
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  await insertRooms(network, [
    { name: 'fullroom', createdAt: march, expirationDate: '2031-01-09', firstName: 'Zoë', lastName: 'Łukasz' },
    { name: 'shop', createdAt: march, edition: 'advanced', salesChannel: 'online-shop', state: 'SUSPENDED' },
    {
      name: 'base',
      createdAt: march,
      edition: 'advanced-base-extension',
      expirationDate: '2026-04-30',
      state: 'ERROR',
    },
    { name: 'mine', createdAt: march, product: 'MINING', edition: 'enterprise', state: 'IN_PROGRESS' },
    { name: 'ent', createdAt: march, product: 'ENTERPRISE', edition: 'enterprise-shared', region: 2 },
    { name: 'away', createdAt: march, state: 'MARKED_FOR_DELETION' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  await expect(page.getByRole('columnheader')).toHaveText([
    // The checkboxes.
    '',
    'Product',
    'Name',
    'Edition',
    'Customer contact',
    'Customer E-mail',
    'Sales channel',
    'Region',
    'Created',
    'Valid until',
    'Status',
    'Actions',
  ])
  const owner = ["Øyvind O'Neil", 'owner@example.com']
  const rest = ['Direct Sales', 'region-1', '05.03.2026']
  const rows: Record<string, string[]> = {
    fullroom: ['ARIS', 'Basic', 'Zoë Łukasz', 'owner@example.com', ...rest, '09.01.2031', 'Active'],
    shop: ['ARIS', 'Advanced', ...owner, 'Online Shop', 'region-1', '05.03.2026', 'Unlimited', 'Suspended'],
    base: ['ARIS', 'Advanced incl. Base Extension', ...owner, ...rest, '30.04.2026 Expired', 'Error'],
    mine: ['MINING', 'Enterprise', ...owner, ...rest, 'Unlimited', 'In progress'],
    ent: [
      'ENTERPRISE',
      'Enterprise shared',
      ...owner,
      'Direct Sales',
      'region-2',
      '05.03.2026',
      'Unlimited',
      'Disabled region',
    ],
    away: ['ARIS', 'Basic', ...owner, ...rest, 'Unlimited', 'On deleting'],
  }
  for (const [name, texts] of Object.entries(rows)) {
    await expect(rowOf(page, name).getByRole('cell')).toHaveText(['', ...texts, ''])
  }
})

// shows: list-row-colours
test('a room in error in a disabled region can be neither opened nor deleted, and the server refuses to delete it', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'failed1', state: 'ERROR', region: 2 }])
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  const page = await openAs('CLOUD_ADMINISTRATOR')
  const row = rowOf(page, 'failed1')
  await expect(row.getByText('Error', { exact: true })).toBeVisible()
  for (const action of ['Edit failed1', 'Delete failed1']) {
    const button = row.getByRole('button', { name: `${action}: The region of this project room is disabled.` })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
  }
  const refused = network.admin.call('deleteRoom', { body: { roomName: 'failed1' } })
  await expect(refused).rejects.toMatchObject({ code: 'wrong-state' })
})

test('rows that are being worked on are grey, failed ones red, those in a disabled region faded', async ({
  openAs,
  network,
}) => {
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  await insertRooms(network, [
    { name: 'active' },
    { name: 'busy', state: 'IN_PROGRESS' },
    { name: 'away', state: 'MARKED_FOR_DELETION' },
    { name: 'failed', state: 'ERROR' },
    { name: 'off', region: 2 },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  await page.mouse.move(0, 0)
  const look = async (name: string) => {
    const cell = rowOf(page, name).getByRole('cell').first()
    return cell.evaluate((element) => {
      const { color, backgroundColor } = element.ownerDocument.defaultView.getComputedStyle(element)
      return { color, backgroundColor }
    })
  }
  const [active, busy, away, failed, off] = await Promise.all(['active', 'busy', 'away', 'failed', 'off'].map(look))
  expect(busy).toEqual(away)
  expect(busy?.backgroundColor).not.toBe(active?.backgroundColor)
  expect(busy?.color).not.toBe(active?.color)
  expect(failed?.backgroundColor).not.toBe(active?.backgroundColor)
  expect(failed?.backgroundColor).not.toBe(busy?.backgroundColor)
  expect(off?.color).not.toBe(active?.color)
})

// shows: M-000-002, M-000-005, list-target
test('a region that is the target of a live migration is marked', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 1))
  const page = await openAs('CLOUD_SUPPORT', '/project/operator')
  await expect(listHeading(page)).toBeVisible()
  await network.admin.call('saveLiveMigration', { body: { sourceRegion: 2, targetRegion: 1 } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(rowOf(page, 'room01').getByRole('cell', { name: 'region-1 (Target)', exact: true })).toBeVisible()
})

// shows: C-listRooms, list-sort
test('every column sorts both ways, by name descending at first', async ({ openAs, network }) => {
  await insertRooms(network, roomsInManyOrders)
  const page = await openAs('CLOUD_SUPPORT')
  const headOf = (column: string) => page.getByRole('columnheader', { name: column, exact: true })
  await expect(headOf('Name')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => shownRooms(page)).toEqual(['rf', 're', 'rd', 'rc', 'rb', 'ra'])
  const orders = new Set<string>()
  for (const [column, order_by] of Object.entries(sortedBy)) {
    for (const [order_dir, ariaSort] of [['asc', 'ascending'] as const, ['desc', 'descending'] as const]) {
      const { body: sorted } = await network.admin.call('listRooms', { query: { order_by, order_dir } })
      const names = sorted.data.map((room) => room.tenantName)
      orders.add(names.join())
      await headOf(column).getByRole('button').click()
      await expect(headOf(column)).toHaveAttribute('aria-sort', ariaSort)
      await expect.poll(() => shownRooms(page), `${column} ${ariaSort}`).toEqual(names)
    }
  }
  expect(orders.size, 'no two columns give the same order').toBe(20)
})

// shows: list-pages
test('the pages are counted, and rows per page are remembered', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 45))
  const page = await openAs('CLOUD_SUPPORT')
  const rowsPerPage = page.getByRole('combobox', { name: 'Rows per page' })
  await expect(rowsPerPage.getByRole('option')).toHaveText([
    'Rows: 20',
    'Rows: 40',
    'Rows: 60',
    'Rows: 80',
    'Rows: 100',
  ])
  await expect(rowsPerPage).toHaveValue('20')
  const first = await expectPage(page, ['1–20 of 45', 'Page 1 of 3'], 20)
  expect(first.at(0)).toBe('room45')
  await expect(page.getByRole('button', { name: 'Previous page' })).toBeDisabled()
  await page.getByRole('button', { name: 'Next page' }).click()
  const second = await expectPage(page, ['21–40 of 45', 'Page 2 of 3'], 20)
  await page.getByRole('button', { name: 'Last page' }).click()
  const third = await expectPage(page, ['41–45 of 45', 'Page 3 of 3'], 5)
  await page.getByRole('button', { name: 'Page 3 of 3' }).click()
  const number = page.getByRole('textbox', { name: 'Go to page' })
  await number.fill('4')
  await number.press('Enter')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await number.fill('2')
  await number.press('Enter')
  await expectPage(page, ['21–40 of 45', 'Page 2 of 3'], 20)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expectPage(page, ['41–45 of 45', 'Page 3 of 3'], 5)
  expect(new Set([...first, ...second, ...third]).size).toBe(45)
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()

  await rowsPerPage.selectOption('Rows: 60')
  await expectPage(page, ['1–45 of 45', 'Page 1 of 1'], 45)
  await page.goto(listPath)
  await expect(rowsPerPage).toHaveValue('60')
  await expectPage(page, ['1–45 of 45', 'Page 1 of 1'], 45)
})

test('a page is fetched while the pointer rests on the button that leads to it, and stands there at the click', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('room', 45))
  const page = await openAs('CLOUD_SUPPORT')
  await expectPage(page, ['1–20 of 45', 'Page 1 of 3'], 20)
  const next = page.getByRole('button', { name: 'Next page' })
  const fetched = page.waitForResponse((response) => response.url().includes('get_tenants?page=1&'))
  await next.hover()
  await fetched
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/operator/get_tenants?page=1&**', async (route) => {
    await gate.promise
    await route.continue()
  })
  // A prefetched page may be out of date: it is fetched again, and the page after it is prefetched.
  const asked = Promise.all(
    [1, 2].map((of) => page.waitForResponse((response) => response.url().includes(`get_tenants?page=${of}&`))),
  )
  await next.click()
  await expectPage(page, ['21–40 of 45', 'Page 2 of 3'], 20)
  expect(await shownRooms(page)).toContain('room25')
  gate.resolve()
  await asked
})

test('search, sort, filter and page stand in the URL: a reload and the back button keep them', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [...numberedRooms('wanted', 30), ...numberedRooms('other', 3)])
  const page = await openAs('CLOUD_SUPPORT')
  await searchBox(page).fill('wanted')
  await expect(page.getByText('1–20 of 30')).toBeVisible()
  await page.getByRole('columnheader', { name: 'Name', exact: true }).getByRole('button').click()
  await expect.poll(async () => (await shownRooms(page)).at(0)).toBe('wanted01')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expectPage(page, ['21–30 of 30', 'Page 2 of 2'], 10)

  await page.reload()
  const rows = await expectPage(page, ['21–30 of 30', 'Page 2 of 2'], 10)
  expect(rows.at(0)).toBe('wanted21')
  await expect(searchBox(page)).toHaveValue('wanted')

  await page.goBack()
  await expect.poll(async () => (await shownRooms(page)).at(0)).toBe('wanted01')
  await page.goBack()
  await expect.poll(async () => (await shownRooms(page)).at(0)).toBe('wanted30')
  await page.goBack()
  await expect(page.getByText('1–20 of 33')).toBeVisible()
  await expect(searchBox(page)).toHaveValue('')
})

test('a room is opened and left again with the list as it was', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, numberedRooms('room', 25))
  const page = await openAs('CLOUD_SALES', `${listPath}?page=2&q=room`)
  await rowOf(page, 'room03').getByRole('button', { name: 'Edit room03' }).click()
  await expect(page).toHaveURL('/project/edit_project_room/room03')
  await expect(page.getByRole('heading', { name: 'Project room room03' })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(`${listPath}?page=2&q=room`)
  await expect(rowOf(page, 'room03')).toBeVisible()
})

// shows: list-refresh
test('refresh fetches what has changed meanwhile', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'before' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect.poll(() => shownRooms(page)).toEqual(['before'])
  await insertRooms(network, [{ name: 'after' }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => shownRooms(page)).toEqual(['before', 'after'])
})

test('nothing yet, no match and could not load are three different screens', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const page = await openAs('CLOUD_SUPPORT')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Valid until' })).toBeVisible()
  await expect(page.getByText('Page 1 of 1')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create the first one' })).toHaveCount(0)

  await insertRooms(network, [{ name: 'only' }])
  await page.goto(`${listPath}?q=nothing&in=email&hideFailed=true`)
  await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await expect(page.getByText('Page 1 of 1')).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).click()
  await expect.poll(() => shownRooms(page)).toEqual(['only'])
  await expect(page).toHaveURL(listPath)
  await expect(searchBox(page)).toHaveValue('')

  browserErrors.expect(/^POST \/api\/operator\/get_tenants 503$/)
  await refuseLists(page)
  await page.goto(`${listPath}?q=only`)
  const failure = page.getByRole('alert').filter({ hasText: 'The project rooms could not be loaded' })
  await expect(failure.getByText(unreachable.detail)).toBeVisible()
  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => shownRooms(page)).toEqual(['only'])
})

test('rows that cannot be refreshed stay, and it is said', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(/^POST \/api\/operator\/get_tenants 503$/)
  await insertRooms(network, [{ name: 'before' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect.poll(() => shownRooms(page)).toEqual(['before'])
  await refuseLists(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  const notice = page.getByRole('alert').filter({ hasText: unreachable.detail })
  await expect(notice).toBeVisible()
  expect(await shownRooms(page)).toEqual(['before'])
  await page.unrouteAll()
  await insertRooms(network, [{ name: 'after' }])
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => shownRooms(page)).toEqual(['before', 'after'])
  await expect(notice).toHaveCount(0)
})

test('an export that fails is told', async ({ openAs, browserErrors }) => {
  browserErrors.expect(/^POST \/api\/operator\/export_tenants\/ticket 503$/)
  const page = await openAs('CLOUD_SUPPORT')
  await page.route('**/api/operator/export_tenants**', (route) => route.fulfill({ status: 503, json: unreachable }))
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(toast(page, 'Export', 'Export failed')).toBeVisible()
})

// shows: list-cache
test('the rows of the last visit are shown at once, while the answer is on its way', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'before' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect.poll(() => storedText(page)).toContain('before')
  await insertRooms(network, [{ name: 'after' }])
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/operator/get_tenants**', async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  await expect.poll(() => shownRooms(page)).toEqual(['before'])
  gate.resolve()
  await expect.poll(() => shownRooms(page)).toEqual(['before', 'after'])
})

test('states and editions of a newer server do not fail the list: that room offers no action, the others all', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'newer' }, { name: 'other' }])
  const page = await openAs('CLOUD_OPERATOR', '/project/statistics')
  await page.route('**/api/operator/get_tenants**', async (route) => {
    const answer = await route.fetch()
    const list = await answer.json()
    for (const room of list.data) {
      if (room.tenantName === 'newer') Object.assign(room, { projectRoomState: 'HIBERNATED', edition: 77 })
    }
    await route.fulfill({ response: answer, json: list })
  })
  await page.goto(listPath)
  await expect(rowOf(page, 'newer').getByRole('cell', { name: '77' })).toBeVisible()
  await expect(rowOf(page, 'newer')).toContainText('Undefined')
  await expect(rowOf(page, 'newer').getByRole('button', { name: /^(Edit|Delete)/, disabled: false })).toHaveCount(0)
  await expect(rowOf(page, 'other').getByRole('button', { name: /^Delete/, disabled: false })).toHaveCount(1)
})

async function expectPage(page: Page, texts: string[], rows: number): Promise<string[]> {
  for (const text of texts) await expect(page.getByText(text, { exact: true })).toBeVisible()
  // The pager changes before the rows: the previous rows are shown until the answer arrives.
  await expect(page.locator('table[aria-busy=true]')).toHaveCount(0)
  await expect(page.getByRole('rowheader')).toHaveCount(rows)
  return shownRooms(page)
}

const unreachable = {
  type: 'urn:roomkeeper:database-unreachable',
  title: 'Database unreachable',
  status: 503,
  detail: 'The database cannot be reached. Please try again.',
  instance: '/api/operator/get_tenants',
}

/** Answers as the server does while its database is unreachable. */
async function refuseLists(page: Page): Promise<void> {
  await page.route('**/api/operator/get_tenants**', (route) => route.fulfill({ status: 503, json: unreachable }))
}

/** Columns, and the fields of get_tenants by which they sort. */
const sortedBy = {
  Product: 'product',
  Name: 'tenantName',
  Edition: 'edition',
  'Customer contact': 'customerLastName',
  'Customer E-mail': 'customerEmail',
  'Sales channel': 'productType',
  Region: 'region',
  Created: 'creationDate',
  'Valid until': 'expirationDate',
  Status: 'projectRoomState',
}

// biome-ignore format: a table
const roomsInManyOrders = ([
  ['ra', 'MINING', 'enterprise', 'F', 'c@x', 'online-shop', 2, '2026-03-01', '2031-02-01', 'SUSPENDED'],
  ['rb', 'ARIS', 'advanced', 'B', 'e@x', 'direct-sales', 1, '2026-06-01', '2031-04-01', 'DEFAULT'],
  ['rc', 'ENTERPRISE', 'enterprise-shared', 'E', 'a@x', 'direct-sales', 2, '2026-01-01', '2031-06-01', 'ERROR'],
  ['rd', 'ARIS', 'basic', 'A', 'f@x', 'online-shop', 1, '2026-01-15', '2031-01-01', 'DEFAULT'],
  ['re', 'MINING', 'basic', 'D', 'b@x', 'direct-sales', 1, '2026-02-01', '2031-03-01', 'SUSPENDED'],
  ['rf', 'ARIS', 'advanced-base-extension', 'C', 'd@x', 'online-shop', 2, '2026-04-01', '2031-05-01', 'ERROR'],
] as const).map(([name, product, edition, lastName, email, salesChannel, region, day, expirationDate, state]) => (
  { name, product, edition, lastName, email, salesChannel, region, createdAt: `${day}T12:00:00Z`, expirationDate, state }
))
