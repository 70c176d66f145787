/** The number of bytes of JavaScript that a first visit transfers, of every page. */
import type { Page, Request } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listHeading, listPath } from '../room-list.ts'

const kilobyte = 1000

/** Counts from now on. @returns the bytes of all scripts received, and the largest ones for the failure message */
function watchScripts(page: Page) {
  const requests: Request[] = []
  const note = (request: Request) => {
    if (request.resourceType() === 'script' || request.url().endsWith('.js')) requests.push(request)
  }
  page.on('requestfinished', note)
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

test('the login page loads at most 132 kB of JavaScript', async ({ newVisitor }) => {
  const page = await newVisitor()
  const loaded = watchScripts(page)
  await page.goto('/project/operator', { waitUntil: 'networkidle' })
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  const { bytes, largest } = await loaded()
  test.info().annotations.push({ type: 'bytes', description: String(bytes) })
  expect(bytes, 'scripts have been seen').toBeGreaterThan(50 * kilobyte)
  expect(bytes, largest).toBeLessThanOrEqual(132 * kilobyte)
})

test('the list of rooms loads at most 280 kB of JavaScript, and neither charts nor editor', async ({
  newVisitor,
  network,
}) => {
  await insertRooms(network, [{ name: 'room' }])
  const page = await newVisitor('CLOUD_ADMINISTRATOR')
  const loaded = watchScripts(page)
  await page.goto(listPath)
  await expect(listHeading(page)).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'room' })).toBeVisible()
  const { bytes, largest } = await loaded()
  test.info().annotations.push({ type: 'bytes', description: String(bytes) })
  expect(bytes, 'scripts have been seen').toBeGreaterThan(50 * kilobyte)
  expect(bytes, largest).toBeLessThanOrEqual(280 * kilobyte)
})

/** In kB of gzipped JavaScript, from nothing to the whole page. Lower them with the pages; raise none in passing. */
const budgets = [
  ['/project/create_project_room', 382],
  ['/project/edit_project_room/room', 410],
  ['/project/restore_project_room/room', 365],
  ['/project/import_project_room', 376],
  ['/project/statistics', 300],
  ['/project/set_notification', 500],
  ['/project/maintenance_mode', 332],
  ['/project/audit', 335],
  ['/project/consistency', 330],
  ['/project/operators', 280],
  ['/project/change_operator_password', 332],
  ['/forgot_project_room_name', 134],
] as const

test('no other page loads more JavaScript than its budget', async ({ newVisitor, network }) => {
  // Twelve pages, each from nothing and then watched until it is quiet.
  test.slow()
  await insertRooms(network, [{ name: 'room' }])
  const over: string[] = []
  for (const [path, most] of budgets) {
    // Each page from nothing, without the cache of the others.
    const page = await newVisitor('CLOUD_ADMINISTRATOR')
    const loaded = watchScripts(page)
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    const { bytes, largest } = await whenQuiet(loaded)
    test.info().annotations.push({ type: path, description: String(bytes) })
    expect(bytes, `scripts of ${path} have been seen`).toBeGreaterThan(50 * kilobyte)
    if (bytes > most * kilobyte) over.push(`${path}: ${bytes} bytes, ${largest}`)
    await page.close()
  }
  expect(over).toEqual([])
})

/** Waits until no other script has come for a second: the stream of events never lets the network be idle. */
async function whenQuiet(loaded: ReturnType<typeof watchScripts>): ReturnType<typeof loaded> {
  let last = await loaded()
  const isQuiet = async () => {
    const before = last.bytes
    last = await loaded()
    return last.bytes === before
  }
  await expect.poll(isQuiet, { intervals: [1_000], timeout: 30_000 }).toBe(true)
  return last
}
