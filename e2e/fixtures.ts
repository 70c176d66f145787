/** Fixtures: one network and one page per worker, no rooms at the start of a test, pages that are signed in. */
import { type Browser, type BrowserContext, test as base, expect, type FullProject, type Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import { administrator, bootNetwork, type Network, operatorDraft } from '@roomkeeper/dev-env'
import { type BrowserErrors, watchBrowserErrors } from './browser-errors.ts'
import { resetNetwork } from './reset-network.ts'
import { clearPage } from './worker-page.ts'

interface WorkerFixtures {
  network: Network
  /** The page that each test gets cleared: see worker-page.ts. */
  workerPage: Page
}
interface Fixtures {
  /** Signs this page in as an operator of the role, in a separate session, and opens the path. */
  openAs(role: Role, path?: string): Promise<Page>
  /** A page in a context of its own, with an empty cache, signed in if a role is given. */
  newVisitor(role?: Role): Promise<Page>
  /** Errors in the browser's console and failed requests. Any that a test does not expect makes it fail. */
  browserErrors: BrowserErrors
  /** Runs before each test. */
  resetNetwork: undefined
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  network: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      // Receivers of webhooks in tests listen on this machine.
      const env = { WEBHOOK_NETWORKS: '127.0.0.1/32' }
      const network = await bootNetwork({ regions: 2, env })
      await use(network)
      await network.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  workerPage: [
    async ({ browser, network }, use, { project }) => {
      const context = await openContext(browser, network, project)
      await use(await context.newPage())
      await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ workerPage }, use) => use(workerPage.context()),
  page: async ({ workerPage, context, viewport }, use) => {
    if (viewport !== null) await workerPage.setViewportSize(viewport)
    await workerPage.emulateMedia({ colorScheme: 'light' })
    await use(workerPage)
    await clearPage(workerPage, context)
  },
  baseURL: async ({ network }, use) => use(network.server.address),
  browserErrors: [
    async ({ page }, use, info) => {
      const browserErrors = watchBrowserErrors(page)
      await use(browserErrors)
      if (info.status === info.expectedStatus) expect(browserErrors.unexpected(), 'errors in the browser').toEqual([])
    },
    { auto: true },
  ],
  resetNetwork: [
    async ({ network }, use) => {
      await resetNetwork(network)
      await use(undefined)
    },
    { auto: true },
  ],
  openAs: async ({ page, context, network }, use) => {
    await use(async (role, path = '/project/administration') => {
      await signIn(context, network, role)
      await page.goto(path)
      return page
    })
  },
  newVisitor: async ({ browser, network }, use, { project }) => {
    const contexts: BrowserContext[] = []
    await use(async (role) => {
      const context = await openContext(browser, network, project)
      contexts.push(context)
      if (role !== undefined) await signIn(context, network, role)
      return context.newPage()
    })
    await Promise.all(contexts.map((each) => each.close()))
  },
})

function openContext(browser: Browser, network: Network, project: FullProject): Promise<BrowserContext> {
  return browser.newContext({ ...project.use.contextOptions, baseURL: network.server.address })
}

async function signIn(context: BrowserContext, network: Network, role: Role): Promise<void> {
  // Creates the account on the first call.
  await network.as(role)
  // A session for each page, so that none ends that of another.
  const { token: value } = await network.newSession({ email: operatorDraft(role).email })
  await context.addCookies([{ name: 'OperatorData', value, url: network.server.address, sameSite: 'Strict' }])
}

export { administrator, expect }
