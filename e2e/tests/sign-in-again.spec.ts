/** A session that expires while something is unsaved: signing in again over the page, and nothing is lost. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import { operatorDraft } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { cookie } from '../cookies.ts'
import { createPath, field, fillInRoom, submitCreation } from '../create-form.ts'
import { editPath, submitChanges } from '../edit-room.ts'
import { endSessionUnnoticed, holdCalls } from '../ended-session.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { isOnDisk } from '../region-room.ts'
import { listHeading, listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

const cover = (page: Page) => page.getByRole('dialog', { name: 'Operator login' })
const expired = (page: Page) => toast(page, 'Session Expired', 'You were logged out. Please log in again.')

test('a creation that is being filled in outlives its session, hidden until the same operator is back', async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  const page = await openAs('CLOUD_SALES', listPath)
  await page.getByRole('link', { name: 'New project room' }).click()
  await expect(page).toHaveURL(createPath)
  await fillInRoom(page, 'keptroom')
  const contact = field(page, 'Sales contact')
  await contact.fill('Ada')
  await expect(contact).toBeFocused()
  await idle(page)
  await expect(expired(page)).toBeVisible()
  await expect(page).toHaveURL('/project/operator')
  await expect(page).toHaveTitle(/^Operator login/)
  expect(await cookie(page, 'OperatorData')).toBeUndefined()
  expect(await cookie(page, 'session_exp')).toBeDefined()
  await expect(page.locator('#root')).toHaveAttribute('inert')
  await expect(page.locator('input[value="keptroom"]')).toBeHidden()
  await expect(cover(page).getByLabel('Email')).toHaveValue(operatorDraft('CLOUD_SALES').email)
  await expect(cover(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expectAccessible(page, 'sign-in again')
  await page.keyboard.press('Escape')
  await goBackInVain(page)
  await expect(page).toHaveURL('/project/operator')

  await signIn(page, 'CLOUD_SALES', 'wrong password')
  await expect(toast(page, 'Wrong credentials', 'Wrong username or password')).toBeVisible()
  await signIn(page, 'CLOUD_SALES')
  await expect(cover(page)).toBeHidden()
  await expect(page).toHaveURL(createPath)
  await expect(contact).toHaveValue('Ada')
  await expect(contact).toBeFocused()
  expect(await cookie(page, 'session_exp')).toBeUndefined()
  await submitCreation(page)
  await expect(page).toHaveURL(listPath)
  await expect(rowOf(page, 'keptroom')).toBeVisible()
})

test('a dirty edit form comes back when another tab, which found that the session is over, signs in', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  const company = field(page, 'Company name')
  await company.fill('Typed & Kept')
  await field(page, 'New SAP contract number').fill('SAP-of-the-kept')
  const other = await page.context().newPage()
  await other.goto(`${listPath}?q=${name}`)
  await expect(rowOf(other, name)).toBeVisible()
  const [letCallsOfPageGo] = await holdCalls(page)
  const [letCallsOfOtherGo] = await endSessionUnnoticed(other)
  await other.getByRole('button', { name: 'Refresh' }).click()
  letCallsOfOtherGo()
  await expect(cover(page)).toBeVisible()
  letCallsOfPageGo()
  await expect(page.getByText(name)).toBeHidden()
  await expect(other).toHaveURL('/project/operator')
  await expect(other.getByRole('dialog')).toHaveCount(0)

  await signIn(other, 'CLOUD_SALES')
  await expect(other).toHaveURL(`${listPath}?q=${name}`)
  await expect(cover(page)).toBeHidden()
  await expect(page).toHaveURL(editPath(name))
  await expect(company).toHaveValue('Typed & Kept')
  await submitChanges(page).click()
  await expect
    .poll(async () => (await network.admin.call('room', { query: { projectRoom: name } })).body.companyName)
    .toBe('Typed & Kept')
})

test('another operator gets nothing of a covered page, and a reload shows the ordinary sign-in', async ({
  openAs,
  network,
  browserErrors,
  context,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  await network.as('CLOUD_SUPPORT')
  const page = await openAs('CLOUD_SALES', createPath)
  await field(page, 'Company name').fill('Nobody else sees this')
  await idle(page)
  await signIn(page, 'CLOUD_SUPPORT')
  await expect(page).toHaveURL(listPath)
  await expect(listHeading(page)).toBeVisible()
  await expect(cover(page)).toHaveCount(0)
  await expect(page.locator('[inert]')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText('Nobody else')).toHaveCount(0)

  const second = await reloadCovered(context, () => openAs('CLOUD_SALES', createPath))
  await expect(second.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect(second.getByRole('dialog')).toHaveCount(0)
  await delayScripts(second)
  await signIn(second, 'CLOUD_SALES')
  await expect(field(second, 'Company name')).toHaveValue('')
  await expect(second).toHaveURL(createPath)
  await second.unrouteAll({ behavior: 'wait' })
  await reloadAsCovered(second)
  await expect(second).toHaveURL(createPath)
  await expect(field(second, 'Company name')).toBeVisible()
})

test('how an operation ended meanwhile is told when the same operator is back, never on the sign-in', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 401$/)
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  // The first call of the deletion, which goes on when the region answers again.
  await setFaults(network, name, [{ method: 'GET', action: 'status', status: 503, times: 1000 }])
  await rowOf(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete project room' }).click()
  const named = page.getByRole('alert').filter({ hasText: name })
  await expect(named).toContainText('was accepted and is running.')
  await page.getByRole('link', { name: 'New project room' }).click()
  await field(page, 'Company name').fill('Unsaved')
  await idle(page)
  await expect(named).toHaveCount(0)
  expect(isOnDisk(network, name)).toBe(true)
  await network.setRegionFaults([])
  await network.settle()
  await signIn(page, 'CLOUD_SALES', 'wrong password')
  await expect(toast(page, 'Wrong credentials', 'Wrong username or password')).toBeVisible()
  await expect(named).toHaveCount(0)
  await signIn(page, 'CLOUD_OPERATOR')
  await expect(field(page, 'Company name')).toHaveValue('Unsaved')
  await expect(named).toContainText(`${name} is deleted.`, { timeout: 30_000 })
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/project/operator')
  await expect(named).toHaveCount(0)
})

async function reloadCovered(context: BrowserContext, open: () => Promise<Page>): Promise<Page> {
  await context.clearCookies()
  const page = await open()
  await field(page, 'Company name').fill('Lost by the reload')
  await idle(page)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  return page
}

/** Goes back. The page's question about unsaved changes cannot be answered here, so the page goes forward again. */
async function goBackInVain(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    let moves = 0
    addEventListener('popstate', () => {
      moves += 1
      if (moves === 2) done()
    })
    history.back()
  })`)
}

const scripts = '**/assets/*.js'

/** The next page is drawn later than the sign-in looks again who has signed in, which it does every second. */
async function delayScripts(page: Page): Promise<void> {
  let isLate: Promise<void> | undefined
  await page.route(scripts, async (route) => {
    isLate ??= new Promise((done) => setTimeout(done, 1500))
    await isLate
    await route.continue()
  })
}

/** Reloads as if the page had been covered, and somebody had signed in in another tab just before. */
async function reloadAsCovered(page: Page): Promise<void> {
  await page.evaluate(`
    History.prototype.replaceState.call(history, { ...history.state, returnTo: '${createPath}' }, '', '/project/operator')
    location.reload()
  `)
}

/** As if nothing had been done for longer than a session lasts, until the page is covered: a late answer is activity. */
async function idle(page: Page): Promise<void> {
  await expect(async () => {
    await page.evaluate(() => {
      const lastCallAt = Date.now() - 30 * 60 * 1000
      localStorage.setItem('roomkeeper.session-times', JSON.stringify({ signedInAt: lastCallAt, lastCallAt }))
    })
    await expect(cover(page)).toBeVisible({ timeout: 3000 })
  }).toPass()
}

async function signIn(page: Page, role: Role, password = operatorDraft(role).password): Promise<void> {
  await page.locator('input[name="email"]').fill(operatorDraft(role).email)
  await page.locator('input[name="password"]').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
