/** The Manage Cloud dialog, as an administrator sees it. */
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { type Network, type RunningRegion, startRegion } from '@roomkeeper/dev-env'
import { firstRegion } from './region-room.ts'

export type CloudTab = 'Configuration' | 'Regions' | 'Live migration' | 'Backups' | 'Monitoring'

export function cloudDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Manage Cloud' })
}

/** Opens the dialog and one of its tabs. */
export async function openCloud(page: Page, tab: CloudTab): Promise<Locator> {
  await page.getByRole('button', { name: 'Configuration', exact: true }).click()
  const dialog = cloudDialog(page)
  await openTab(dialog, tab)
  return dialog
}

export async function openTab(dialog: Locator, tab: CloudTab): Promise<void> {
  const control = dialog.getByRole('button', { name: tab, exact: true })
  await control.click()
  await expect(control).toHaveAttribute('aria-expanded', 'true')
}

export function buttonOf(within: Locator, name: string): Locator {
  return within.getByRole('button', { name, exact: true })
}

/** Finds a row by the text of its header cell: a region's name, a source region, a project room. */
export function rowNamed(within: Locator, name: string): Locator {
  return within.getByRole('row').filter({ has: within.page().getByRole('rowheader', { name, exact: true }) })
}

/** The row of a process of the project room. */
export function processRow(within: Locator, room: string, process: string): Locator {
  return rowNamed(within, room).filter({ has: within.page().getByRole('cell', { name: process }) })
}

/** The options of an open select; the page below has lists of its own. */
export function optionsOf(page: Page): Locator {
  return page.getByRole('listbox').getByRole('option')
}

/** An input by its label; the label of a required input ends with an asterisk. */
export function inputOf(within: Locator, label: string): Locator {
  return within.getByRole('textbox', { name: label, exact: true })
}

/** Assistive technology does not see a password field as a textbox. */
export function passwordOf(form: Locator, label: string): Locator {
  return form.locator('input[type=password]').and(form.getByLabel(label))
}

/** Adds a live migration from the first region to the second. @returns its id */
export async function addMigration(network: Network, given: { parallel?: boolean } = {}): Promise<number> {
  const body = { sourceRegion: 1, targetRegion: 2, ...given }
  return (await network.admin.call('saveLiveMigration', { body })).body.id
}

/** Opens a customer user's session in the room, so that its move would be postponed. */
export async function openSession(network: Network, name: string): Promise<void> {
  await firstRegion(network).client.openSession(name, 'owner@example.com')
}

/** Adds a third region, without rooms. @returns its name */
export async function addRegion(network: Network): Promise<string> {
  const { name: regionName, url: regionIPorURL, ...region } = await startSpareRegion(network)
  const { userName, password, systemPassword: passwordSystem } = region
  await network.admin.call('createRegion', {
    body: { regionName, regionIPorURL, userName, password, passwordSystem },
  })
  return regionName
}

/** Starts an unregistered region server, with the passwords of the others. It ends with this process. */
export function startSpareRegion({ dir }: Network): Promise<RunningRegion> {
  const name = `spare${Date.now()}`
  return startRegion({ name, dataDir: join(dir, name) })
}

/** The address of a region of the network. */
export function urlOf(network: Network, index: number): string {
  return network.regions[index]?.url ?? ''
}
