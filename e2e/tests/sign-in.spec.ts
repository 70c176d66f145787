/** Signing in and out at /project/operator. */
import type { Page, Route } from '@playwright/test'
import { cookie } from '../cookies.ts'
import { administrator, expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { changeRooms } from '../live-changes.ts'
import { listHeading, listPath, rowOf, storedText } from '../room-list.ts'
import { toast } from '../toasts.ts'

const loginPath = '/project/operator'
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: 'Log in' })

// shows: login-fields
test('nothing can be submitted before e-mail and password are filled in and valid', async ({ page }) => {
  await page.goto(loginPath)
  await expect(submit(page)).toBeDisabled()
  await password(page).fill('secret')
  await expect(submit(page)).toBeDisabled()
  await page.getByLabel('Email').fill('not an address')
  await expect(submit(page)).toBeDisabled()
  await page.getByLabel('Email').fill('admin@localhost')
  await expect(submit(page)).toBeEnabled()
  await password(page).fill('')
  await expect(submit(page)).toBeDisabled()
})

// shows: login-eye
test('the password can be read only while the eye is held down', async ({ page }) => {
  await page.goto(loginPath)
  await password(page).fill('secret')
  const eye = page.getByRole('button', { name: 'Hold to show' })
  await expect(password(page)).toHaveAttribute('type', 'password')
  await eye.hover()
  await page.mouse.down()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.mouse.move(0, 0)
  await page.mouse.up()
  await expect(password(page)).toHaveAttribute('type', 'password')

  await eye.focus()
  await page.keyboard.down('Space')
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.keyboard.up('Space')
  await expect(password(page)).toHaveAttribute('type', 'password')
})

test('wrong credentials are refused with a toast that stays, and nothing is kept', async ({ page, browserErrors }) => {
  browserErrors.expect(/^POST \/api\/operator\/session 401/)
  await page.goto(loginPath)
  await page.getByLabel('Email').fill(administrator.email)
  await password(page).fill('not the password')
  const answer = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    await answer.promise
    await route.continue()
  }
  await page.route('**/api/operator/session', hold, { times: 1 })
  await submit(page).click()
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  answer.resolve()
  const refusal = toast(page, 'Wrong credentials', 'Wrong username or password')
  await expect(refusal).toBeVisible()
  await expect(page).toHaveURL(loginPath)
  // The same again is counted.
  await submit(page).click()
  await expect(refusal.getByText('×2', { exact: true })).toBeVisible()
  await expect(refusal).toHaveCount(1)
  expect(await cookie(page, 'OperatorData')).toBeUndefined()

  await password(page).fill(administrator.password)
  await submit(page).click()
  await expect(toast(page, 'Logged In', 'Welcome Back')).toBeVisible()
  await expect(refusal).toHaveCount(0)
  await expect(page).toHaveURL(listPath)
  expect(await cookie(page, 'OperatorData')).toHaveLength(43)
})

test('the list is fetched once after the sign-in, whichever of its answers comes first', async ({ page, network }) => {
  await insertRooms(network, [{ name: 'once' }])
  const lists: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/get_tenants?')) lists.push(request.url())
  })
  await page.goto(loginPath)
  const other = page.waitForResponse('**/api/operator/okta')
  await page.route('**/api/operator/permissions', async (route) => {
    await other
    await route.continue()
  })
  await page.getByLabel('Email').fill(administrator.email)
  await password(page).fill(administrator.password)
  await submit(page).click()
  await expect(rowOf(page, 'once')).toContainText("O'Neil")
  // An event comes after all that the page fetches at the beginning of its stream.
  await changeRooms(network, ['once'], 'Later')
  await expect(rowOf(page, 'once')).toContainText('Later')
  expect(lists).toHaveLength(1)
})

// shows: session-bad-cookie
test('a cookie that the server does not know is deleted and leads to the sign-in', async ({
  page,
  context,
  baseURL,
  browserErrors,
}) => {
  browserErrors.expect(/^PUT \/api\/operator\/session 401/)
  for (const path of [listPath, loginPath]) {
    await context.addCookies([{ name: 'OperatorData', value: 'stale', url: baseURL ?? '' }])
    await page.goto(path)
    await expect(submit(page)).toBeVisible()
    await expect(page).toHaveURL(loginPath)
    await expect.poll(() => cookie(page, 'OperatorData')).toBeUndefined()
  }
})

// shows: session-token-cookie
test('a leftover cookie named Token is cleared, signed in or not', async ({ page, context, baseURL, openAs }) => {
  const leftover = { name: 'Token', value: 'a leftover', url: baseURL ?? '' }
  await context.addCookies([leftover])
  await page.goto(loginPath)
  await expect(submit(page)).toBeVisible()
  await expect.poll(() => cookie(page, 'Token')).toBeUndefined()

  await context.addCookies([leftover])
  await openAs('CLOUD_SUPPORT')
  await expect(listHeading(page)).toBeVisible()
  expect(await cookie(page, 'Token')).toBeUndefined()
})

test('a visitor who is not signed in signs in first and then sees the page that was asked for', async ({ page }) => {
  await page.goto('/project/create_project_room')
  await expect(page).toHaveURL(loginPath)
  await page.getByLabel('Email').fill(administrator.email)
  await password(page).fill(administrator.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/project/create_project_room')
  await expect(page.getByRole('heading', { name: 'Create project room' })).toBeVisible()
})

for (const serverAnswers of [true, false]) {
  // shows: list-cache, session-logout
  test(`logging out clears the cookie and the stored lists ${serverAnswers ? 'and ends the session' : 'also when the call fails'}`, async ({
    openAs,
    network,
    browserErrors,
  }) => {
    await insertRooms(network, numberedRooms('stored', 1))
    const page = await openAs('CLOUD_SALES')
    await expect(rowOf(page, 'stored01')).toBeVisible()
    await expect.poll(() => storedText(page)).toContain('stored01')
    const token = await cookie(page, 'OperatorData')
    if (!serverAnswers) {
      await page.route('**/api/operator/sessions', (route) => route.abort('connectionfailed'))
      browserErrors.expect(/^POST \/api\/operator\/sessions net::ERR_CONNECTION_FAILED/)
    }
    await page.getByRole('button', { name: /^Profile of / }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await expect(toast(page, 'Logged Out', 'See you soon')).toBeVisible()
    await expect(page).toHaveURL(loginPath)
    expect(await cookie(page, 'OperatorData')).toBeUndefined()
    expect(await storedText(page)).not.toContain('stored01')
    const check = () => page.request.put('/api/operator/session', { headers: { authorization: `Bearer ${token}` } })
    // The page does not wait for the server.
    await expect.poll(async () => (await check()).status()).toBe(serverAnswers ? 401 : 200)
  })
}
