/** Backup policies: added with a preview, changed by two at once, switched off, deleted; who sees them; how they look. */
import type { Locator, Page } from '@playwright/test'
import type { BackupPolicyDraft } from '@roomkeeper/contract'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { buttonOf, inputOf, openCloud, optionsOf, rowNamed } from '../manage-cloud.ts'
import { closeToasts, toast } from '../toasts.ts'

const draft: BackupPolicyDraft = {
  name: 'Nightly',
  isOn: false,
  rooms: { regions: [], products: [], editions: [], query: null },
  kind: 'classic',
  schedule: { every: 'day', at: '22:00', windowHours: 6 },
  keep: { daily: 7, weekly: 4, monthly: 12 },
  verifyEvery: 0,
}

// shows: policy-tab, policy-deleted
test('a policy is added with a preview, changed, switched off and deleted', async ({
  openAs,
  network,
  browserErrors,
}) => {
  await insertRooms(network, [...numberedRooms('fleet', 3), ...numberedRooms('other', 2)])
  await network.database.rows(`
    insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
    select gen_random_uuid(), id, name, 'classic', 'rooms/x', 1000000, '' from rooms`)
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Backups')
  await expect(dialog.getByText('No backup policies yet')).toBeVisible()
  await buttonOf(dialog, 'New').click()
  const form = page.getByRole('dialog', { name: 'New backup policy' })
  const preview = form.getByRole('region', { name: 'What it comes to' }).getByRole('status')
  await expect(inputOf(form, 'Name')).toBeFocused()
  await expect(preview).toContainText('5 project rooms.')
  await inputOf(form, 'With these words').fill('fleet')
  await expect(preview).toContainText('3 project rooms.')
  await inputOf(form, 'Keep weekly').fill('0')
  await inputOf(form, 'Keep monthly').fill('0')
  await expect(preview).toHaveText('3 project rooms. In the end each has 7 backups. Together they take about 21 MB.')

  await expect(buttonOf(form, 'Save')).toBeDisabled()
  await inputOf(form, 'Name').fill('Fleet')
  await inputOf(form, 'From (UTC)').fill('25:00')
  await inputOf(form, 'From (UTC)').blur()
  await expect(inputOf(form, 'From (UTC)')).toHaveAttribute('aria-invalid', 'true')
  await inputOf(form, 'From (UTC)').fill('01:30')
  await buttonOf(form, 'Save').click()
  await expect(toast(page, 'Fleet', 'The backup policy was added')).toBeVisible()
  const row = rowNamed(dialog, 'Fleet')
  await expect(row.getByRole('cell')).toHaveText([
    '',
    'On',
    'with ‘fleet’',
    'Daily from 01:30 UTC, spread over 6 hours',
    '7 daily',
    'None yet',
  ])

  await dialog.getByLabel('Select Fleet').check()
  await buttonOf(dialog, 'Edit').click()
  const edit = page.getByRole('dialog', { name: 'Edit backup policy Fleet' })
  await choose(page, edit, 'How often', 'Weekly')
  await choose(page, edit, 'Day of the week', 'Wednesday')
  browserErrors.expect(/^PUT \/api\/operator\/backupPolicies\/[^ ]+ 409$/)
  await network.admin.call('createBackupPolicy', { body: draft })
  await inputOf(edit, 'Name').fill('nightly')
  await buttonOf(edit, 'Save').click()
  await expect(inputOf(edit, 'Name')).toHaveAccessibleDescription(/already a backup policy named nightly/)
  await inputOf(edit, 'Name').fill('Weekly')
  await buttonOf(edit, 'Save').click()
  const renamed = rowNamed(dialog, 'Weekly')
  await expect(renamed).toContainText('Wednesday from 01:30 UTC, spread over 6 hours')
  // Another operator's policy has come by itself.
  await expect(rowNamed(dialog, 'Nightly')).toContainText('All project rooms')

  await closeToasts(page)
  await buttonOf(dialog, 'Switch off').click()
  await expect(renamed).toContainText('Off')
  await expect(buttonOf(dialog, 'Switch off')).toBeDisabled()
  await buttonOf(dialog, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete backup policy Weekly' })
  await expect(question).toContainText('Those that it has taken stay, and nothing removes them by itself any more')
  await expect(buttonOf(question, 'Cancel')).toBeFocused()
  await buttonOf(question, 'Delete backup policy').click()
  await expect(renamed).toHaveCount(0)
  const [left] = await network.database.rows<{ n: number }>('select count(*)::int as n from room_backups')
  expect(left?.n).toBe(5)
})

test('two who change a policy at once both get their changes', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(/^PUT \/api\/operator\/backupPolicies\/[^ ]+ 409$/)
  const { body: made } = await network.admin.call('createBackupPolicy', { body: draft })
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Backups')
  await dialog.getByLabel('Select Nightly').check()
  await buttonOf(dialog, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Edit backup policy Nightly' })
  await inputOf(form, 'Keep daily').fill('9')
  const body = { ...draft, keep: { ...draft.keep, daily: 8 }, rooms: { ...draft.rooms, products: ['MINING' as const] } }
  await network.admin.call('changeBackupPolicy', { params: { id: made.id }, body })
  await buttonOf(form, 'Save').click()
  const conflict = form.getByRole('alert', { name: 'The backup policy was changed by somebody else meanwhile.' })
  await expect(conflict).toBeFocused()
  await expect(conflict.getByRole('row')).toHaveText([
    /Field/,
    'Products–MINING',
    'Kept9 daily, 4 weekly, 12 monthly8 daily, 4 weekly, 12 monthly',
  ])
  await buttonOf(conflict, 'Keep mine on the new version').click()
  await expect(form.getByRole('checkbox', { name: 'MINING' })).toBeChecked()
  await buttonOf(form, 'Save').click()
  await expect(toast(page, 'Nightly', 'The backup policy was changed')).toBeVisible()
  const [stored] = (await network.admin.call('backupPolicies', {})).body
  expect(stored).toMatchObject({ keep: { daily: 9, weekly: 4, monthly: 12 }, rooms: { products: ['MINING'] } })
})

// shows: policy-runs
test('missed and failed backups of the last week stand in the list', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 1))
  const { body: made } = await network.admin.call('createBackupPolicy', { body: draft })
  await network.database.rows(
    `insert into scheduled_backups (policy_id, room_id, region_id, due_at, counts_from, try_until, state, started_at)
     select $1, id, region_id, now(), now(), now(), 'done', '2026-11-20T10:00:00Z' from rooms limit 1`,
    [made.id],
  )
  await network.database.rows(
    `insert into scheduled_backup_days (policy_id, day, done, missed, failed)
     select $1::uuid, (now() at time zone 'UTC')::date - days, done, 1, 1
       from (values (6, 2), (7, 5)) as counted (days, done)`,
    [made.id],
  )
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Backups')
  await expect(rowNamed(dialog, 'Nightly')).toContainText('7 days: 2 done, 1 missed, 1 failed')
  await expect(rowNamed(dialog, 'Nightly')).toContainText('20.11.2026')
})

for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const) {
  test(`${role} does not see the tab`, async ({ openAs }) => {
    const page = await openAs(role, '/project/administration?cloud=backups')
    await expect(page.getByRole('button', { name: /^Profile of / })).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Configuration', exact: true })).toHaveCount(0)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}

async function choose(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await optionsOf(page).filter({ hasText: option }).click()
}
