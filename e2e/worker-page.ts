/**
 * The page that all tests of a worker use one after the other. A page of its own for each test costs three times as
 * much: a process, an empty cache, and every script compiled again.
 */
import type { BrowserContext, Page } from '@playwright/test'

/** An address of the console at which none of its scripts runs. */
const quietPath = '/robots.txt'

/** What tests listen to. Playwright has listeners of its own for other events. */
const events = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'requestfinished', 'response']

/**
 * Removes everything that a test leaves except for the cache: other pages, listeners, routes, cookies, permissions and
 * stored texts. A test that changes what cannot be reset, such as the clock, needs a context of its own.
 */
export async function clearPage(page: Page, context: BrowserContext): Promise<void> {
  for (const event of events) {
    page.removeAllListeners(event)
    context.removeAllListeners(event)
  }
  await Promise.all([page, context].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })))
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.clearCookies()
  await context.clearPermissions()
  await page.goto(quietPath)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.mouse.move(0, 0)
}
