/** The screens of bulks: who may do what there, what they show first, and how they fit. */
import { readFile } from 'node:fs/promises'
import type { Role } from '@roomkeeper/contract'
import { type Network, until } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'

const ofSales = { buttons: ['Suspend …', 'Resume …', 'Retry …'], menu: ['Extend …'] }
const ofAdministrators = {
  buttons: ['Suspend …', 'Resume …', 'Retry …', 'Move …'],
  menu: ['Back up …', 'Extend …', 'Write to contacts …', 'Change labels …', 'Update system databases …', 'Delete …'],
}
/** What the bar of a selection offers beside the export, and what its menu holds. */
const offers: Record<Role, { buttons: string[]; menu: string[] }> = {
  CLOUD_SUPPORT: { buttons: [], menu: [] },
  CLOUD_SALES: ofSales,
  CLOUD_OPERATOR: ofAdministrators,
  CLOUD_ADMINISTRATOR: ofAdministrators,
}

for (const [role, { buttons, menu }] of Object.entries(offers) as [Role, typeof ofSales][]) {
  // shows: bulk-roles
  test(`${role}: a selection offers what the role may do, and everybody reads how a bulk went`, async ({
    openAs,
    network,
  }) => {
    await insertRooms(network, numberedRooms('lost', 2))
    const bulk = await suspendThem(network, ['lost01', 'lost02'])
    const page = await openAs(role)
    await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
    const bar = page.getByRole('region', { name: 'Selected project rooms' })
    await expect(bar.getByRole('button', { name: 'Export selection' })).toBeVisible()
    for (const name of ofAdministrators.buttons) {
      const button = bar.getByRole('button', { name, exact: true })
      await expect(button).toHaveCount(buttons.includes(name) ? 1 : 0)
    }
    const more = bar.getByRole('button', { name: 'More actions' })
    await expect(more).toHaveCount(menu.length > 0 ? 1 : 0)
    if (menu.length > 0) {
      await more.click()
      await expect(page.getByRole('menuitem')).toHaveText(menu)
    }
    await page.goto(`/project/bulk/${bulk}`)
    await expect(page.getByRole('heading', { level: 1, name: /^Suspend lost0[12] and 1 more$/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Download CSV' })).toBeVisible()
    await expect(page.getByRole('rowheader')).toHaveText(['lost01', 'lost02'])
    await expect(page.getByRole('button', { name: 'Log', exact: true })).toHaveCount(menu.includes('Back up …') ? 2 : 0)
    await expect(page.getByRole('button', { name: /^Try 2 failed/ })).toHaveCount(role === 'CLOUD_SUPPORT' ? 0 : 1)
  })
}

// shows: bulk-screen
test('a bulk shows its failures first, which can be found, downloaded and tried again, at every width', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  await insertRooms(network, [...numberedRooms('lost', 2), { name: 'lostasleep', state: 'SUSPENDED' }])
  const bulk = await suspendThem(network, [name, 'lost01', 'lost02', 'lostasleep'])
  const page = await openAs('CLOUD_OPERATOR', `/project/bulk/${bulk}`)
  const rooms = page.getByRole('rowheader')
  await expect(rooms).toHaveText(['lost01', 'lost02', 'lostasleep', name])
  await expect(page.getByText('1 of 4 suspended', { exact: true })).toBeVisible()
  for (const [width, height] of [
    [1600, 900],
    [1280, 800],
    [800, 600],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const content = await page.locator('html').evaluate((html) => html.scrollWidth)
    expect(content, `${width} px`).toBeLessThanOrEqual(width)
    await expect(rooms.first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try 2 failed project rooms again' })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page, 'screen of a bulk with failures', 'main')

  await page.getByRole('combobox', { name: 'State' }).selectOption('FAILED')
  await page.getByRole('searchbox', { name: 'Project room' }).fill('02')
  await expect(rooms).toHaveText(['lost02'])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain('lost02')
  expect(csv).not.toContain('lost01')
  const [forExcel] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Form of the CSV file' }).click()
      await page.getByRole('menuitem', { name: 'CSV for Excel' }).click()
    })(),
  ])
  expect(await readFile(await forExcel.path(), 'utf8')).toMatch(/^\ufeffProject room,/)
  await page.reload()
  const kept = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect(await readFile(await (await kept).path(), 'utf8')).toMatch(/^\ufeff/)
  await rooms.first().locator('xpath=..').getByRole('button', { name: 'Log' }).click()
  await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).first().click()
  await page.getByRole('button', { name: 'Try 2 failed project rooms again' }).click()
  // They are in ERROR since the first try, and an error is nothing to suspend.
  await expect(page.getByText('Skipped: 3')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Try / })).toHaveCount(0)
})

