/** The list, the pages beside it and those of customers: axe in light and dark, every width, German. */
import { expect, type Page } from '@playwright/test'
import { administrator } from '../fixtures.ts'
import { type InsertedRoom, insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf, searchBox } from '../room-list.ts'
import { closeTop, dialog, dialogBehind, listbox, longEmail, menuBehind, pageAt, testWalks, top } from '../walk.ts'

const selectedRooms = (page: Page) => page.getByRole('region', { name: 'Selected project rooms' })
/** As long as a name of a room can become. */
const longRoom = 'abcdefghijklmnopqrstuvwx'
const longName = 'A name as long as a name of a token or a webhook can become'

const roomsInEveryState: InsertedRoom[] = [
  { name: 'zactive', expirationDate: '2031-01-09' },
  { name: 'zsuspended', state: 'SUSPENDED', salesChannel: 'online-shop' },
  { name: 'zfailed', state: 'ERROR', errorMessage: 'The region refused.' },
  { name: 'zbusy', state: 'IN_PROGRESS' },
  { name: 'zdeleting', state: 'MARKED_FOR_DELETION' },
  { name: 'zregionoff', region: 2 },
]

function inForce() {
  const day = 24 * 3600 * 1000
  return { startDate: new Date(Date.now() - day).toISOString(), endDate: new Date(Date.now() + day).toISOString() }
}

