/** The number of bytes of JavaScript that a first visit transfers. */
import type { Page, Request } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listHeading } from '../room-list.ts'

const kilobyte = 1000

/** Counts from now on. @returns the bytes of all scripts received, and the largest ones for the failure message */
function watchScripts(page: Page) {
  const requests: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script' || request.url().endsWith('.js')) requests.push(request)
  })
  return async () => {
    const files = await Promise.all(
      requests.map(async (request) => ({
        name: new URL(request.url()).pathname,
        bytes: (await request.sizes()).responseBodySize,
      })),
    )
    const largest = files.sort((a, b) => b.bytes - a.bytes).slice(0, 5)
    return { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), largest: JSON.stringify(largest) }
  }
}

test('the login page loads at most 130 kB of JavaScript', async ({ page }) => {
  const loaded = watchScripts(page)
  await page.goto('/project/operator', { waitUntil: 'networkidle' })
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  const { bytes, largest } = await loaded()
  test.info().annotations.push({ type: 'bytes', description: String(bytes) })
  expect(bytes, 'scripts have been seen').toBeGreaterThan(50 * kilobyte)
  expect(bytes, largest).toBeLessThanOrEqual(130 * kilobyte)
})

test('the list of rooms loads at most 250 kB of JavaScript, and neither charts nor editor', async ({
  page,
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'room' }])
  const loaded = watchScripts(page)
  await openAs('CLOUD_ADMINISTRATOR')
  await expect(listHeading(page)).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'room' })).toBeVisible()
  const { bytes, largest } = await loaded()
  test.info().annotations.push({ type: 'bytes', description: String(bytes) })
  expect(bytes, 'scripts have been seen').toBeGreaterThan(50 * kilobyte)
  expect(bytes, largest).toBeLessThanOrEqual(250 * kilobyte)
})
