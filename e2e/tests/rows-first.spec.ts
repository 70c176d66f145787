/** A broad search: its rows are shown as soon as they exist, and the totals after them. */
import type { Page, Route } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { searchBox, shownRooms } from '../room-list.ts'

/** Answers as the server does when counting would take long, and holds the totals back until `release` is called. */
async function countSlowly(page: Page): Promise<{ asked: () => string[]; release: () => void }> {
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route('**/api/operator/get_tenants?*', async (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    asked.push(query.get('totals') ?? '')
    if (query.get('totals') === 'only') {
      await gate.promise
      return route.continue()
    }
    const response = await route.fetch()
    const json = await response.json()
    await route.fulfill({ response, json: { ...json, totalElements: null, totalPages: null, licenses: null } })
  })
  return { asked: () => asked, release: gate.resolve }
}

/** Answers full pages without totals, as the server does when counting would take long. */
async function countLate(page: Page): Promise<{ hold: () => () => void }> {
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  await page.route('**/api/operator/get_tenants?*', async (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    if (query.get('totals') === 'only') return route.continue()
    await gate.promise
    const response = await route.fetch()
    const json = await response.json()
    const isFull = json.data.length === Number(query.get('size'))
    const late = { totalElements: null, totalPages: null, licenses: null }
    await route.fulfill({ response, json: isFull ? { ...json, ...late } : json })
  })
  return {
    hold: () => {
      gate = Promise.withResolvers<void>()
      return gate.resolve
    },
  }
}

test('totals stand beside the rows that they count, and old ones lead nobody off a page', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [...numberedRooms('north', 45), ...numberedRooms('south', 80)])
  const page = await openAs('CLOUD_SUPPORT')
  const pager = page.getByRole('navigation', { name: 'Pages' })
  const { hold } = await countLate(page)
  await searchBox(page).fill('north')
  await expect(pager).toContainText('1–20 of 45')
  await searchBox(page).fill('south')
  await expect(pager).toContainText('1–20 of 80')
  await page.getByRole('columnheader', { name: 'Edition' }).getByRole('button').click()
  await expect(pager).toContainText('1–20 of 80')
  const release = hold()
  await searchBox(page).fill('north')
  await expect(page.locator('table[aria-busy="true"]')).toContainText('south')
  await expect(pager).toContainText('1–20 of 80')
  release()
  await expect(pager).toContainText('1–20 of 45')

  await searchBox(page).fill('south')
  await expect(pager).toContainText('1–20 of 80')
  await pager.getByRole('button', { name: 'Last page' }).click()
  await expect(pager).toContainText('61–80 of 80')
  await pager.getByRole('button', { name: 'First page' }).click()
  await network.database.rows(`delete from rooms where name between 'south21' and 'south60'`)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(pager).toContainText('1–20 of 40')
  await insertRooms(network, numberedRooms('south', 60).slice(20))
  await page.goBack()
  await expect(pager).toContainText('61–80 of 80')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the rows of a broad search do not wait for their totals, which come once and move nothing', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('broad', 45))
  const page = await openAs('CLOUD_SUPPORT')
  const pager = page.getByRole('navigation', { name: 'Pages' })
  await expect(pager).toContainText('1–20 of 45')
  const { asked, release } = await countSlowly(page)
  await searchBox(page).fill('broad')
  await expect(pager).toContainText('1–20 of …')
  expect(await shownRooms(page)).toContain('broad45')
  await expect(pager).toContainText('Page 1 of …')
  const licences = page.getByRole('region', { name: 'Licences' })
  await expect(licences).toContainText('…')
  const next = pager.getByRole('button', { name: 'Next page' })
  const places = async () => [await next.boundingBox(), await licences.boundingBox()]
  const before = await places()
  // A page that is full has a next one, whatever the total.
  await next.click()
  await expect(pager).toContainText('21–40 of …')
  release()
  await expect(pager).toContainText('21–40 of 45')
  await expect(licences).toContainText('45')
  expect(await places()).toEqual(before)
  await pager.getByRole('button', { name: 'Last page' }).click()
  await expect(pager).toContainText('41–45 of 45')
  // The pages of one search share their totals.
  expect(asked().filter((each) => each === 'only')).toHaveLength(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
