/** Who may open which page and use which button, and what a disabled button says. */
import type { Locator } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listHeading, listPath, rowOf } from '../room-list.ts'

const roleNames = {
  CLOUD_SUPPORT: 'Support',
  CLOUD_SALES: 'Sales',
  CLOUD_OPERATOR: 'Operator',
  CLOUD_ADMINISTRATOR: 'Administrator',
} as const satisfies Record<Role, string>
const roles = Object.keys(roleNames) as Role[]
const createPath = '/project/create_project_room'
const notAllowed = 'Your role does not allow this.'
const shopReason = 'This is not possible for Online Shop project rooms.'
const regionReason = 'The region of this project room is disabled.'

for (const role of roles) {
  const isAdmin = role === 'CLOUD_OPERATOR' || role === 'CLOUD_ADMINISTRATOR'

  // shows: list-row-actions
  test(`${role}: the row actions follow role and state, and a disabled one says why`, async ({ openAs, network }) => {
    await insertRoomInEveryState(network)
    const page = await openAs(role)
    const noDelete = isAdmin ? null : notAllowed
    const actions: Record<string, string[]> = {
      active: ['Edit active', withReason('Delete active', noDelete)],
      suspended: ['Edit suspended', withReason('Delete suspended', noDelete)],
      onlineshop: ['Edit onlineshop', withReason('Delete onlineshop', noDelete ?? shopReason)],
      failed: ['Show error messages of failed', 'Edit failed', withReason('Delete failed', noDelete)],
      regionoff: [withReason('Edit regionoff', regionReason), withReason('Delete regionoff', noDelete ?? regionReason)],
      busy: ['Check whether the operation of busy is still running'],
      deleting: ['Check whether the operation of deleting is still running'],
    }
    for (const [name, expected] of Object.entries(actions)) {
      const buttons = rowOf(page, name).getByRole('button')
      await expect(buttons).toHaveCount(expected.length)
      for (const [index, label] of expected.entries()) await expectButton(buttons.nth(index), label)
    }
    await rowOf(page, 'onlineshop').getByRole('button').last().hover()
    await expect(page.getByRole('tooltip', { name: noDelete ?? shopReason })).toBeVisible()
  })
}

