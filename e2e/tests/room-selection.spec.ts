/** Selecting rooms in the list, and what can be done with a selection. */
import { readFile } from 'node:fs/promises'
import { expectAccessible } from '../accessibility.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { untilRoomIs } from '../region-room.ts'
import { rowOf, searchBox } from '../room-list.ts'

test('a selection is suspended room by room: who cannot be is named before, who could not be afterwards', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  await insertRooms(network, [{ name: `${name}-asleep`, state: 'SUSPENDED' }, { name: `${name}-lost` }])
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, name)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  const first = rowOf(page, `${name}-lost`)
  await expect(first).toBeFocused()
  await expect(page.getByRole('rowheader')).toHaveCount(3)
  const before = await first.boundingBox()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('j')
  await page.keyboard.press('X')
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  await expect(bar.getByRole('status')).toHaveText('3 selected')
  expect(await first.boundingBox(), 'the bar moves no row').toEqual(before)

  await bar.getByRole('button', { name: 'Suspend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend 3 project rooms' })
  await expect(dialog.getByText('1 · This project room is suspended.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend 2 project rooms' }).click()
  // Three were selected, and one of them was suspended already.
  await expect(dialog.getByRole('status')).toHaveText('1 of 3 suspended', { timeout: 60_000 })
  await expect(dialog.getByRole('region', { name: '2 could not be suspended' })).toContainText(`${name}-lost`)
  await untilRoomIs(network, name, 'SUSPENDED')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar).toBeHidden()
  await expect(first).toBeFocused()
})

test('a room whose region takes longer counts when it is done, and one that is gone is told before anything begins', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^POST \/api\/operator\/bulk 409$/)
  const name = await network.newRoom()
  await insertRooms(network, [{ name: `${name}-gone` }])
  await setFaults(network, name, [{ method: 'POST', action: 'delay', milliseconds: 3000 }])
  const page = await openAs('CLOUD_SALES')
  for (const each of [name, `${name}-gone`])
    await page.getByRole('checkbox', { name: `Select ${each}`, exact: true }).check()
  await page.getByRole('button', { name: 'Suspend …', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend 2 project rooms' })
  await expect(dialog.getByRole('button', { name: 'Suspend 2 project rooms' })).toBeEnabled()
  await network.database.rows('delete from rooms where name = $1', [`${name}-gone`])
  await dialog.getByRole('button', { name: 'Suspend 2 project rooms' }).click()
  // The selection is another one by now, and the dialog says so before anything begins.
  await expect(dialog.getByText('The selection has changed: it is now 1 project room')).toBeVisible()
  await dialog.getByRole('button', { name: 'Suspend 1 project room' }).click()
  await expect(dialog.getByRole('status')).toHaveText('Suspending: 0 of 1')
  await expect(dialog.getByRole('status')).toHaveText('1 of 1 suspended')
})

test('a bulk goes on without its tab, can be stopped, and its screen names what did not begin', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  await insertRooms(network, numberedRooms('many', 12))
  await setFaults(network, 'many', [{ method: 'POST', action: 'delay', milliseconds: 4000, times: 100 }])
  const page = await openAs('CLOUD_OPERATOR')
  await searchBox(page).fill('many')
  await expect(rowOf(page, name)).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  await page.getByRole('button', { name: 'Suspend …', exact: true }).click()
  await page.getByRole('button', { name: 'Suspend 12 project rooms' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend 12 project rooms' })
  await expect(dialog.getByText('Running: ')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: 'New project room' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create project room' })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Suspending: 0 of 12' }).click()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByRole('link', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Suspend \w+ and 11 more$/ })).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'screen of a bulk', 'main')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('row').filter({ hasText: /Suspend \w+ and 11 more/ })).toContainText('Cancelled')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Resume project rooms')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).first().click()
  await expect(page.getByRole('row').filter({ hasText: /and 11 more/ })).toBeVisible()
  await expectAccessible(page, 'list of bulks', 'main')
})

