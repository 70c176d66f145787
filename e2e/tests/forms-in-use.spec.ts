/** What is typed is never lost or rewritten: while a form is saved, a file is uploaded, or a dialog is closed. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Network } from '@roomkeeper/dev-env'
import { craftBackup } from '../../apps/server/test/craft-backup.ts'
import { field } from '../create-form.ts'
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { addMigration, buttonOf, cloudDialog, inputOf, openCloud, openTab } from '../manage-cloud.ts'
import { zipFile } from '../room-backups.ts'
import { listPath } from '../room-list.ts'
import { top } from '../walk.ts'

/** Holds the first call of a path that changes something, until it is released. */
async function hold(page: Page, path: string): Promise<{ isSent: Promise<unknown>; release: () => void }> {
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    sent.resolve()
    await released.promise
    await route.continue()
  })
  return { isSent: sent.promise, release: released.resolve }
}

test('what is typed while a notification is saved stays', async ({ openAs }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/set_notification')
  await page.getByRole('textbox', { name: 'Message' }).fill('Begun')
  await field(page, 'End date').fill('31.12.2099')
  await field(page, 'End time').fill('12:00')
  const adding = await hold(page, '**/api/operator/notification')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await adding.isSent
  await field(page, 'End date').fill('30.12.2099')
  adding.release()
  await expect(page.getByRole('table').getByText('Begun')).toBeVisible()
  await expect(field(page, 'End date')).toHaveValue('30.12.2099')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('table').getByText('30.12.2099')).toBeVisible()
  await expect(page.getByRole('table').getByText('Begun')).toHaveCount(1)
})

test('Next waits for the second backup, and the form lists both files', async ({ openAs, context }) => {
  const page = await openAs('CLOUD_OPERATOR', '/project/import_project_room')
  const next = page.getByRole('button', { name: 'Next' })
  await page.getByLabel('Project room backup (.zip)').setInputFiles(zipFile('room.zip', craftBackup()))
  await expect(next).toBeEnabled()
  const slow = await context.newCDPSession(page)
  const limit = { offline: false, latency: 0, downloadThroughput: -1 }
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: 100_000 })
  const product = craftBackup({ 'databases/sales.db': randomBytes(3_000_000) })
  await page.getByLabel('Second product backup (.zip)').setInputFiles(zipFile('product.zip', product))
  await expect(next).toBeDisabled()
  await expect(page.getByText('An upload is still running. Wait for it, or cancel it.')).toBeVisible()
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: -1 })
  await next.click()
  const files = page.getByRole('region', { name: 'Backups' })
  await expect(files).toContainText('room.zip')
  await expect(files).toContainText('product.zip')
})

test('a database upload outlives a suspension and asks before it goes; the form below gets no keys', async ({
  openAs,
  network,
  context,
}) => {
  const name = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(listPath)
  await page.goBack()
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Company name').fill('Not to be sent')
  await page.getByRole('button', { name: 'Import Database' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Database' })
  await expect(dialog).toBeVisible()
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('Control+Enter')

  const slow = await context.newCDPSession(page)
  const limit = { offline: false, latency: 0, downloadThroughput: -1 }
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: 100_000 })
  const file = { name: 'models.adb', mimeType: 'application/octet-stream', buffer: randomBytes(4_000_000) }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  await expect(page.getByText('Suspended', { exact: true })).toBeAttached()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.goForward()
  await expect(page.getByRole('dialog').last()).toContainText(/entered/)
  await expect(dialog.getByRole('progressbar')).toBeAttached()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room.companyName).not.toBe('Not to be sent')
})

