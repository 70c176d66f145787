import { screen, within } from '@testing-library/react'
import { field, fill, openAs, select, user } from '#testing/console.tsx'

export const createPath = '/project/create_project_room'

export async function openCreateForm(): Promise<void> {
  openAs('CLOUD_SALES', createPath)
  await screen.findByRole('textbox', { name: 'Project room name' })
}

export function submitButton(): HTMLElement {
  return screen.getByRole('button', { name: 'Create project room' })
}

export async function chooseProduct(product: 'ARIS' | 'MINING' | 'ENTERPRISE'): Promise<void> {
  const group = screen.getByRole('radiogroup', { name: 'Product type' })
  await user.click(within(group).getByText(product))
}

/** Everything that is required, except for the room itself. */
const contacts = {
  'Owner e-mail': 'owner@example.com',
  'Customer contact first name': 'Øyvind',
  'Customer contact last name': "O'Neil",
  'Company name': 'Example, Inc.',
  'Original SAP contract number': '4711',
  'Sales contact e-mail': 'sales@example.com',
}

/** Fills in a whole ARIS Basic room in region-1. */
export async function fillInRoom(name: string): Promise<void> {
  fill(field('Project room name'), name)
  await select('Region', 'region-1')
  for (const [label, text] of Object.entries(contacts)) fill(field(label), text)
}

export async function submitByKeys(): Promise<void> {
  await user.keyboard('{Control>}{Enter}{/Control}')
}
