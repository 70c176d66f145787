import type { Locator, Page } from '@playwright/test'

/** A toast by its title and its text, both to the letter. */
export function toast(page: Page, title: string, text: string): Locator {
  return page
    .getByRole('alert')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(text, { exact: true }) })
}

/** Toasts may cover what is to be clicked, and stay while the pointer is over them. */
export async function closeToasts(page: Page): Promise<void> {
  const all = page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' })
  // One that goes by itself in this very moment is closed too.
  while ((await all.count()) > 0)
    await all
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined)
}
