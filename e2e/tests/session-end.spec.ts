/** What happens when a session ends while it is in use. */
import type { Page, Request } from '@playwright/test'
import { operatorDraft } from '@roomkeeper/dev-env'
import { cookie } from '../cookies.ts'
import { createPath, field } from '../create-form.ts'
import { endSessionUnnoticed, holdCalls } from '../ended-session.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { listPath, rowOf, storedText } from '../room-list.ts'
import { toast } from '../toasts.ts'

const expired = (page: Page) => toast(page, 'Session Expired', 'You were logged out. Please log in again.')

// shows: session-expired
test('a session that has ended tells so once although several calls fail, forgets everything, and comes back to the same URL', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  await insertRooms(network, numberedRooms('kept', 3))
  const page = await openAs('CLOUD_SALES', `${listPath}?q=kept&sort=product`)
  await expect(rowOf(page, 'kept01')).toBeVisible()
  await expect.poll(() => storedText(page)).toContain('kept01')
  const expiredToasts = await countExpiredToasts(page)
  const [letCallsGo, held] = await endSessionUnnoticed(page)

  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('button', { name: 'Customer management' }).click()
  await expect.poll(held).toBeGreaterThanOrEqual(3)
  letCallsGo()

  await expect(expired(page)).toBeVisible()
  // There is no header whose place would end it.
  const text = expired(page).getByText('You were logged out. Please log in again.')
  expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expect(page).toHaveURL('/project/operator')
  expect(await cookie(page, 'OperatorData')).toBeUndefined()
  expect(await cookie(page, 'session_exp')).toBeDefined()
  expect(await storedText(page)).not.toContain('kept01')

  await signInAgain(page)
  await expect(page).toHaveURL(`${listPath}?q=kept&sort=product`)
  await expect(rowOf(page, 'kept03')).toBeVisible()
  expect(await expiredToasts()).toBe(1)
})

test('a session that has ended while live migrations are refreshed tells so and nothing else', async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  const page = await openAs('CLOUD_OPERATOR', `${listPath}?cloud=migration`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No live migrations yet')).toBeVisible()
  const [letCallsGo] = await endSessionUnnoticed(page)
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  letCallsGo()
  await expect(expired(page)).toBeVisible()
  await expect(page).toHaveURL('/project/operator')
  await expect(page.getByRole('alert')).toHaveCount(1)
})

test('a minute before an idle session ends the operator is asked and can stay', async ({ openAs }) => {
  const page = await openAs('CLOUD_SUPPORT')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  await pretendLastCall(page, { secondsAgo: 28 * 60 + 45 })
  const dialog = page.getByRole('dialog', { name: 'Your session is about to end' })
  await expect(
    dialog.getByText(/^Nothing was done for a while\. You will be logged out in \d\d seconds\.$/),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(listPath)
})

test('typing keeps a session alive, and the server hears of it', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  const typed = field(page, 'Project room name')
  await expect(typed).toBeVisible()
  const told: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/session')) told.push(request)
  })
  // The answer to a call of the page's beginning may come late, and counts as activity, too.
  await expect(async () => {
    await pretendLastCall(page, { secondsAgo: 28 * 60 })
    await typed.pressSequentially('a')
    await expect.poll(() => told.length, { timeout: 3000 }).toBeGreaterThan(0)
  }).toPass()
  expect(told[0]?.headers()).not.toHaveProperty('x-background')
  const kept = await page.evaluate(() => localStorage.getItem('roomkeeper.session-times') ?? '')
  expect(Date.now() - (JSON.parse(kept) as { lastCallAt: number }).lastCallAt).toBeLessThan(60_000)
})

test('an idle session ends by itself, here and on the server', async ({ openAs, browserErrors }) => {
  // Requests in progress when the session ended.
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  const page = await openAs('CLOUD_SUPPORT')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  const token = await cookie(page, 'OperatorData')
  await pretendLastCall(page, { secondsAgo: 30 * 60 })
  await expect(expired(page)).toBeVisible()
  await expect(page).toHaveURL('/project/operator')
  const check = () => page.request.put('/api/operator/session', { headers: { authorization: `Bearer ${token}` } })
  await expect.poll(async () => (await check()).status()).toBe(401)
})

test('a log-out leaves at once although the server is silent; other tabs follow without a warning, and nothing comes back', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('kept', 3))
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'kept01')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(`${listPath}?q=kept`)
  await expect(rowOf(other, 'kept02')).toBeVisible()
  const expiredToasts = await countExpiredToasts(other)
  const [letCallsGo] = await holdCalls(page)
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  for (const tab of [page, other]) await expect(tab).toHaveURL('/project/operator')
  await expect(toast(page, 'Logged Out', 'See you soon')).toBeVisible()
  // The late answer to the log-out says nothing about a session.
  const answered = page.waitForResponse('**/api/operator/sessions')
  letCallsGo()
  await (await answered).finished()
  expect(await expiredToasts()).toBe(0)
  for (const name of ['OperatorData', 'session_exp']) expect(await cookie(other, name)).toBeUndefined()
  expect(await storedText(page)).not.toContain('kept')
  expect(await page.evaluate(() => localStorage.getItem('roomkeeper.session-times'))).toBeNull()
})

test('a cookie that goes by its age ends the session, in an open tab and at the next start', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('kept', 3))
  const page = await openAs('CLOUD_SALES')
  await expect.poll(() => storedText(page)).toContain('kept01')
  const stored = await storedText(page)
  await page.context().clearCookies({ name: 'OperatorData' })
  await expect(expired(page)).toBeVisible()
  await expect(page).toHaveURL('/project/operator')
  expect(await storedText(page)).not.toContain('kept01')
  // As if no tab had been open when the cookie went.
  await page.evaluate((list) => localStorage.setItem('roomkeeper.list.rooms', list), stored)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  expect(await storedText(page)).not.toContain('kept01')
})

/** Counts every such toast that ever appears, including those that have closed. @returns the count so far */
async function countExpiredToasts(page: Page): Promise<() => Promise<number>> {
  const root = page.locator('html')
  await root.evaluate((html) => {
    const view = html.ownerDocument.defaultView
    const seen = new Set<unknown>()
    new view.MutationObserver(() => {
      for (const alert of html.querySelectorAll('[role="alert"]')) {
        if (alert.textContent.includes('Session Expired')) seen.add(alert)
      }
      html.dataset.expiredToasts = String(seen.size)
    }).observe(html, { childList: true, subtree: true })
  })
  return async () => Number(await root.getAttribute('data-expired-toasts'))
}

async function pretendLastCall(page: Page, { secondsAgo }: { secondsAgo: number }): Promise<void> {
  await page.evaluate((ago) => {
    const lastCallAt = Date.now() - ago * 1000
    localStorage.setItem('roomkeeper.session-times', JSON.stringify({ signedInAt: lastCallAt, lastCallAt }))
  }, secondsAgo)
}

async function signInAgain(page: Page): Promise<void> {
  await page.unrouteAll()
  const { email, password } = operatorDraft('CLOUD_SALES')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
