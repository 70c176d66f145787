/** Live changes: one event stream for all tabs of a browser, and rows that end up as they are on the server. */
import type { BrowserContext, Page, Request } from '@playwright/test'
import { operatorDraft, signIn } from '@roomkeeper/dev-env'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { changeRooms } from '../live-changes.ts'
import { listPath, rowOf } from '../room-list.ts'

const isEvents = (request: Request) => request.url().endsWith('/api/operator/events')

/** The requests for the event stream that are open in a browser, with the pages that sent them. */
function watchStreams(context: BrowserContext): Map<Request, Page> {
  const open = new Map<Request, Page>()
  context.on('request', (request) => {
    if (isEvents(request)) open.set(request, request.frame().page())
  })
  context.on('requestfinished', (request) => void open.delete(request))
  context.on('requestfailed', (request) => void open.delete(request))
  return open
}

/** Waits until the event stream has begun. */
async function becomeLive(page: Page): Promise<void> {
  await page.waitForResponse((response) => isEvents(response.request()))
}

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.locator('html').evaluate((html, hidden) => {
    Object.defineProperty(html.ownerDocument, 'hidden', { value: hidden, configurable: true })
    html.ownerDocument.dispatchEvent(new html.ownerDocument.defaultView.Event('visibilitychange'))
  }, isHidden)
}

test('ten tabs share one event stream, which passes on when its tab is hidden or closed, and no change is missed', async ({
  openAs,
  context,
  network,
}) => {
  await insertRooms(network, [{ name: 'shared' }])
  const streams = watchStreams(context)
  const pages = [await openAs('CLOUD_SALES')]
  for (let more = 1; more < 10; more += 1) {
    const page = await context.newPage()
    await page.goto(listPath)
    pages.push(page)
  }
  const expectEverywhere = async (lastName: string) => {
    await changeRooms(network, ['shared'], lastName)
    for (const page of pages) await expect(rowOf(page, 'shared')).toContainText(lastName)
  }
  for (const page of pages) await expect(rowOf(page, 'shared')).toBeVisible()
  await expect.poll(() => streams.size).toBe(1)
  await expectEverywhere('First')

  // The leader is hidden: another tab resumes after the last event. The hidden one fetches nothing until it is shown.
  const [first] = [...streams.values()]
  if (first === undefined) throw new Error('No tab leads.')
  await setHidden(first, true)
  await expect.poll(() => [...streams.values()].filter((page) => page !== first).length).toBe(1)
  await expect.poll(() => streams.size).toBe(1)
  const [resumed] = [...streams.keys()]
  expect(await resumed?.headerValue('last-event-id')).toMatch(/^\d+-\d+$/)
  pages.splice(pages.indexOf(first), 1)
  await expectEverywhere('Second')
  await expect(rowOf(first, 'shared')).toContainText('First')
  await setHidden(first, false)
  await expect(rowOf(first, 'shared')).toContainText('Second')
  pages.push(first)

  // The leader is closed while a change happens.
  const [second] = [...streams.values()]
  if (second === undefined) throw new Error('No tab leads.')
  pages.splice(pages.indexOf(second), 1)
  await Promise.all([second.close(), changeRooms(network, ['shared'], 'Third')])
  for (const page of pages) await expect(rowOf(page, 'shared')).toContainText('Third')
  await expect.poll(() => [...streams.values()].filter((page) => !page.isClosed()).length).toBe(1)
})

test('a page fetches its list once, and misses no change on its way to the event stream; so does a second tab', async ({
  page,
  openAs,
  context,
  network,
}) => {
  await insertRooms(network, [{ name: 'once' }])
  await changeRooms(network, ['once'], 'Before')
  const lists: Page[] = []
  context.on('request', (request) => {
    if (request.url().includes('/get_tenants?')) lists.push(request.frame().page())
  })
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/operator/events', async (route) => {
    await gate.promise
    await route.continue()
  })
  await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'once')).toContainText('Before')
  await changeRooms(network, ['once'], 'Between')
  gate.resolve()
  await expect(rowOf(page, 'once')).toContainText('Between')

  const second = await context.newPage()
  await second.goto(listPath)
  await expect(rowOf(second, 'once')).toContainText('Between')
  // It has asked the first tab whether it is live. A change before that would rightly make it fetch its list again.
  const waiting = 'navigator.locks.query().then(({ pending }) => pending.length)'
  await expect.poll(() => second.evaluate<number>(waiting)).toBe(1)
  await changeRooms(network, ['once'], 'After')
  for (const each of [page, second]) await expect(rowOf(each, 'once')).toContainText('After')
  expect(lists).toEqual([page, second])
})

