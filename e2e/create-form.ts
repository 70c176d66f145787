/** The create form, as an operator fills it in. */
import { expect, type Locator, type Page } from '@playwright/test'

export const createPath = '/project/create_project_room'

export function field(page: Page, label: string): Locator {
  return page.getByRole('textbox', { name: label, exact: true })
}

function submitButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Create project room' })
}

export async function chooseProduct(page: Page, product: 'ARIS' | 'MINING' | 'ENTERPRISE'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Product type' }).getByText(product, { exact: true }).click()
}

/** Chooses an option of a select, such as the edition or the region. */
export async function select(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page
    .getByRole('option')
    .filter({ has: page.getByText(option, { exact: true }) })
    .click()
}

/** Fills in everything that is required, except for the room itself. */
export async function fillInContacts(page: Page): Promise<void> {
  const texts = {
    'Owner e-mail': 'owner@example.com',
    'Customer contact first name': 'Øyvind',
    'Customer contact last name': "O'Neil",
    'Company name': 'Example, Inc.',
    'Original SAP contract number': '4711',
    'Sales contact e-mail': 'sales@example.com',
  }
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
}

/** Fills in a whole ARIS Basic room in region-1. */
export async function fillInRoom(page: Page, name: string): Promise<void> {
  await field(page, 'Project room name').fill(name)
  await select(page, 'Region', 'region-1')
  await fillInContacts(page)
}

export async function submitCreation(page: Page): Promise<void> {
  await expect(submitButton(page)).toBeEnabled()
  await submitButton(page).click()
}

/** Fills an input and moves the focus away, because messages appear on blur. */
export async function fillAndBlur(input: Locator, text: string): Promise<void> {
  await input.fill(text)
  await input.blur()
}
