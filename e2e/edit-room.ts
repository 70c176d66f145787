/** The edit screen of a room, as an operator sees it. */
import { expect, type Locator, type Page } from '@playwright/test'

export function editPath(name: string, tab?: 'databases' | 'backups' | 'history'): string {
  return `/project/edit_project_room/${name}${tab === undefined ? '' : `?tab=${tab}`}`
}

export function submitChanges(page: Page): Locator {
  return page.getByRole('button', { name: 'Submit Changes' })
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true })
}

/** The shown state of the room, from its pill. */
export async function expectState(page: Page, label: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 })
  await expect(title.locator('xpath=following-sibling::*[1]')).toHaveText(label)
}
