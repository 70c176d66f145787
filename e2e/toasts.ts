import type { Locator, Page } from '@playwright/test'

/** Finds a toast by its exact title and text. */
export function toast(page: Page, title: string, text: string): Locator {
  return page
    .getByRole('alert')
    .filter({ has: page.getByText(title, { exact: true }) })
    .filter({ has: page.getByText(text, { exact: true }) })
}

/** Closes all toasts: they may cover what is to be clicked, and stay while the pointer is over them. */
export async function closeToasts(page: Page): Promise<void> {
  const all = page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' })
  // A toast that disappears by itself at this moment counts as closed.
  while ((await all.count()) > 0)
    await all
      .first()
      .click({ timeout: 2_000 })
      .catch(() => undefined)
}
