/** The screens of one room: axe in light and dark, every width, German. */
import { expect } from '@playwright/test'
import { roomDraft } from '@roomkeeper/dev-env'
import { chooseProduct, createPath, field, fillInRoom, select, submitCreation } from '../create-form.ts'
import { button, editPath, submitChanges } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { untilRoomIs } from '../region-room.ts'
import { listPath, rowOf } from '../room-list.ts'
import { closeTop, dialog, dialogBehind, listbox, longEmail, menuBehind, testWalks, type WalkContext } from '../walk.ts'

testWalks([
  {
    name: 'the create form of each product, with its messages, selections, calendar and question',
    role: 'CLOUD_OPERATOR',
    path: createPath,
    screens: [
      {
        name: 'ARIS Advanced with messages',
        open: async ({ page }) => {
          await select(page, 'Edition', 'Advanced')
          await field(page, 'Owner e-mail').fill(longEmail)
          await field(page, 'Architect').fill('2')
          await field(page, 'Designer').fill('2')
          await page.keyboard.press('Control+Enter')
          await expect(field(page, 'Company name')).toHaveAttribute('aria-invalid', 'true')
        },
      },
      {
        name: 'MINING',
        part: 'form',
        open: async ({ page }) => {
          await chooseProduct(page, 'MINING')
          await select(page, 'Edition', 'Enterprise')
          await page.getByText('Living', { exact: true }).click()
        },
      },
      // The chosen option, and the one that the keys have come to, have colours of their own.
      {
        name: 'a selection, at the chosen option',
        part: listbox,
        open: async ({ page }) => {
          await select(page, 'Region', 'region-2')
          await page.getByRole('combobox', { name: 'Region' }).click()
          await expect(page.getByRole('option')).toHaveCount(2)
          await page.keyboard.press('ArrowDown')
        },
      },
      {
        name: 'a selection, at another option',
        part: listbox,
        open: ({ page }) => page.keyboard.press('ArrowDown'),
        leave: ({ page }) => page.keyboard.press('Escape'),
      },
      {
        name: 'the open selection of editions',
        part: listbox,
        open: ({ page }) => page.getByRole('combobox', { name: 'Edition' }).click(),
        leave: ({ page }) => page.keyboard.press('Escape'),
      },
      {
        name: 'the calendar',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Open the calendar' }).click()
          await expect(page.getByRole('button', { name: 'Next month' })).toBeVisible()
        },
        leave: ({ page }) => page.keyboard.press('Escape'),
      },
      {
        name: 'ENTERPRISE',
        part: 'form',
        inView: ['Create project room'],
        open: ({ page }) => chooseProduct(page, 'ENTERPRISE'),
      },
      dialogBehind('Back', { name: 'the question about unsaved changes', german: 'Zurück' }),
      {
        name: 'a failed creation',
        part: 'form [role=alert]',
        isOnlyEnglish: true,
        open: async ({ page, browserErrors }) => {
          browserErrors.expect(/^POST \/api\/operator\/create 500$/)
          await page.route('**/api/operator/create', (route) => route.fulfill({ status: 500 }))
          await chooseProduct(page, 'ARIS')
          await fillInRoom(page, 'goodname')
          await submitCreation(page)
          await expect(page.getByRole('alert').filter({ hasText: 'Create Project Room Failed' })).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'what runs and what failed: rows, panels, dialogs and pages with steps and log',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    async prepare(network) {
      const [running, failed] = [roomDraft(), roomDraft()]
      await setFaults(network, failed.tenantName, [{ method: 'GET', rest: '/licences', action: 'status', status: 400 }])
      await network.admin.call('createRoom', { body: failed })
      await network.settle()
      await setFaults(network, running.tenantName, [{ method: 'PUT', action: 'status', times: 1000 }])
      await network.admin.call('createRoom', { body: running })
      await untilRoomIs(network, failed.tenantName, 'ERROR')
      return [running.tenantName, failed.tenantName]
    },
    screens: [
      {
        name: 'list with a running operation',
        isOnlyEnglish: true,
        open: ({ page, made: [running = ''] }) =>
          expect(rowOf(page, running).getByText('create the room on the region')).toBeVisible(),
      },
      {
        name: 'the failed room at the side of the list',
        part: 'aside',
        isOnlyEnglish: true,
        open: async ({ page, made: [, failed = ''] }) => {
          await rowOf(page, failed).getByText('Error', { exact: true }).click()
          await expect(page.getByRole('complementary').getByText('Created')).toBeVisible()
        },
        leave: async ({ page }) => {
          await page.keyboard.press('Escape')
          await expect(page.getByRole('complementary')).toHaveCount(0)
        },
      },
      {
        name: 'running operations',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Running operations: 1' }).click()
          await page.getByRole('button', { name: 'Show log' }).first().click()
          await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
        },
        leave: closeTop,
      },
      {
        name: 'error messages with steps and log',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page, made: [, failed = ''] }) => {
          await rowOf(page, failed).getByRole('button').first().click()
          await expect(page.getByRole('dialog').getByRole('list', { name: 'Steps' })).toBeVisible()
        },
        leave: closeTop,
      },
      ...[0, 1].map((index) => ({
        name: `page of the ${index === 0 ? 'running' : 'failed'} room`,
        isOnlyEnglish: true,
        open: async ({ page, made }: WalkContext) => {
          await page.goto(editPath(made[index] ?? ''))
          await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
        },
      })),
      dialogBehind(/^Cancel operation Create PR/, {
        open: async ({ page, made: [running = ''] }) => {
          await page.goto(editPath(running))
          await page.getByRole('button', { name: /^Cancel operation Create PR/ }).click()
          await expect(page.getByRole('dialog', { name: `Cancel Create PR of ${running}?` })).toBeVisible()
        },
        isOnlyEnglish: true,
      }),
    ],
  },
  {
    name: 'the form of a room: as it is, with messages, with a conflict, with a failure',
    role: 'CLOUD_OPERATOR',
    path: ([name = '']) => editPath(name),
    prepare: async (network) => [
      await network.newRoom({
        edition: 'advanced',
        licenses: { YAAD: 1, YAAA: 2 },
        customerEmail: longEmail,
        companyName: 'Beispiel',
      }),
    ],
    screens: [
      { name: 'the edit screen', open: ({ page }) => expect(page.getByText('1 used')).toBeVisible() },
      {
        name: 'the form with messages',
        part: 'form',
        open: async ({ page }) => {
          await field(page, 'Company name').fill('')
          await page.keyboard.press('Control+Enter')
          await expect(field(page, 'Company name')).toHaveAttribute('aria-invalid', 'true')
        },
      },
      {
        name: 'a conflict',
        part: 'form [role=alert]',
        isOnlyEnglish: true,
        open: async ({ page, network, made: [name = ''] }) => {
          const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
          const body = { ...room, sapNumberLast: `SAP ${name}`, companyName: 'Theirs' }
          await network.admin.call('editRoom', { body })
          await page.getByRole('button', { name: 'Keep mine on the new version' }).waitFor()
        },
        leave: ({ page }) => page.getByRole('button', { name: 'Take over the stored values' }).click(),
      },
      {
        name: 'a failed edit',
        part: 'form [role=alert]',
        isOnlyEnglish: true,
        open: async ({ page, browserErrors }) => {
          browserErrors.expect(/^POST \/api\/operator\/edit 500$/)
          await page.route('**/api/operator/edit', (route) => route.fulfill({ status: 500 }))
          await field(page, 'Company name').fill('Mine')
          await submitChanges(page).click()
          await expect(page.getByRole('alert').filter({ hasText: 'Error while edit project room' })).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'a suspended room, its tabs and dialogs',
    role: 'CLOUD_OPERATOR',
    path: ([name = '']) => editPath(name),
    async prepare(network) {
      const name = await network.newSuspendedRoom()
      await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
      await network.settle()
      return [name]
    },
    screens: [
      {
        name: 'a suspended room',
        inView: [/^Restore$/],
        open: ({ page }) => expect(page.getByRole('note')).toBeVisible(),
      },
      dialogBehind('Resume', { german: 'Fortsetzen' }),
      menuBehind('Actions'),
      {
        name: 'overview of a suspended room',
        inView: [/^Restore$/],
        untranslated: /Example, Inc\.|\S+@\S+/g,
        open: async ({ page }) => {
          await page.getByRole('tab', { name: 'Overview' }).click()
          await expect(page.getByText('0 of 1 used').or(page.getByText('1 of 1 used'))).toBeVisible()
          await expect(page.getByText('Backed up')).toBeVisible()
        },
      },
      {
        name: 'databases of a suspended room',
        inView: [/^Restore$/],
        open: async ({ page }) => {
          await page.getByRole('tab', { name: 'Databases' }).click()
          await expect(page.getByRole('tabpanel', { name: 'Databases' })).toBeVisible()
        },
      },
      {
        name: 'backups',
        inView: [/^Restore$/],
        open: async ({ page }) => {
          await page.getByRole('tab', { name: 'Backups' }).click()
          await expect(page.getByText('Classic')).toBeVisible()
        },
      },
      dialogBehind(/^Delete the backup/, { german: /^Sicherung vom .* löschen$/ }),
      {
        name: 'history',
        inView: [/^Restore$/],
        open: async ({ page }) => {
          await page.getByRole('tab', { name: 'Activity' }).click()
          await expect(page.getByRole('tabpanel', { name: 'Activity' })).toBeVisible()
        },
      },
      {
        name: 'history with a log',
        isOnlyEnglish: true,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Show log' }).first().click()
          await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
        },
      },
      {
        name: 'restore from a stored backup',
        open: async ({ page, made: [name = ''] }) => {
          await page.goto(`/project/restore_project_room/${name}`)
          await page.getByRole('radio').check()
          await expect(page.getByRole('region', { name: 'What the backup holds' })).toBeVisible()
        },
      },
      {
        name: 'restore from the object store',
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Restore direct to object store' }).click()
          await page.getByRole('button', { name: 'Check backup' }).click()
          await expect(page.getByText('Please select a region.')).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'the databases and the dialogs of an active room',
    role: 'CLOUD_OPERATOR',
    path: ([name = '']) => editPath(name, 'databases'),
    async prepare(network) {
      const name = await network.newRoom()
      const fault = { method: 'POST', rest: '/suspend', action: 'status', status: 400 } as const
      await setFaults(network, name, [fault])
      return [name]
    },
    screens: [
      {
        name: 'databases',
        open: ({ page }) => expect(page.getByRole('rowheader', { name: 'main' })).toBeVisible(),
      },
      dialogBehind('Import Database'),
      dialogBehind('Delete main', { german: 'main löschen' }),
      dialogBehind('Suspend', { german: 'Anhalten' }),
      {
        name: 'a failed suspension',
        part: dialog,
        isOnlyEnglish: true,
        open: async ({ page, browserErrors }) => {
          browserErrors.expect(/^POST \/api\/operator\/suspend 50\d$/)
          await button(page, 'Suspend').click()
          await button(page, 'Yes').click()
          await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
        },
        leave: ({ page }) => button(page, 'No').click(),
      },
      {
        name: 'the last failure',
        isOnlyEnglish: true,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Show details' }).click()
          await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
        },
      },
    ],
  },
])
