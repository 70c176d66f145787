/** The audit trail at /project/audit: for administrators. */
import { readFile } from 'node:fs/promises'
import type { Network } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/audit'

async function insertEntries({ database }: Network): Promise<void> {
  await database.rows(
    `insert into audit (at, actor, action, room_id, room_name, changes, request_id)
     select timestamptz '2021-05-01T12:00:00Z' + n * interval '1 day', 'auditor' || n % 2 || '@example.com',
            case when n % 2 = 0 then 'room.edit' else 'room.suspend' end, gen_random_uuid(), 'audited' || n,
            '[{"field":"companyName","from":"Old, Inc.","to":"New, Inc."}]', 'request-' || n
       from generate_series(1, 30) n
      where not exists (select from audit where actor = 'auditor1@example.com')`,
  )
}

test('it is filtered by who, what, room and time, paged, all in the URL', async ({ openAs, network }) => {
  await insertEntries(network)
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Audit trail' }).click()
  const rows = page.getByRole('table', { name: 'Audit trail' }).locator('tbody tr')
  await page.getByRole('searchbox', { name: 'Operator' }).fill('auditor')
  await expect(page.getByText('1–20 of 30')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows).toHaveCount(10)
  await expect(page).toHaveURL(/page=2/)
  await page.reload()
  await expect(rows).toHaveCount(10)

  await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Suspended' })
  await expect(page.getByText('1–15 of 15')).toBeVisible()
  await page.getByRole('textbox', { name: 'From day' }).fill('20.05.2021')
  await page.getByRole('textbox', { name: 'To day' }).fill('23.05.2021')
  await expect(rows).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Project room' }).fill('audited21')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Project room: Suspended')
  await expect(page).toHaveURL(/actor=auditor.*action=room\.suspend/)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(page.getByRole('textbox', { name: 'From day' })).toHaveValue('20.05.2021')

  await page.getByRole('searchbox', { name: 'Project room' }).fill('nothing')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).first().click()
  await expect(rows).toHaveCount(20)
})

test('it is used by keys alone: search, rows, open, pages, help', async ({ openAs, network }) => {
  await insertEntries(network)
  const page = await openAs('CLOUD_OPERATOR', path)
  const rows = page.getByRole('table', { name: 'Audit trail' }).locator('tr[data-row]')
  const press = (key: string) => page.keyboard.press(key)
  await expect(rows.first()).toBeVisible()
  await press('/')
  await expect(page.getByRole('searchbox', { name: 'Operator' })).toBeFocused()
  await page.keyboard.type('auditor')
  await press('Enter')
  await expect(page.getByText('1–20 of 30')).toBeVisible()
  await expect(rows.first()).toBeFocused()
  await press('j')
  await expect(rows.nth(1)).toBeFocused()
  await press('Enter')
  await expect(rows.nth(1).getByRole('button')).toHaveAttribute('aria-expanded', 'true')
  await press('Enter')
  await expect(rows.nth(1).getByRole('button')).toHaveAttribute('aria-expanded', 'false')
  await press('l')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await press('l')
  await press('h')
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByText('Open or edit the row')).toBeVisible()
  await expect(help.getByText('Select the row')).toHaveCount(0)
  await press('Escape')
  await expect(help).toHaveCount(0)
})

test('an entry shows what changed, and its request; all can be read by everybody', async ({ openAs, network }) => {
  await insertEntries(network)
  const page = await openAs('CLOUD_ADMINISTRATOR', `${path}?room=audited30`)
  await page.getByRole('button', { name: /^Details: Project room: Changed/ }).click()
  const table = page.getByRole('table').filter({ hasText: 'Old, Inc.' }).last()
  const change = table.getByRole('row', { name: /Company name Old, Inc\. New, Inc\./ })
  await expect(change).toBeVisible()
  await expect(page.getByRole('cell', { name: 'Company name: Old, Inc. → New, Inc.', exact: true })).toHaveCount(1)
  // The nested table has its own columns, not those of the table around it.
  await expect(change).toHaveCSS('display', 'table-row')
  await expect(page.getByText('request-30')).toBeVisible()
  await expectAccessible(page, 'audit trail')
})

test('an entry leads to the log of its operation', async ({ openAs, network }) => {
  const room = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR', `${path}?room=${room}`)
  await page.getByRole('button', { name: /^Details: Project room: Created/ }).click()
  await page.getByRole('button', { name: 'Show log' }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible()
})

test('what is filtered is exported', async ({ openAs, network }) => {
  await insertEntries(network)
  const page = await openAs('CLOUD_OPERATOR', `${path}?actor=auditor&action=room.edit`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^audit_\d{4}-\d{2}-\d{2}T.*\.csv$/)
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(16)
  await expect(toast(page, 'Export', 'Exported successfully')).toBeVisible()
})

test('an operator who is no administrator is sent to the list and sees no way there', async ({ openAs }) => {
  for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const) {
    const page = await openAs(role, path)
    await expect(page).toHaveURL(listPath)
    await page.getByRole('button', { name: /^Profile of / }).click()
    await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Audit trail' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  }
})
