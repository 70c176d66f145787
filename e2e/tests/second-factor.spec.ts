/** The second factor in the browser, with a real OpenID provider, at /project/mfa_okta. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import {
  administrator,
  bootNetwork,
  type Network,
  type PathProxy,
  type RunningIdentityProvider,
  type RunningServer,
  startIdentityProvider,
  startPathProxy,
} from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { test as base, expect } from '../fixtures.ts'
import { listHeading, listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

/** A network whose operators need a second factor. */
const test = base.extend<object, { provider: RunningIdentityProvider; pathProxy: PathProxy; below: RunningServer }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const provider = await startIdentityProvider()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  pathProxy: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const proxy = await startPathProxy()
      await use(proxy)
      await proxy.stop()
    },
    { scope: 'worker' },
  ],
  // A console with a second factor below the path.
  below: [
    async ({ network, provider, pathProxy }, use) => {
      const server = await network.addServer({ ...settingsFor(provider), PUBLIC_URL: pathProxy.url })
      pathProxy.target = server.address
      await use(server)
    },
    { scope: 'worker' },
  ],
  network: [
    async ({ provider, pathProxy }, use) => {
      // It runs the operations, and so its e-mails lead to the console below the path.
      const network = await bootNetwork({ regions: 1, env: { PUBLIC_URL: pathProxy.url } })
      const without = network.server
      network.server = await network.addServer({ ...settingsFor(provider), PUBLIC_URL: '' })
      provider.acceptConsoles(network.server.address, pathProxy.url)
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

const settingsFor = ({ issuer }: RunningIdentityProvider) => ({
  PROCESS: 'api',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'console',
  OIDC_ON: '1',
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

test('an operator who comes back from the provider by Back is asked first, is told when it is down, and can log out', async ({
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
  browserErrors.expect(/^\w+ \/api\/operator\/[\w/]+ 403$/)
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

/** @returns what the page asks for at the proxy, but not below its path */
function requestsOutside(page: Page, at: string): string[] {
  const outside: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith(new URL(at).origin) && !url.startsWith(`${at}/`)) outside.push(url)
  })
  return outside
}

test('below the path of PUBLIC_URL, behind a proxy that removes it, the console works as at the root', async ({
  page,
  network,
  pathProxy: { url: at },
  below: _,
}) => {
  const elsewhere = requestsOutside(page, at)
  // As a console at the root of the same host has left it.
  await page.context().addCookies([{ name: 'OperatorData', value: 'of-another-console', url: new URL(at).origin }])

  // Signing in leads back to the page that was asked for.
  await signIn(page, `${at}/project/statistics`)
  await confirm(page)
  await expect(page).toHaveURL(new RegExp(`^${at}/project/statistics`))
  // Cookies do not distinguish ports: the others are the provider's.
  const all = await page.context().cookies(`${at}/project`)
  const ours = all.filter(({ name }) => !name.startsWith('_session')).map(({ name, path }) => `${name} at ${path}`)
  expect(ours.toSorted()).toEqual(['OperatorData at /', 'OperatorData~roomkeeper at /roomkeeper/'])

  const room = await network.newRoom()
  await page.goto(`${at}/project/edit_project_room/${room}`)
  await expect(page.getByRole('textbox', { name: 'Company name' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Company name' })).toBeVisible()

  const following = page.waitForResponse(`${at}/api/operator/events`)
  await page.goto(at + listPath)
  expect((await following).status()).toBe(200)
  await expect(rowOf(page, room)).toBeVisible()
  const other = await network.newRoom()
  await expect(rowOf(page, other)).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  expect(file).toContain(room)
  await rowOf(page, other).getByRole('link', { name: other }).click()
  await expect(page).toHaveURL(`${at}/project/edit_project_room/${other}`)

  // The sign-in over a page with entries returns to the page, also after a reload.
  await page.goto(`${at}/project/create_project_room`)
  await page.getByRole('textbox', { name: 'Company name' }).fill('Typed & Lost')
  await page.context().clearCookies({ name: 'OperatorData~roomkeeper' })
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeVisible()
  await expect(page).toHaveURL(`${at}/project/operator`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByLabel('Email').fill(operator.email)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  const company = page.getByRole('textbox', { name: 'Company name' })
  // The provider may still know the operator, and then asks nothing.
  await expect(company.or(providerHeading(page))).toBeVisible()
  if (await providerHeading(page).isVisible()) await confirm(page)
  await expect(page).toHaveURL(`${at}/project/create_project_room`)
  await expect(company).toHaveValue('')
  expect(elsewhere).toEqual([])
  const left = await page.context().cookies(at)
  expect(left.find(({ name }) => name === 'OperatorData')?.value).toBe('of-another-console')
})

test('below the path of PUBLIC_URL, e-mails lead to the console, the API reference makes calls, and a proxy that does not remove the path is told so', async ({
  page,
  network,
  pathProxy: { url: at },
  below,
}) => {
  const elsewhere = requestsOutside(page, at)
  await page.goto(`${at}/api/reference`)
  const call = page.locator('#operations-Customers-languages')
  await page.getByRole('link', { name: 'Customers' }).click()
  await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Try it out' }).click()
  await call.getByRole('button', { name: 'Execute' }).click()
  await expect(call.locator('.live-responses-table .response-col_status').last()).toContainText('200')

  const room = await network.newRoom()
  await network.mailsTried()
  const outbox = join(network.dir, 'server/outbox')
  const mails = await Promise.all((await readdir(outbox)).map((name) => readFile(join(outbox, name), 'utf8')))
  const mail = mails.find((each) => each.includes(`Subject: Your project room ${room} is ready`)) ?? ''
  // Long lines are broken in the file.
  const link = /http\S+\/login/.exec(mail.replaceAll(/=\r?\n/g, ''))?.[0] ?? ''
  expect(link).toBe(`${at}/login`)
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Project room name' }).fill(room)
  await page.getByRole('button', { name: 'To the project room' }).click()
  await expect(page).toHaveURL(`${network.regions[0]?.url}/${room}`)
  expect(elsewhere).toEqual([])
  const passedOn = await fetch(`${below.address}/roomkeeper/project/operator`)
  expect(passedOn.status).toBe(404)
  expect(await passedOn.json()).toMatchObject({ detail: expect.stringContaining('has to remove /roomkeeper,') })
})