test('another sign-in ends the stream of the former one and begins its own', async ({ openAs, context, network }) => {
  await insertRooms(network, [{ name: 'mine' }])
  const streams = watchStreams(context)
  const page = await openAs('CLOUD_SALES')
  await expect.poll(() => streams.size).toBe(1)
  const [former] = [...streams.keys()]
  await network.as('CLOUD_OPERATOR')
  const { token } = await signIn(() => network.server.address, operatorDraft('CLOUD_OPERATOR'))
  await context.addCookies([{ name: 'OperatorData', value: token, url: network.server.address, sameSite: 'Strict' }])
  await expect.poll(() => [...streams.keys()].filter((request) => request !== former).length).toBe(1)
  await expect.poll(() => streams.size).toBe(1)
  expect(await [...streams.keys()][0]?.headerValue('authorization')).toBe(`Bearer ${token}`)
  await changeRooms(network, ['mine'], 'Later')
  await expect(rowOf(page, 'mine')).toContainText('Later')
})

test('a session that has ended is followed by the stream of the next one', async ({
  openAs,
  network,
  page,
  context,
  browserErrors,
}) => {
  browserErrors.expect(/^GET \/api\/operator\/events 401$/)
  await insertRooms(network, [{ name: 'again' }])
  let isRefused = true
  await context.route('**/api/operator/events', (route) =>
    isRefused ? route.fulfill({ status: 401, json: {} }) : route.continue(),
  )
  await openAs('CLOUD_SALES')
  await expect(page).toHaveURL('/project/operator')
  isRefused = false
  const { email, password } = operatorDraft('CLOUD_SALES')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(rowOf(page, 'again')).toBeVisible()
  await changeRooms(network, ['again'], 'Again')
  await expect(rowOf(page, 'again')).toContainText('Again')
})

test('a row is fetched again after a failure, and an older answer never replaces a newer one', async ({
  page,
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/(room|get_tenants) net::ERR_CONNECTION_FAILED$/)
  await insertRooms(network, [{ name: 'changing' }])
  const isLive = becomeLive(page)
  await openAs('CLOUD_SALES')
  await isLive
  const row = rowOf(page, 'changing')
  let fails = 1
  await page.route(/\/api\/operator\/(room|get_tenants)\?/, (route) =>
    route.request().headers()['x-background'] === '1' && fails-- > 0
      ? route.abort('connectionfailed')
      : route.continue(),
  )
  await expect(row).toBeVisible()
  await changeRooms(network, ['changing'], 'Failed')
  await expect(row).toContainText('Failed')
  expect(fails).toBeLessThan(0)

  // The answer to Refresh is held back while the row changes.
  const gate = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  await page.route('**/api/operator/get_tenants?*', async (route) => {
    if (route.request().headers()['x-background'] !== undefined) return route.continue()
    const response = await route.fetch()
    isHeld.resolve()
    await gate.promise
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await isHeld.promise
  const answered = page.waitForResponse((response) => response.request().headers()['x-background'] === '1')
  await changeRooms(network, ['changing'], 'Newest')
  await answered
  gate.resolve()
  await expect(row).toContainText('Newest')
})

test('a storm of changes fetches the list a few times, one request at a time', async ({ openAs, network }) => {
  const rooms = numberedRooms('storm', 20)
  const names = rooms.map(({ name }) => name)
  await insertRooms(network, rooms)
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'storm01')).toBeVisible()
  let [open, mostOpen, count] = [0, 0, 0]
  await page.route(/\/api\/operator\/(get_tenants|room)\?/, async (route) => {
    count += 1
    open += 1
    mostOpen = Math.max(mostOpen, open)
    const response = await route.fetch()
    open -= 1
    await route.fulfill({ response })
  })
  const end = Date.now() + 4_000
  for (let turn = 0; Date.now() < end; turn += 1) await changeRooms(network, names, `Turn ${turn}`)
  await changeRooms(network, names, 'Calm')
  await expect(rowOf(page, 'storm20')).toContainText('Calm')
  await expect(rowOf(page, 'storm01')).toContainText('Calm')
  expect(mostOpen).toBe(1)
  // Hundreds of changes: a page now and then, and single rows where an answer came between the events of one turn.
  expect(count).toBeLessThanOrEqual(30)
})

test('spellings that a colleague merges are one customer in an open list', async ({ openAs, network }) => {
  for (const companyName of ['Contoso', 'Contoso Ltd.']) await network.newRoom({ companyName })
  const page = await openAs('CLOUD_SUPPORT', '/project/customers')
  await expect(page.getByRole('rowheader')).toHaveText(['Contoso', 'Contoso Ltd.'])
  await network.admin.call('mergeCustomers', { body: { name: 'Contoso Ltd.', isNamed: 'Contoso' } })
  await expect(page.getByRole('rowheader')).toHaveText(['Contoso'])
})
