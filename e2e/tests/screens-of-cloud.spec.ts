/** The Manage Cloud dialog and the dialogs above it: axe in light and dark, every width, German. */
import { expect } from '@playwright/test'
import type { BackupPolicyDraft } from '@roomkeeper/contract'
import {
  addMigration,
  buttonOf,
  cloudDialog,
  inputOf,
  openCloud,
  openSession,
  openTab,
  optionsOf,
  processRow,
  rowNamed,
} from '../manage-cloud.ts'
import { listPath } from '../room-list.ts'
import { closeToasts } from '../toasts.ts'
import { closeTop, dialog, dialogBehind, listbox, pageAt, testWalks, top, type WalkContext } from '../walk.ts'

const policy: BackupPolicyDraft = {
  name: 'Nightly',
  isOn: false,
  rooms: { regions: [], products: [], editions: [], query: null },
  kind: 'classic',
  schedule: { every: 'day', at: '22:00', windowHours: 6 },
  keep: { daily: 7, weekly: 4, monthly: 12 },
  verifyEvery: 0,
}

testWalks([
  {
    name: 'the settings, the regions and their dialogs',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    screens: [
      {
        name: 'configuration',
        open: async ({ page }) => {
          await (await openCloud(page, 'Configuration')).getByLabel('Video identifier').fill('no/video')
        },
        leave: ({ page }) => page.getByLabel('Video identifier').fill(''),
      },
      {
        name: 'regions',
        part: dialog,
        open: async ({ page }) => {
          await openTab(cloudDialog(page), 'Regions')
          await page.getByLabel('Select region-1').check()
        },
      },
      dialogBehind('New'),
      {
        name: 'an open selection',
        part: listbox,
        open: async ({ page }) => {
          await buttonOf(cloudDialog(page), 'Edit').click()
          await page.getByRole('dialog', { name: 'Edit region region-1' }).getByLabel('Source regions').click()
          await expect(optionsOf(page)).toHaveCount(1)
        },
        leave: async ({ page }) => {
          await optionsOf(page).click()
          await page.keyboard.press('Escape')
        },
      },
      {
        name: 'a region that was tested',
        part: dialog,
        open: async ({ page }) => {
          await buttonOf(top(page), 'Test Connection').click()
          await expect(top(page).getByRole('status')).toBeVisible()
        },
      },
      {
        name: 'a region with what is wrong',
        part: dialog,
        open: async ({ page }) => {
          await inputOf(top(page), 'User name').fill('')
          await inputOf(top(page), 'Maximum number of tenants').fill('-7')
        },
        leave: ({ page }) => page.keyboard.press('Escape'),
      },
      {
        name: 'unsaved changes',
        isOnlyEnglish: true,
        part: dialog,
        open: ({ page }) => expect(page.getByRole('button', { name: 'Discard changes' })).toBeVisible(),
        leave: ({ page }) => page.getByRole('button', { name: 'Discard changes' }).click(),
      },
      ...(
        [
          ['Delete', 'Delete Region', 'Löschen'],
          ['Update system db', 'Update system db', 'System-DB aktualisieren'],
        ] as const
      ).map(([name, title, german]) => ({
        name,
        german,
        part: dialog,
        open: async ({ page }: WalkContext) => {
          await buttonOf(cloudDialog(page), name).click()
          await expect(page.getByRole('dialog', { name: title })).toBeVisible()
        },
        leave: closeTop,
      })),
      {
        name: 'a disabled region',
        part: dialog,
        open: async ({ page }) => {
          await buttonOf(cloudDialog(page), 'Disable').click()
          await expect(rowNamed(cloudDialog(page), 'region-1')).toContainText('Disabled')
          await closeToasts(page)
        },
      },
    ],
  },
  {
    name: 'live migrations and their dialogs',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    async prepare(network) {
      const rooms = [await network.newRoom(), await network.newRoom()]
      await openSession(network, rooms[1] ?? '')
      return rooms
    },
    screens: [
      {
        name: 'no live migrations',
        part: dialog,
        open: async ({ page }) => void (await openCloud(page, 'Live migration')),
      },
      {
        name: 'a configuration that is incomplete',
        part: dialog,
        open: async ({ page, network }) => {
          await addMigration(network)
          await expect(rowNamed(cloudDialog(page), 'region-1')).toBeVisible()
          await buttonOf(cloudDialog(page), 'New').click()
          await buttonOf(top(page), 'Save').click()
        },
      },
      {
        name: 'a selection of regions',
        part: listbox,
        open: async ({ page }) => {
          await page.getByRole('combobox', { name: 'Source region' }).click()
          await page.keyboard.press('ArrowDown')
        },
        leave: async ({ page }) => {
          await page.keyboard.press('Escape')
          await page.keyboard.press('Escape')
        },
      },
      ...(
        [
          ['Reset priority', 'Reset priority', 'Priorität zurücksetzen'],
          ['State', 'State of region-1 → region-2', 'Status'],
        ] as const
      ).map(([name, title, german]) => ({
        name,
        german,
        part: dialog,
        open: async ({ page }: WalkContext) => {
          await buttonOf(cloudDialog(page), name).click()
          // Loaded on demand: until then the dialog below would be looked at, and Escape would close nothing.
          await expect(page.getByRole('dialog', { name: title })).toBeVisible()
        },
        leave: closeTop,
      })),
      {
        name: 'the start of a live migration',
        part: dialog,
        open: async ({ page }) => {
          await buttonOf(cloudDialog(page), 'Start').click()
          await expect(page.getByRole('button', { name: 'Select project rooms' })).toBeVisible()
        },
      },
      {
        name: 'rooms to pick',
        part: dialog,
        open: async ({ page, made }) => {
          await page.getByRole('button', { name: 'Select project rooms' }).click()
          // The list of rooms behind the dialogs has boxes of the same names.
          for (const name of made) await top(page).getByLabel(`Select ${name}`).check()
        },
        leave: ({ page }) => page.getByRole('button', { name: 'Done' }).click(),
      },
      {
        name: 'what will happen',
        part: dialog,
        open: async ({ page }) => {
          await buttonOf(page.getByRole('dialog', { name: 'Start live migration' }), 'Start').click()
          await expect(page.getByText('Will be postponed')).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'a live migration that has ended, its state entries, their logs, and force delete',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    async prepare(network) {
      const rooms = [await network.newRoom(), await network.newRoom()]
      await openSession(network, rooms[1] ?? '')
      const id = await addMigration(network)
      await network.admin.call('startLiveMigration', { body: { liveMigrationData: { id }, selectedRooms: rooms } })
      await network.settle()
      await network.database.rows(`update live_migration_states set outcome = 'failed' where outcome = 'postponed'`)
      return rooms
    },
    screens: [
      {
        name: 'live migrations',
        part: dialog,
        open: async ({ page }) => {
          const cloud = await openCloud(page, 'Live migration')
          await expect(rowNamed(cloud, 'region-1')).toContainText('Partially completed')
        },
      },
      {
        name: 'state entries',
        part: dialog,
        open: async ({ page, made: [moved = ''] }) => {
          await buttonOf(cloudDialog(page), 'State').click()
          await expect(rowNamed(top(page), moved)).toBeVisible()
        },
      },
      {
        name: 'logs of a state entry',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page, made: [, left = ''] }) => {
          await buttonOf(rowNamed(top(page), left), 'Logs').click()
          await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
        },
        leave: closeTop,
      },
      {
        name: 'force delete',
        isOnlyEnglish: true,
        part: dialog,
        open: async ({ page, made: [, left = ''] }) => {
          await page.getByRole('button', { name: 'Force delete failed project rooms' }).click()
          await top(page).getByLabel(`Select ${left}`).check()
          await page.getByRole('button', { name: 'Force delete', exact: true }).click()
          await expect(page.getByLabel('Type region-2 to confirm')).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'the monitoring and a log, the backup policies and their form',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    async prepare(network) {
      await network.admin.call('createBackupPolicy', { body: policy })
      return [await network.newRoom()]
    },
    screens: [
      {
        name: 'monitoring',
        part: dialog,
        untranslated: /Create PR/g,
        open: async ({ page, made: [name = ''] }) => {
          const cloud = await openCloud(page, 'Monitoring')
          await expect(processRow(cloud, name, 'Create PR')).toBeVisible()
        },
      },
      {
        name: 'logs',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page, made: [name = ''] }) => {
          await buttonOf(processRow(cloudDialog(page), name, 'Create PR'), 'Logs').click()
          await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
        },
        leave: closeTop,
      },
      {
        name: 'no match',
        part: dialog,
        open: async ({ page }) => {
          await cloudDialog(page).getByRole('searchbox').fill('nothing')
          await expect(page.getByRole('heading', { name: 'No background process matches' })).toBeVisible()
        },
      },
      {
        name: 'backup policies',
        part: dialog,
        open: async ({ page }) => {
          await openTab(cloudDialog(page), 'Backups')
          await page.getByLabel('Select Nightly').check()
        },
      },
      {
        name: 'a policy with what is wrong',
        part: dialog,
        open: async ({ page }) => {
          await buttonOf(cloudDialog(page), 'Edit').click()
          await inputOf(top(page), 'Keep daily').fill('x')
          await inputOf(top(page), 'Keep daily').blur()
        },
      },
      {
        name: 'a weekly policy',
        part: dialog,
        open: async ({ page }) => {
          await top(page).getByRole('combobox', { name: 'How often' }).click()
          await optionsOf(page).filter({ hasText: 'Weekly' }).click()
        },
      },
      ...Object.entries({
        '/project/regions': 'Disable',
        '/project/migrations': 'Export config',
        '/project/backups': 'Switch off',
        '/project/monitoring': 'Logs',
        '/project/configuration': 'Save',
      }).map(([path, button]) =>
        pageAt(path, (page) => buttonOf(page.getByRole('main'), button).first(), { untranslated: /Create PR/g }),
      ),
    ],
  },
])
