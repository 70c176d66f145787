/** The edit screen of a room, as an operator sees it. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Network, RoomDraftGiven } from '@roomkeeper/dev-env'
import { roomDraft } from '@roomkeeper/dev-env'

export function editPath(name: string, tab?: 'databases' | 'backups' | 'history'): string {
  return `/project/edit_project_room/${name}${tab === undefined ? '' : `?tab=${tab}`}`
}

export function submitChanges(page: Page): Locator {
  return page.getByRole('button', { name: 'Submit Changes' })
}

export function button(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true })
}

/** Creates an active room that really exists on its region. @returns its name */
export async function createActiveRoom(network: Network, given: Partial<RoomDraftGiven> = {}): Promise<string> {
  const body = roomDraft(given)
  await network.admin.call('createRoom', { body })
  await network.settle()
  return body.tenantName
}

/** Creates a suspended room that really exists on its region. @returns its name */
export async function createSuspendedRoom(network: Network, given: Partial<RoomDraftGiven> = {}): Promise<string> {
  const roomName = await createActiveRoom(network, given)
  await network.admin.call('suspendRoom', { body: { roomName, userNotification: false } })
  await network.settle()
  return roomName
}

/** The shown state of the room, from its pill. */
export async function expectState(page: Page, label: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 })
  await expect(title.locator('xpath=following-sibling::*[1]')).toHaveText(label)
}
