/** The screen Consistency at /project/consistency: findings and their repairs; for administrators. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Network } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/consistency'

test.beforeEach(async ({ network }) => {
  // Some tests insert backups of which no store has a file.
  await network.database.rows('delete from room_backups')
  // The regions still have the rooms of other tests.
  for (const { client } of network.regions) {
    for (const { name, roomId } of (await client.rooms('', 1000)).rooms)
      await client.runJob(`clear-${randomUUID()}`, { type: 'deleteRoom', room: name, roomId })
  }
})

/** Creates a room that is suspended on its region only. */
async function roomThatDiffers(network: Network): Promise<string> {
  const name = await network.newRoom()
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  await network.regions[0]?.client.suspendRoom(name, row?.id ?? '')
  return name
}

/** Inserts a finding as a run of the doctor records it. */
async function insertFinding(network: Network, kind: string, facts: Record<string, string>): Promise<void> {
  await network.database.rows(
    `insert into doctor_findings (key, kind, severity, section, room_name, facts, run_id)
     values ($1, $1, 'error', 'rooms', $2, $3, gen_random_uuid())`,
    [kind, facts.room, JSON.stringify(facts)],
  )
}

// shows: doctor-repair-preview
test('a check finds what does not agree; a repair shows what it changes, and ends it', async ({ openAs, network }) => {
  const name = await roomThatDiffers(network)
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Consistency' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { name: 'Nothing was checked yet' })).toBeVisible()

  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(toast(page, 'Consistency', 'The check was accepted and runs in the background.')).toBeVisible()
  await expect(toast(page, 'Consistency', 'All project rooms: Check of consistency is done.')).toBeVisible()
  const row = page.getByRole('table', { name: 'Consistency' }).getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText(`The project room ${name} is “Active” here and “Suspended” in the region region-1.`)
  await expect(row.getByRole('link', { name })).toHaveAttribute('href', new RegExp(`/administration\\?q=${name}&`))
  await expect(page.getByRole('status').filter({ hasText: 'Last check' })).toContainText('1 project room.')
  await expectAccessible(page, 'consistency, with a finding')

  await row.getByRole('button', { name: /^Send again/ }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Send again: ${name}?` })
  await expect(dialog.getByRole('row', { name: 'Status Suspended Active' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'a repair')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row.getByRole('button', { name: /^Send again/ })).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(toast(page, 'Send again', 'The repair was accepted and runs in the background.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Everything agrees' })).toBeVisible()
  expect((await network.regions[0]?.client.room(name))?.state).toBe('active')

  await page.getByText('Closed', { exact: true }).click()
  await expect(page).toHaveURL(/closed=true/)
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'Log of the newest repair' }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('repair the finding')
})

test('a repair that is not possible now says why, and cannot be started', async ({ openAs, network }) => {
  const name = await roomThatDiffers(network)
  await network.admin.call('runDoctor', {})
  await network.settle()
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  await network.regions[0]?.client.resumeRoom(name, row?.id ?? '')
  const page = await openAs('CLOUD_OPERATOR', `${path}?search=${name}`)
  await page.getByRole('button', { name: /^Send again/ }).click()
  await expect(page.getByRole('alert')).toContainText('It is not so any more.')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Send again' })).toBeDisabled()
})

test('of contacts and licences only what differs is compared, by name; no expiry is told as such', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const region = network.regions[0]
  const { roomId = '', settings } = (await region?.client.room(name)) ?? {}
  if (settings === undefined) throw new Error('The region tells no settings.')
  const contacts = { ...settings.contacts, companyName: 'Another, Inc.' }
  const licences = settings.licences.map((each) => ({ ...each, licenseAmount: each.licenseAmount + 7 }))
  await region?.client.changeRoom(name, { roomId, contacts, licences, expirationDate: '2099-01-01' })
  await network.admin.call('runDoctor', {})
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR', `${path}?search=${name}`)
  await page.getByRole('button', { name: /^Send again/ }).click()
  const rows = page.getByRole('dialog').getByRole('row')
  await expect(rows.filter({ hasText: 'Expiration date' })).toContainText('01.01.2099Unlimited')
  await expect(rows.filter({ hasText: 'Company name' })).toContainText(`Another, Inc.${settings.contacts.companyName}`)
  await expect(rows.filter({ hasText: 'Contact details' })).toHaveCount(0)
  await expect(rows.filter({ hasText: 'owner@example.com' })).toHaveCount(0)
  await expect(rows.filter({ hasText: /Designer.*\(Named\)/ }).first()).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Send again' })).toBeEnabled()
})

test('findings, and why a repair is not possible, are told in German', async ({ openAs, network, context }) => {
  const name = await roomThatDiffers(network)
  await network.admin.call('runDoctor', {})
  await network.settle()
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  await network.regions[0]?.client.resumeRoom(name, row?.id ?? '')
  await context.addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  const page = await openAs('CLOUD_OPERATOR', `${path}?search=${name}`)
  await expect(page.getByText('ist hier „Aktiv“ und in der Region region-1')).toBeVisible()
  await page.getByRole('button', { name: /^Erneut senden/ }).click()
  await expect(page.getByRole('alert')).toContainText('Es ist nicht mehr so.')
})

test('what makes it another matter is told: the only copy that can be read, a region that was not asked, why nobody works', async ({
  openAs,
  network,
}) => {
  const known = { region: 'region-2', home: 'region-1', other: 'region-2' }
  await insertFinding(network, 'room-twice', { ...known, room: 'doubled', damaged: 'region-1' })
  await insertFinding(network, 'room-elsewhere', { ...known, region: 'region-1', room: 'moved', unasked: 'region-3' })
  await insertFinding(network, 'operation-unclaimed', { operation: 'room.create', room: 'waiting', why: 'claimed' })
  const page = await openAs('CLOUD_OPERATOR', path)
  const rows = page.getByRole('table', { name: 'Consistency' }).getByRole('row')
  await expect(rows.filter({ hasText: 'doubled' })).toContainText('It may be the only copy that can be read: keep it.')
  await expect(rows.filter({ hasText: 'doubled' }).getByRole('button')).toHaveCount(0)
  await expect(rows.filter({ hasText: 'moved' })).toContainText('Could not be asked: region-3.')
  await expect(rows.filter({ hasText: 'waiting' })).toContainText('the one that took it does not work on it any more')
  await expect(rows.filter({ hasText: 'waiting' })).toContainText('“create a project room”')
  // The console has none of these project rooms.
  await expect(page.getByRole('table', { name: 'Consistency' }).getByRole('link')).toHaveCount(0)

  await insertFinding(network, 'region-unreachable', { region: 'region-2' })
  await page.reload()
  await page.getByRole('link', { name: 'Configuration › Regions' }).click()
  await expect(page).toHaveURL(/cloud=regions/)
})

test('a backup that is marked as missing is deleted, which its dialog says', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
  await network.settle()
  const [backup] = await network.database.rows<{ location: string }>(
    'select location from room_backups where room_name = $1',
    [name],
  )
  await rm(join(network.dir, 'server', 'backups', backup?.location ?? ''))
  await network.admin.call('runDoctor', {})
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR', `${path}?search=${name}`)
  await page.getByRole('button', { name: /^Mark as missing/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The record of this backup is deleted from the console for good')
  const mark = dialog.getByRole('button', { name: 'Mark as missing' })
  await expect(mark).toBeEnabled()
  await expect(mark).toHaveAttribute('style', /red/)
  await mark.click()
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  expect(await network.database.rows('select from room_backups where room_name = $1', [name])).toEqual([])
})

test('what is searched for and filtered by stands in the URL', async ({ openAs, network }) => {
  const name = await roomThatDiffers(network)
  await network.admin.call('runDoctor', {})
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR', `${path}?severity=error`)
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).first().click()
  await page.getByRole('searchbox', { name: 'Project room or region' }).fill(name)
  await expect(page).toHaveURL(new RegExp(`search=${name}`))
  await page.reload()
  await expect(page.getByRole('table', { name: 'Consistency' }).locator('tbody tr')).toHaveCount(1)
})

// shows: doctor-admin
test('others than administrators do not come there', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', path)
  await expect(page).toHaveURL(listPath)
})