const guarded = {
  '/project/create_project_room': ['CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/import_project_room': ['CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/restore_project_room/room': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/set_notification': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/maintenance_mode': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/regions': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/migrations': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/backups': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/monitoring': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/configuration': ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  '/project/statistics': roles,
} as const satisfies Record<string, readonly Role[]>

for (const role of roles) {
  // shows: roles-guards, header-roles, panel-buttons
  test(`${role}: each screen opens for those it is for, everybody else comes to the list; header and panel offer the same`, async ({
    openAs,
    network,
  }) => {
    await insertRooms(network, [{ name: 'room', state: 'SUSPENDED' }])
    const page = await openAs(role)
    for (const [path, admitted] of Object.entries(guarded)) {
      await page.goto(path)
      await expect(page).toHaveURL((admitted as readonly Role[]).includes(role) ? path : listPath)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    const isAdmin = (guarded['/project/maintenance_mode'] as readonly Role[]).includes(role)
    const mayCreate = (guarded[createPath] as readonly Role[]).includes(role)
    const row = page.getByRole('navigation', { name: 'Screens' })
    await expect(row.locator('a, button')).toHaveText([
      ...['Overview', 'Project rooms', 'Customers'],
      ...(isAdmin ? ['Regions', 'Migrations', 'Backups'] : []),
      'Activity',
      ...(isAdmin ? ['Monitoring'] : []),
      ...['Statistics', ...(isAdmin ? ['Deleted', 'Settings'] : [])],
    ])
    if (isAdmin) {
      await row.getByRole('button', { name: 'Settings' }).click()
      await expect(page.getByRole('menuitem')).toHaveText([
        ...(role === 'CLOUD_ADMINISTRATOR' ? ['Operator accounts'] : []),
        ...['API tokens', 'Webhooks', 'Set notification', 'Maintenance mode', 'Configuration'],
        ...['Consistency', 'Audit trail', 'Bulks'],
      ])
      await page.getByRole('menuitem', { name: 'Audit trail' }).click()
      await expect(page).toHaveURL('/project/audit')
      await expect(row.locator('[aria-current]')).toHaveText('Settings')
    }
    await expect(page.getByRole('button', { name: 'Maintenance mode' })).toHaveCount(isAdmin ? 1 : 0)
    await page.getByRole('button', { name: 'Customer management' }).click()
    const panel = page.getByRole('dialog', { name: 'Customer management' })
    const notify = panel.getByRole('button', { name: 'Set notification' })
    if (isAdmin) await expect(notify).toBeEnabled()
    else {
      await expect(notify).toBeDisabled()
      await notify.hover()
      await expect(page.getByRole('tooltip', { name: notAllowed })).toBeVisible()
    }
    await expect(panel.getByRole('button', { name: 'Statistics' })).toBeEnabled()
    const create = panel.getByRole('button', { name: 'Create project room' })
    if (mayCreate) {
      await create.click()
      await expect(page).toHaveURL(createPath)
      await expect(panel).toBeHidden()
    } else {
      await expect(create).toBeDisabled()
      await create.hover()
      await expect(page.getByRole('tooltip', { name: notAllowed })).toBeVisible()
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: `Profile of Test ${role}` }).click()
    await expect(page.getByRole('menu').getByText(roleNames[role])).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Roomkeeper' }).click()
    await expect(page).toHaveURL(listPath)
    await expect(page.getByRole('link', { name: 'New project room' })).toHaveCount(mayCreate ? 1 : 0)
  })
}

// shows: list-error-dialog
test('support sees why a room failed, but neither its log nor a retry', async ({ openAs, network }) => {
  await insertRooms(network, [
    { name: 'failed', state: 'ERROR', errorMessage: 'The region refused: the disk is full.' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  await rowOf(page, 'failed').getByRole('button', { name: 'Show error messages of failed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Error messages for project room: failed' })
  await expect(dialog.getByText('The region refused: the disk is full.')).toBeVisible()
  await expect(dialog.getByRole('button')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

// shows: C-overview, panel-counts
test('the customer management counts the rooms by sales channel, edition and product', async ({ openAs, network }) => {
  await insertRooms(network, [
    { name: 'one' },
    { name: 'two', edition: 'advanced', salesChannel: 'online-shop' },
    { name: 'three', edition: 'advanced-base-extension' },
    { name: 'four', product: 'MINING', edition: 'enterprise' },
    { name: 'five', product: 'ENTERPRISE', edition: 'enterprise-shared' },
    { name: 'six', product: 'ENTERPRISE', edition: 'enterprise-shared' },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  await page.getByRole('button', { name: 'Customer management' }).click()
  const panel = page.getByRole('dialog', { name: 'Customer management' })
  await expect(panel.getByRole('definition').first()).toHaveText('5')
  const figures = await panel
    .locator('dl > div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((each) => each.textContent).join(' ')))
  expect(figures).toEqual([
    'Direct Sales 5',
    'Online Shop 1',
    'Basic 1',
    'Advanced 1',
    'Advanced incl. Base Extension 1',
    'Enterprise (MINING) 1',
    'Enterprise shared 2',
    'ARIS 3',
    'MINING 1',
    'ENTERPRISE 2',
  ])
})

// shows: root-paths, who-redirect, login-cookie
test('other paths lead to where they should, the sign-in of an operator with a saved cookie to the list', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/create')
  await expect(page).toHaveURL(createPath)
  for (const path of ['/project/nowhere', '/project/nowhere/at/all', '/nowhere', '/project', '/project/operator']) {
    await page.goto(path)
    await expect(page).toHaveURL(listPath)
    await expect(listHeading(page)).toBeVisible()
  }
})

// shows: list-unauthenticated
test('a visitor who is not signed in is sent to the sign-in from everywhere', async ({ page }) => {
  for (const path of ['/project', '/project/nowhere', listPath, createPath, '/project/edit_project_room/some']) {
    await page.goto(path)
    await expect(page).toHaveURL('/project/operator')
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible()
  }
})

async function insertRoomInEveryState(network: Network): Promise<void> {
  await network.database.rows(`update regions set state = 'disabled' where id = 2`)
  await insertRooms(network, [
    { name: 'active' },
    { name: 'suspended', state: 'SUSPENDED' },
    { name: 'onlineshop', salesChannel: 'online-shop' },
    { name: 'failed', state: 'ERROR' },
    { name: 'regionoff', region: 2 },
    { name: 'busy', state: 'IN_PROGRESS' },
    { name: 'deleting', state: 'MARKED_FOR_DELETION' },
  ])
}

function withReason(label: string, reason: string | null): string {
  return reason === null ? label : `${label}: ${reason}`
}

/** A label with a reason belongs to a disabled button, a label without one to an enabled button. */
async function expectButton(button: Locator, label: string): Promise<void> {
  await expect(button).toHaveAccessibleName(label)
  if (label.includes(': ')) await expect(button).toBeDisabled()
  else await expect(button).toBeEnabled()
}
