/** Collects uncaught errors, errors in the browser's console, and requests that failed or were refused. */
import type { Page } from '@playwright/test'

export interface BrowserErrors {
  /** Called by a test that causes errors on purpose; one pattern is enough for all texts that match it. */
  expect(pattern: RegExp): void
  unexpected(): string[]
}

/** The console fetches a row again when it has changed; the room may be gone by then, in any test. */
const rowIsGone = 'GET /api/operator/room 404'

export function watchBrowserErrors(page: Page): BrowserErrors {
  const found: string[] = []
  const expected: RegExp[] = []
  page.on('pageerror', (error) => found.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser's own message about a refused request says less than the request itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      found.push(`console: ${message.text()}`)
    }
  })
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    // Navigation aborts the requests of the page.
    if (why !== 'net::ERR_ABORTED') found.push(`${request.method()} ${pathOf(request.url())} ${why}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const text = `${response.request().method()} ${pathOf(response.url())} ${response.status()}`
    if (text !== rowIsGone) found.push(text)
  })
  return {
    expect: (pattern) => void expected.push(pattern),
    unexpected: () => found.filter((text) => !expected.some((pattern) => pattern.test(text))),
  }
}

function pathOf(url: string): string {
  return new URL(url).pathname
}