testWalks([
  {
    name: 'the sign-in, also after a failure',
    path: '/project/operator',
    screens: [
      { name: 'sign-in', isOnlyEnglish: true },
      {
        name: 'sign-in with a refusal',
        isOnlyEnglish: true,
        open: async ({ page, browserErrors }) => {
          browserErrors.expect(/^POST \/api\/operator\/session 401/)
          await page.getByLabel('Email').fill(administrator.email)
          await page.getByLabel('Password', { exact: true }).fill('wrong')
          await page.getByRole('button', { name: 'Log in' }).click()
          await expect(page.getByRole('alert')).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'the list with a room in every state, its menus and its dialogs',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    async prepare(network) {
      await network.database.rows(`update regions set state = 'disabled' where id = 2`)
      await insertRooms(network, roomsInEveryState)
      return []
    },
    screens: [
      {
        name: 'list',
        inView: ['Refresh', 'Export', 'Customer management', 'Command palette', /^Profile of /],
        open: ({ page }) => expect(page.getByRole('rowheader')).toHaveCount(roomsInEveryState.length),
      },
      {
        name: 'tooltip of a row action',
        part: '[role=tooltip]',
        open: async ({ page }) => {
          await rowOf(page, 'zfailed').getByRole('button', { name: 'Delete zfailed' }).hover()
          await expect(page.getByRole('tooltip')).toBeVisible()
        },
      },
      ...['Language: EN', 'Colour scheme', /^Profile of /, 'Settings', 'Columns'].map(menuBehind),
      dialogBehind(/^Delete zactive/, { german: 'zactive löschen' }),
      ...['Keyboard shortcuts', 'Customer management', 'Filters'].map((name) => dialogBehind(name)),
      dialogBehind(/^Show error messages/, { isOnlyEnglish: true }),
      dialogBehind('Command palette', {
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Command palette' }).click()
          await page.getByRole('dialog').getByRole('combobox').fill('zactive')
          await expect(page.getByRole('option', { name: 'Suspend: zactive' })).toBeVisible()
        },
      }),
      {
        name: 'selected rooms',
        part: 'main',
        open: async ({ page }) => {
          await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
          await expect(selectedRooms(page)).toBeVisible()
        },
      },
      {
        name: 'an action on the selected rooms',
        part: dialog,
        open: async ({ page }) => {
          await selectedRooms(page).getByRole('button', { name: 'Suspend …', exact: true }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
        leave: closeTop,
      },
      {
        name: 'the deletion of the selected rooms, without backups',
        part: dialog,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'More actions' }).click()
          await page.getByRole('menuitem', { name: 'Delete …' }).click()
          await page.getByRole('checkbox', { name: 'Delete without a last backup' }).check()
          await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
        },
        leave: async ({ page }) => {
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Discard changes' }).click()
        },
      },
      {
        name: 'where to move the selected rooms',
        part: dialog,
        open: async ({ page }) => {
          await selectedRooms(page).getByRole('button', { name: 'Move …' }).click()
          await expect(page.getByRole('combobox', { name: 'Target region' })).toBeVisible()
        },
      },
      {
        name: 'the regions to move the selected rooms to',
        part: listbox,
        open: async ({ page }) => {
          await page.getByRole('combobox', { name: 'Target region' }).click()
          await page.keyboard.press('ArrowDown')
        },
      },
    ],
  },
  {
    name: 'the list without rows: nothing yet, no match, could not load',
    role: 'CLOUD_OPERATOR',
    path: listPath,
    screens: [
      {
        name: 'nothing yet',
        open: ({ page }) => expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible(),
      },
      {
        name: 'no match',
        open: async ({ page }) => {
          await searchBox(page).fill('nothing')
          await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
        },
      },
      {
        name: 'could not load, with a toast',
        isOnlyEnglish: true,
        open: async ({ page, browserErrors }) => {
          browserErrors.expect(/^POST \/api\/operator\/get_tenants 403$/)
          await page.route('**/api/operator/get_tenants**', (route) => route.fulfill({ status: 403 }))
          await page.goto(`${listPath}?q=other`)
          await expect(page.getByRole('heading', { name: 'The project rooms could not be loaded' })).toBeVisible()
          await page.getByRole('button', { name: 'Export' }).click()
          await expect(page.getByRole('alert').filter({ hasText: 'Exported successfully' })).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'statistics, maintenance, notifications, import and restore',
    role: 'CLOUD_ADMINISTRATOR',
    path: listPath,
    async prepare(network) {
      await insertRooms(network, [
        { name: 'active', email: longEmail },
        { name: longRoom, state: 'SUSPENDED' },
      ])
      await network.admin.call('createNotification', { body: { ...inForce(), message: '<p>Wartung</p>' } })
      return []
    },
    screens: [
      pageAt('/project/statistics', (page) => page.getByRole('region', { name: 'Charts' }).getByRole('link').first(), {
        inView: ['Reset filter', 'Configuration', 'Maintenance mode', 'Command palette', /^Profile of /],
      }),
      {
        name: 'a chart as a table',
        part: 'section[aria-label="Charts"]',
        isOnlyEnglish: true,
        open: ({ page }) => page.getByRole('button', { name: 'Project rooms by region: show as table' }).click(),
      },
      {
        name: 'statistics without a match',
        open: async ({ page }) => {
          await searchBox(page).fill('nobody')
          await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
          // The charts are dimmed until their own answer comes.
          await expect(page.locator('.rk-outdated')).toHaveCount(0)
        },
      },
      pageAt('/project/overview', (page) => page.getByRole('link', { name: /no backup of the last 7 days/ }), {
        inView: ['Refresh'],
      }),
      pageAt('/project/maintenance_mode', (page) => page.getByRole('textbox', { name: 'Message' }), {
        inView: ['Save configuration'],
      }),
      pageAt('/project/set_notification', (page) => page.getByRole('textbox', { name: 'Message' })),
      dialogBehind(/^Delete the notification/, { isOnlyEnglish: true }),
      pageAt('/project/import_project_room', (page) => page.getByRole('button', { name: 'Next' }), {
        inView: ['Next'],
      }),
      pageAt(`/project/restore_project_room/${longRoom}`, (page) =>
        page.getByRole('button', { name: 'Restore direct to object store' }),
      ),
      pageAt('/project/restore_project_room/active', (page) => page.getByRole('alert')),
    ],
  },
  {
    name: 'the pages of administrators, and their dialogs',
    role: 'CLOUD_ADMINISTRATOR',
    path: listPath,
    async prepare(network) {
      await network.database.rows(
        `insert into deleted_rooms (room_id, name, product, edition, customer_email, company_name, columns, deleted_by,
           deleted_at, kept_until)
         values (gen_random_uuid(), $2, 'ARIS', 'basic', $1, 'Example, Inc.', '{}', 'admin@localhost', now(),
           now() + interval '30 days')`,
        [longEmail, longRoom],
      )
      const companyName = 'Long GmbH & Co. KG'
      await insertRooms(network, [
        { name: 'expiring', companyName, email: longEmail, expirationDate: new Date().toISOString().slice(0, 10) },
        { name: 'failed', companyName, state: 'ERROR', licences: { YABD: 4711, YABV: 12 } },
        { name: 'other', companyName: 'Long', expirationDate: '2026-01-01' },
      ])
      const admin = await network.as('CLOUD_ADMINISTRATOR')
      await admin.call('mergeCustomers', { body: { name: 'Long', isNamed: companyName } })
      const networks = ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff', '192.0.2.0/24']
      await admin.call('createToken', { body: { name: longName, role: 'CLOUD_SUPPORT', networks } })
      const url = `https://hooks.example/${'long'.repeat(100)}`
      const { body: webhook } = await admin.call('createWebhook', {
        body: { name: longName, url, events: ['room.created', 'operation.failed'], isOn: true },
      })
      return [webhook.id]
    },
    screens: [
      pageAt('/project/activity', (page) => page.getByRole('region', { name: /^(Today|Heute)$/ }), {
        untranslated: new RegExp(`${longName}|\\S+@\\S+|room\\d*`, 'g'),
      }),
      pageAt('/project/customers', (page) => page.getByRole('rowheader').first()),
      pageAt(
        `/project/customers/${encodeURIComponent('long gmbh & co. kg')}`,
        (page) => page.getByRole('button', { name: /^Separate / }),
        { untranslated: /\S+@\S+/g },
      ),
      dialogBehind('Merge spelling …', {
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'Merge spelling …' }).click()
          await expect(top(page).getByLabel(/^Other spelling/)).toBeFocused()
          await page.keyboard.press('Control+Enter')
          await expect(top(page).getByLabel(/^Other spelling/)).toHaveAttribute('aria-invalid', 'true')
        },
      }),
      pageAt('/project/audit', (page) => page.getByRole('table', { name: 'Audit trail' }), { isOnlyEnglish: true }),
      pageAt('/project/operators', (page) => page.getByRole('row', { name: /admin@localhost/ }), {
        isOnlyEnglish: true,
      }),
      dialogBehind('New operator', {
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'New operator' }).click()
          await page.getByRole('button', { name: 'Create operator' }).click()
          await expect(page.getByRole('textbox', { name: 'E-mail address' })).toHaveAttribute('aria-invalid', 'true')
        },
      }),
      pageAt('/project/consistency', (page) => page.getByRole('heading', { name: 'Nothing was checked yet' })),
      pageAt('/project/deleted', (page) => page.getByRole('rowheader'), {
        inView: [/^Restore /, /^Purge /],
        inViewFrom: 390,
      }),
      dialogBehind(`Purge ${longRoom}`, {
        isOnlyEnglish: true,
        open: async ({ page }) => {
          await page.getByRole('button', { name: `Purge ${longRoom}` }).click()
          await page.getByRole('dialog').getByRole('textbox').fill(longRoom)
          await expect(page.getByRole('button', { name: 'Purge project room' })).toBeEnabled()
        },
      }),
      pageAt('/project/deleted?search=nothing', (page) => page.getByRole('heading', { name: 'Nothing matches' })),
      pageAt('/project/tokens', (page) => page.getByRole('rowheader'), {
        inView: [/^Revoke /],
        untranslated: new RegExp(longName, 'g'),
      }),
      dialogBehind('New token', {
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'New token' }).click()
          await expect(top(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
          await page.keyboard.press('Control+Enter')
          await expect(top(page).getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
        },
      }),
      pageAt('/project/webhooks', (page) => page.getByRole('rowheader'), {
        inView: [/^Delete /],
        untranslated: new RegExp(`room\\.\\w+|${longName}`, 'g'),
      }),
      dialogBehind('New webhook', {
        untranslated: /\broom\.\w+/g,
        open: async ({ page }) => {
          await page.getByRole('button', { name: 'New webhook' }).click()
          await expect(top(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
          await page.keyboard.press('Control+Enter')
          await expect(top(page).getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true')
        },
      }),
      {
        name: 'deliveries of a webhook',
        inView: ['Send a test'],
        untranslated: new RegExp(`room\\.\\w+|${longName}`, 'g'),
        open: async ({ page, made: [id = ''] }) => {
          await page.goto(`/project/webhooks/${id}`)
          await expect(page.getByRole('button', { name: 'Send a test' })).toBeVisible()
        },
      },
    ],
  },
  {
    name: 'the pages of customers',
    path: '/login',
    async prepare(network) {
      const long = `<p>${'averylongwordwithoutanyspace'.repeat(8)}</p><pre><code>${'code '.repeat(80)}</code></pre>`
      await network.admin.call('createNotification', { body: { ...inForce(), message: long } })
      await network.admin.call('createNotification', {
        body: { ...inForce(), message: '<h2>Wartung</h2>', displayPopup: true },
      })
      return []
    },
    screens: [
      {
        name: 'popup of notifications',
        part: '[role=dialog], dialog',
        isOnlyEnglish: true,
        open: ({ page }) => expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible(),
        leave: ({ page }) => page.keyboard.press('Escape'),
      },
      {
        name: 'login with notifications and a refusal',
        open: async ({ page }) => {
          await page.getByRole('textbox', { name: 'Project room name' }).press('Enter')
          await expect(page.getByRole('alert')).toBeVisible()
        },
      },
      ...['/forgot_password', '/reset_password', '/forgot_project_room_name'].map((path) =>
        pageAt(path, (page) => page.getByRole('textbox')),
      ),
      {
        name: 'forgotten name, sent',
        open: async ({ page }) => {
          await page.getByRole('textbox', { name: 'E-mail address' }).fill('nobody@example.com')
          await page.keyboard.press('Enter')
          await expect(page.getByRole('status')).toBeVisible()
        },
      },
      {
        name: 'maintenance',
        isOnlyEnglish: true,
        open: async ({ page, network }) => {
          const body = { maintenanceMode: true, maintenanceMessage: 'We are back at noon.' }
          await network.admin.call('saveMaintenance', { body })
          await page.goto('/login')
          await expect(page.getByRole('status')).toBeVisible()
        },
      },
    ],
  },
])
