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
  expect(asked()).toEqual(['if-quick', 'only', 'if-quick', 'if-quick'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