/** Opens each dialog that takes entries, by its file in apps/console/src, and enters something. */
const dialogsWithEntries: Readonly<Record<string, (page: Page, room: string) => Promise<void>>> = {
  'bulks/StartBulkDialog.tsx': async (page) => {
    await page.goto(listPath)
    await page.getByRole('checkbox', { name: 'Select asleep', exact: true }).check()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Write to contacts …' }).click()
    await inputOf(top(page), 'Text').fill('Dear customers, '.repeat(50))
  },
  'rooms/list/views/ViewDialog.tsx': async (page) => {
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as view …' }).click()
    await inputOf(top(page), 'Name').fill('Mine')
  },
  'notes/NoteDialog.tsx': async (page, room) => {
    await page.goto(`${editPath(room)}?tab=overview`)
    await page.getByRole('button', { name: 'New note …' }).click()
    await inputOf(top(page), 'Note').fill('Call first')
  },
  'databases/ImportDatabaseDialog.tsx': async (page, room) => {
    await page.goto(editPath(room))
    await page.getByRole('button', { name: 'Import Database' }).click()
    await inputOf(top(page), 'Database name').fill('sales')
  },
  'rooms/deleted/RestoreDeletedDialog.tsx': async (page) => {
    await page.goto('/project/deleted')
    await page.getByRole('button', { name: /^Restore / }).click()
    await top(page).getByRole('textbox', { name: 'Project room name' }).fill('back')
  },
  'operators/OperatorDialog.tsx': async (page) => {
    await page.goto('/project/operators')
    await page.getByRole('button', { name: 'New operator' }).click()
    await top(page).getByRole('textbox', { name: 'E-mail address' }).fill('new@example.com')
  },
  'rooms/customers/MergeDialog.tsx': async (page) => {
    await page.goto(`/project/customers/${encodeURIComponent('Example, Inc.')}`)
    await page.getByRole('button', { name: 'Merge spelling …' }).click()
    await top(page)
      .getByLabel(/^Other spelling/)
      .fill('Contoso Ltd')
  },
  'tokens/NewTokenDialog.tsx': async (page) => {
    await page.goto('/project/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await top(page).getByRole('textbox', { name: 'Name' }).fill('Reports')
  },
  'webhooks/WebhookDialog.tsx': async (page) => {
    await page.goto('/project/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await top(page).getByRole('textbox', { name: 'Name' }).fill('Chat')
  },
  'app/ManageCloudDialog.tsx': async (page) => {
    await page.goto(listPath)
    await (await openCloud(page, 'Configuration')).getByLabel('Video identifier').fill('a-video')
  },
  'regions/RegionDialog.tsx': async (page) => {
    await openTab(cloudDialog(page), 'Regions')
    await buttonOf(cloudDialog(page), 'New').click()
    await inputOf(top(page), 'User name').fill('console')
  },
  'live-migrations/MigrationDialog.tsx': async (page) => {
    await openTab(cloudDialog(page), 'Live migration')
    await buttonOf(cloudDialog(page), 'New').click()
    await expect(page.getByRole('dialog')).toHaveCount(2)
    await top(page).getByRole('checkbox').first().click()
  },
  'live-migrations/StartMigrationDialog.tsx': async (page) => {
    await buttonOf(cloudDialog(page), 'Start').click()
    await page.getByRole('dialog', { name: 'Start live migration' }).getByRole('checkbox').check()
  },
  'live-migrations/ForceDeleteDialog.tsx': async (page) => {
    await buttonOf(cloudDialog(page), 'State').click()
    await page.getByRole('button', { name: 'Force delete failed project rooms' }).click()
    await page.getByRole('dialog', { name: 'Force delete' }).getByLabel('Select asleep').check()
  },
  'backup-policies/BackupPolicyDialog.tsx': async (page) => {
    await page.goto(listPath)
    await buttonOf(await openCloud(page, 'Backups'), 'New').click()
    await inputOf(top(page), 'Name').fill('Hourly')
  },
}

/** Dialogs and panels to read and to choose in, and questions: closing them loses nothing that was entered. */
const dialogsWithoutEntries = [
  'backups/RemovedBackupsDialog.tsx',
  'bulks/BulkRunDialog.tsx',
  'consistency/RepairDialog.tsx',
  // Each choice counts at once, in the dialog below it.
  'live-migrations/PickRoomsDialog.tsx',
  'live-migrations/ResetPriorityDialog.tsx',
  'live-migrations/StateDialog.tsx',
  'monitoring/MonitoringTab.tsx',
  'notifications/NotificationEditor.tsx',
  'operations/OperationsPanel.tsx',
  'rooms/CustomerPanel.tsx',
  'rooms/RoomFailure.tsx',
  'session/SessionEndingDialog.tsx',
  'ui/dialog/Question.tsx',
  'ui/dialog/SecretDialog.tsx',
  'ui/table/KeysDialog.tsx',
  'webhooks/TestDialog.tsx',
]

test('every dialog of the console is known here, and those that take entries are dialogs with a form', () => {
  const sources = join(import.meta.dirname, '../../apps/console/src')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx') && file !== 'ui/form/FormDialog.tsx')
  const drawing = (element: RegExp) => files.filter((file) => element.test(readFileSync(join(sources, file), 'utf8')))
  expect(drawing(/<FormDialog\b/).sort()).toEqual(Object.keys(dialogsWithEntries).sort())
  expect(drawing(/<(Dialog|SidePanel)\b/).sort()).toEqual(dialogsWithoutEntries)
})

test('no dialog that takes entries is closed by Escape without a question', async ({ openAs, network }) => {
  test.setTimeout(180_000)
  const room = await prepareDialogs(network)
  const page = await openAs('CLOUD_ADMINISTRATOR')
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  for (const [file, enter] of Object.entries(dialogsWithEntries)) {
    await test.step(file, async () => {
      await enter(page, room)
      const open = await page.getByRole('dialog').count()
      await page.keyboard.press('Escape')
      await expect(question, file).toBeVisible()
      await buttonOf(question, 'Discard changes').click()
      await expect(page.getByRole('dialog')).toHaveCount(open - 1)
      // The Manage Cloud dialog stays open for its tabs.
      if (file === 'app/ManageCloudDialog.tsx') await openCloud(page, 'Regions')
    })
  }
})

/** Leaves a deleted room, a suspended one with a live migration that has failed, and @returns a room at work. */
async function prepareDialogs(network: Network): Promise<string> {
  const [room, gone] = [await network.newRoom(), await network.newRoom()]
  await network.admin.call('deleteRoom', { body: { roomName: gone } })
  await network.settle()
  await insertRooms(network, [{ name: 'asleep', state: 'SUSPENDED' }])
  const migration = await addMigration(network)
  await network.database.rows(
    `insert into live_migration_states (migration_id, room_id, room_name, source_region_id, target_region_id, outcome)
     select $1, id, name, 1, 2, 'failed' from rooms where name = 'asleep'`,
    [migration],
  )
  return room
}
