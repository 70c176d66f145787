import type { Page } from '@playwright/test'

/** The value of a cookie, or undefined when there is none. */
export async function cookie(page: Page, name: string): Promise<string | undefined> {
  const all = await page.context().cookies()
  return all.find((each) => each.name === name)?.value
}
