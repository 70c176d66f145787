/** The second factor in the browser, with a real OpenID provider, at /project/mfa_okta. */
import type { Page } from '@playwright/test'
import {
  administrator,
  bootNetwork,
  type Network,
  type RunningIdentityProvider,
  startIdentityProvider,
} from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { test as base, expect } from '../fixtures.ts'
import { listHeading, listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

/** A network whose operators need a second factor. */
const test = base.extend<object, { provider: RunningIdentityProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const provider = await startIdentityProvider()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  network: [
    async ({ provider }, use) => {
      const network = await bootNetwork({ regions: 0 })
      const without = network.server
      network.server = await network.addServer({
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: 'console',
        OIDC_ON: '1',
      })
      provider.acceptConsoles(network.server.address)
      await network.admin.call('createOperator', { body: { ...operator, name: 'Second', role: 'CLOUD_OPERATOR' } })
      await use(network)
      await without.stop()
      await network.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  resetNetwork: async ({ network, provider }, use) => {
    provider.isDown = false
    await network.database.rows('delete from failed_sign_ins')
    await use(undefined)
  },
})

const operator = { email: 'second.factor@example.com', password: 'password of the operator' }
const mfaPath = '/project/mfa_okta'

async function signIn(page: Page, path = '/project/operator'): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Email').fill(operator.email)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function confirm(page: Page, email = operator.email): Promise<void> {
  await page.getByLabel('E-mail at the provider').fill(email)
  await page.getByRole('button', { name: 'Confirm it is me' }).click()
}

const providerHeading = (page: Page) => page.getByRole('heading', { name: 'Identity provider' })
const isAlive = async (page: Page, network: Network, token: string | undefined) =>
  (
    await page.request.put(`${network.server.address}/api/operator/session`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).status() === 200

// shows: login-second-factor
test('after signing in the operator confirms at the provider, asked by the code flow with PKCE, and comes to the list', async ({
  page,
  provider,
}) => {
  const asking = page.waitForRequest((request) => new URL(request.url()).pathname === '/auth')
  await signIn(page)
  const { origin, searchParams } = new URL((await asking).url())
  expect(origin).toBe(provider.issuer)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'console',
    scope: 'openid email',
    code_challenge_method: 'S256',
    login_hint: operator.email,
  })
  for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
  await expect(providerHeading(page)).toBeVisible()
  await confirm(page)
  await expect(page).toHaveURL(listPath)
  await expect(listHeading(page)).toBeVisible()
  // Nothing about it stays in the browser.
  expect(await page.evaluate(() => sessionStorage.getItem('roomkeeper.second-factor'))).toBeNull()
  await page.reload()
  await expect(listHeading(page)).toBeVisible()
})

test('a session that waits may see nothing else, a reload does not end it, and the page that was asked for opens', async ({
  page,
  network,
}) => {
  await signIn(page)
  await expect(providerHeading(page)).toBeVisible()
  await page.goto(network.server.address + mfaPath)
  await expect(providerHeading(page)).toBeVisible()
  await page.goto(`${network.server.address}/project/statistics`)
  await expect(providerHeading(page)).toBeVisible()
  await confirm(page)
  await expect(page).toHaveURL(/\/project\/statistics/)
})

test('whoever comes back from the provider by Back is asked first, is told when it is down, and can log out', async ({
  page,
  network,
  provider,
  browserErrors,
}) => {
  await signIn(page)
  await expect(providerHeading(page)).toBeVisible()
  const token = await cookieAt(page, network)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Continue to the identity provider' })).toBeVisible()
  await expectAccessible(page, 'second factor')
  provider.isDown = true
  browserErrors.expect(/openid-configuration 503/)
  await page.getByRole('button', { name: 'Continue to the identity provider' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible()
  await expectAccessible(page, 'provider down')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(toast(page, 'Logged Out', 'See you soon')).toBeVisible()
  await expect(page).toHaveURL('/project/operator')
  await expect.poll(() => isAlive(page, network, token)).toBe(false)
})

test('a refusal at the provider is told, and can be tried again; after one of the server another account is chosen there, which would else use the same one again', async ({
  page,
  browserErrors,
}) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'did not confirm that it is you' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(providerHeading(page)).toBeVisible()
  browserErrors.expect(/^POST \/api\/operator\/okta 403/)
  await confirm(page, 'somebody.else@example.com')
  await expect(page.getByRole('alert').filter({ hasText: 'it belongs to another e-mail address' })).toBeVisible()
  await expectAccessible(page, 'second factor refused')
  const asking = page.waitForRequest((request) => new URL(request.url()).pathname === '/auth')
  await page.getByRole('button', { name: 'Use another account' }).click()
  const { searchParams } = new URL((await asking).url())
  expect(searchParams.get('prompt')).toBe('login')
  expect(searchParams.has('login_hint')).toBe(false)
  await confirm(page)
  await expect(page).toHaveURL(listPath)
})

async function cookieAt(page: Page, network: Network): Promise<string | undefined> {
  const all = await page.context().cookies(network.server.address)
  return all.find(({ name }) => name === 'OperatorData')?.value
}

test('a form that outlives its session asks for the second factor in a window of its own, which closes itself', async ({
  page,
  browserErrors,
}) => {
  // The covered page, before the second factor has been passed.
  browserErrors.expect(/^\w+ \/api\/operator\/\w+ 403$/)
  await signIn(page, '/project/create_project_room')
  await confirm(page)
  const company = page.getByRole('textbox', { name: 'Company name' })
  await company.fill('Typed & Kept')
  await page.context().clearCookies({ name: 'OperatorData' })
  const again = page.getByRole('dialog')
  // The password of somebody else drops nothing.
  await again.getByLabel('Email').fill(administrator.email)
  await again.getByLabel('Password', { exact: true }).fill(administrator.password)
  await again.getByRole('button', { name: 'Log in' }).click()
  await expect(again.getByRole('status')).toContainText(administrator.email)
  await again.getByRole('button', { name: 'Log out' }).click()
  await again.getByLabel('Email').fill(operator.email)
  await again.getByLabel('Password', { exact: true }).fill(operator.password)
  await again.getByRole('button', { name: 'Log in' }).click()
  const [confirming] = await Promise.all([
    page.context().waitForEvent('page'),
    page
      .getByRole('dialog', { name: 'Second factor' })
      .getByRole('button', { name: /^Continue/ })
      .click(),
  ])
  // The provider may still know the operator, and then asks nothing.
  await Promise.race([confirm(confirming).catch(() => undefined), confirming.waitForEvent('close')])
  await expect(again).toBeHidden()
  await expect(company).toHaveValue('Typed & Kept')
  await expect.poll(() => confirming.isClosed()).toBe(true)
})