test('with Shift a range, then all that match, with exceptions, exported', async ({ openAs, network }) => {
  await insertRooms(network, [...numberedRooms('room', 25), { name: 'other' }])
  const page = await openAs('CLOUD_SUPPORT')
  await searchBox(page).fill('room')
  await expect(rowOf(page, 'other')).toHaveCount(0)
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await expect(rowOf(page, 'room25')).toBeVisible()
  await box('room25').click()
  await box('room21').click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  await expect(bar.getByRole('status')).toHaveText('5 selected')
  await expect(bar.getByRole('button', { name: 'Suspend' })).toHaveCount(0)
  await bar.getByRole('button', { name: 'Select all 25 matching' }).click()
  await box('room23').uncheck()
  await expect(bar.getByRole('status')).toHaveText('24 selected')
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export selection' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  const rooms = csv.match(/\broom\d\d\b/g) ?? []
  expect(new Set(rooms).size).toBe(24)
  expect(rooms).not.toContain('room23')
  expect(csv).not.toContain('other')
  // Another search is another selection.
  await searchBox(page).fill('room2')
  await expect(bar).toBeHidden()
})

test('all that match are read by name, not by page, and only as many as can be taken at once', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [...numberedRooms('many', 99), ...numberedRooms('more', 31), { name: 'other' }])
  const page = await openAs('CLOUD_SUPPORT')
  await searchBox(page).fill('owner')
  await expect(page.getByText('1–20 of 131')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  await bar.getByRole('button', { name: 'Select all 131 matching' }).click()
  await page.getByRole('checkbox', { name: 'Select other' }).uncheck()
  const asked: string[] = []
  page.on('request', (request) => {
    const query = new URL(request.url()).searchParams
    if (request.url().includes('/get_tenants?')) asked.push(`${query.get('page')} ${query.get('filter_values')}`)
  })
  const download = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export selection' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(new Set(csv.match(/\bm(any|ore)\d\d\b/g)).size).toBe(130)
  expect(csv).not.toContain('other')
  expect(asked).toEqual(['0 ', '0 more01'])

  // A room that has just gone makes a page short, which is not the end.
  await page.route('**/api/operator/get_tenants?page=0&size=100&*', async (route) => {
    const response = await route.fetch()
    const list = await response.json()
    await route.fulfill({ response, json: { ...list, data: list.data.slice(1) } })
  })
  const shorter = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export selection' }).click()
  const rest = await readFile(await (await shorter).path(), 'utf8')
  expect(new Set(rest.match(/\bm(any|ore)\d\d\b/g)).size).toBe(128)
  await page.unrouteAll({ behavior: 'wait' })

  await page.route('**/api/operator/get_tenants?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), totalElements: 100_002 } })
  })
  await bar.getByRole('button', { name: 'Clear selection' }).press('Enter')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  await bar.getByRole('button', { name: 'Select all 100,002 matching' }).press('Enter')
  await page.getByRole('checkbox', { name: 'Select other' }).uncheck()
  await bar.getByRole('button', { name: 'Export selection' }).press('Enter')
  await expect(page.getByText('At most 100,000 project rooms can be taken at once.')).toBeVisible()
})

test('selected rooms are moved from the list, by administrators only', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 2))
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  await bar.getByRole('button', { name: 'Move …' }).click()
  await expect(page.getByRole('dialog', { name: 'Move 2 project rooms to …' })).toBeVisible()
  const sales = await openAs('CLOUD_SALES')
  await sales.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  await expect(bar.getByRole('button', { name: 'Export selection' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Move …' })).toBeHidden()
})

test('at every width a selection moves neither rows nor pager, and no panel ends below the window', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('room', 45))
  const page = await openAs('CLOUD_OPERATOR')
  const bar = page.getByRole('region', { name: 'Selected project rooms' })
  const row = page.getByRole('row', { name: /room/ }).nth(1)
  const pager = page.getByRole('navigation', { name: 'Pages' })
  for (const [width, height] of [
    [1280, 800],
    [800, 600],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(row).toBeVisible()
    const places = async () => [await row.boundingBox(), await pager.boundingBox()]
    const before = await places()
    const box = row.getByRole('checkbox')
    await expect(box).toBeInViewport({ ratio: 1 })
    if (width < 560) expect((await box.boundingBox())?.width).toBeGreaterThanOrEqual(24)
    await box.click()
    await expect(bar.getByRole('status')).toHaveText('1 selected')
    expect(await places(), `${width} px`).toEqual(before)
    const lines = (await bar.boundingBox())?.height ?? Number.POSITIVE_INFINITY
    expect(lines, `${width} px`).toBeLessThanOrEqual(width < 560 ? 90 : 36)
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('button', { name: 'Filters' }).click()
    const company = page.getByRole('dialog', { name: 'Filters' }).getByRole('textbox', { name: 'Company' })
    await company.scrollIntoViewIfNeeded()
    await expect(company).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(company).toBeHidden()
  }
})
