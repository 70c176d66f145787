/** The list of project rooms, as an operator sees it. */
import type { Locator, Page } from '@playwright/test'

export const listPath = '/project/administration'

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
}

/** The names of the shown rooms, in order, without what may stand below them. */
export function shownRooms(page: Page): Promise<string[]> {
  return page
    .getByRole('rowheader')
    .evaluateAll((heads) => heads.map((head) => (head.querySelector('[data-name]') ?? head).textContent ?? ''))
}

export function listHeading(page: Page): Locator {
  return page.getByRole('heading', { name: 'Project Rooms', exact: true })
}

export function searchBox(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search' })
}

/** Everything except cookies that the browser keeps for the console beyond this visit. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage }))
}