test('many rooms are deleted only once their number is typed, and a deletion without backups warns', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^POST \/api\/operator\/bulk 409$/)
  await insertRooms(network, numberedRooms('lost', 2))
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 project rooms' })
  const confirm = dialog.getByRole('button', { name: 'Delete 2 project rooms' })
  await expect(dialog.getByText(/^A last backup of each is taken before/)).toBeVisible()
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Delete without a last backup' }).check()
  await expect(dialog.getByRole('alert')).toContainText('What is in them now is lost.')
  await dialog.getByRole('textbox', { name: 'Type 2 to delete them' }).fill('1')
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Type 2 to delete them' }).fill('2')
  // One of them goes, and another one of its name comes.
  const [lost] = await network.database.rows<{ name: string }>(
    `update rooms set id = gen_random_uuid() where name = (select max(name) from rooms) returning name`,
  )
  await confirm.click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'The selection has changed' })).toContainText(
    `Now in it: ${lost?.name}. No longer in it: ${lost?.name}.`,
  )
  await confirm.click()
  await dialog.getByRole('link', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Delete \w+ and 1 more$/ })).toBeVisible()
  await expect(page.getByText('Delete without a last backup')).toBeVisible()
})

test('an extension leaves out what is valid for longer or without an end, and says so', async ({ openAs, network }) => {
  const [short, unlimited] = [await network.newRoom(), await network.newRoom()]
  await network.database.rows('update rooms set expiration_date = case name when $1 then $2::date end', [
    short,
    '2030-01-01',
  ])
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('checkbox', { name: 'Select the project rooms of this page' }).check()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Extend …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend 2 project rooms' })
  const confirm = (count: string) => dialog.getByRole('button', { name: `Extend ${count}` })
  await expect(confirm('2 project rooms')).toBeDisabled()
  // Escape closes only the calendar.
  await dialog.getByRole('button', { name: 'Open the calendar' }).click()
  await expect(page.getByRole('dialog', { name: 'Calendar' }).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Calendar' })).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox', { name: 'New expiration date' }).fill('31.12.2031')
  await expect(confirm('1 project room')).toBeEnabled()
  await expect(dialog.getByRole('region', { name: 'Not possible for' })).toContainText(unlimited)
  await dialog.getByRole('checkbox', { name: 'Also project rooms without an expiration date' }).check()
  await expect(confirm('2 project rooms')).toBeEnabled()
  await dialog.getByRole('checkbox', { name: 'Also project rooms without an expiration date' }).uncheck()
  await confirm('1 project room').click()
  await dialog.getByRole('link', { name: 'Open' }).click()
  await expect(page.getByText('Until 31.12.2031', { exact: true })).toBeVisible()
  await expect(page.getByText('1 of 2 extended', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Skipped: 1')).toBeVisible()
})

/** @returns the id of the bulk, which has ended */
async function suspendThem({ admin }: Network, rooms: string[]): Promise<string> {
  const parameters = { userNotification: false }
  const body = { action: 'suspend' as const, selection: { rooms }, parameters, expectedTotal: rooms.length }
  const { operationId } = (await admin.call('startBulk', { body })).body
  await until('the bulk has ended', async () => {
    return (await admin.call('bulk', { params: { id: operationId } })).body.endedAt !== null
  })
  return operationId
}
