/** How many inputs the operator's daily tasks need; docs/usability.md says them in words. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { roomDraft } from '@roomkeeper/dev-env'
import { editPath } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { makeBackup } from '../room-backups.ts'
import { rowOf, searchBox } from '../room-list.ts'
import { toast } from '../toasts.ts'

/** Counts what the operator does: a click, a key, or a text that is typed at a stretch is one input. */
function handsOn(page: Page) {
  let inputs = 0
  const counted = async (input: Promise<unknown>) => {
    inputs += 1
    await input
  }
  return {
    click: (target: Locator) => counted(target.click()),
    press: (key: string) => counted(page.keyboard.press(key)),
    type: (text: string) => counted(page.keyboard.type(text)),
    inputs: () => inputs,
  }
}

const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)

test('a room is found by its e-mail with 3 inputs, and no Tab leads from the search to it', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [...numberedRooms('room', 3), { name: 'acme', email: 'anna@acme.example' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect(rowOf(page, 'acme')).toBeVisible()
  const { press, type, inputs } = handsOn(page)
  await press('/')
  await type('anna@acme.example')
  await press('Enter')
  await expect(rowOf(page, 'acme')).toBeFocused()
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  expect(inputs()).toBeLessThanOrEqual(3)

  // The same by the arrow, when the rows are there already.
  await searchBox(page).focus()
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, 'acme')).toBeFocused()
})

test('twelve rooms are suspended with at most 8 inputs', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(/^POST \/api\/operator\/suspend [45]\d\d$/)
  const first = await network.newRoom()
  await insertRooms(network, [...numberedRooms(`${first}-`, 11), { name: 'other' }])
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'other')).toBeVisible()
  const { click, press, type, inputs } = handsOn(page)
  await press('/')
  await type(first)
  await press('Enter')
  await expect(rowOf(page, 'other')).toHaveCount(0)
  await click(page.getByRole('checkbox', { name: 'Select the project rooms of this page' }))
  await click(page.getByRole('button', { name: 'Suspend …', exact: true }))
  await click(page.getByRole('button', { name: 'Suspend 12 project rooms' }))
  // Eleven of them are on no region. What is counted is that each is asked for.
  // After 25 s a slow region's answer is 202; the room counts when it is suspended.
  await expect(page.getByRole('status').getByText('1 of 12 suspended')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: '11 could not be suspended' })).toBeVisible()
  expect(inputs()).toBeLessThanOrEqual(8)
})

test('why a room failed is read, and it is retried, with at most 4 inputs', async ({ openAs, network }) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [{ method: 'GET', rest: '/licences', action: 'status', status: 400 }])
  await network.admin.call('createRoom', { body })
  await network.settle()
  const page = await openAs('CLOUD_SALES')
  const row = rowOf(page, body.tenantName)
  const { click, inputs } = handsOn(page)
  await click(row.getByRole('button', { name: /^Show error/ }))
  await expect(page.getByRole('dialog').getByText(/^Failed step/)).toBeVisible()
  await click(page.getByRole('dialog').getByRole('button', { name: 'Retry' }))
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  expect(inputs()).toBeLessThanOrEqual(4)
})

test('what changed today is one input away', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SUPPORT')
  const { click, inputs } = handsOn(page)
  await click(page.getByRole('navigation').getByRole('link', { name: 'Activity' }))
  await expect(page.getByRole('region', { name: 'Today' }).getByText(`created ${name}`)).toBeVisible()
  expect(inputs()).toBe(1)
})

test('whether 30 more rooms fit is one input away, and which rooms have no backup one more', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('room', 5))
  await network.database.rows('update regions set max_rooms = 40 where id = 1')
  const page = await openAs('CLOUD_SUPPORT')
  const { click, inputs } = handsOn(page)
  await click(page.getByRole('navigation').getByRole('link', { name: 'Overview' }))
  const capacity = page.getByRole('region', { name: 'Capacity' }).getByRole('listitem')
  await expect(capacity.filter({ hasText: 'region-1' })).toContainText('35 more fit')
  expect(inputs()).toBe(1)
  await click(page.getByRole('link', { name: '5 project rooms have no backup of the last 7 days.' }))
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  expect(inputs()).toBe(2)
})

// shows: waiting-step
test('why a room is locked, and what happens next, stands on its page without an input', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  await setFaults(network, name, [{ method: 'POST', rest: '/suspend', action: 'status', status: 503, times: 1000 }])
  const suspending = network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  const page = await openAs('CLOUD_OPERATOR', `/project/edit_project_room/${name}`)
  const sentences =
    /Failing since \d\d:\d\d: .+ Try \d+, the next in \d+ s\. Gives up at \d\d:\d\d; the project room is then as before\./
  await expect(page.getByText(sentences)).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('button', { name: `Cancel operation Suspend PR ${name}` })).toBeVisible()
  await network.setRegionFaults([])
  await suspending
})

// shows: stored-restore-row
test("last night's backup is restored with at most 3 inputs", async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  await makeBackup(network, name)
  const page = await openAs('CLOUD_OPERATOR', `/project/edit_project_room/${name}?tab=backups`)
  const { click, inputs } = handsOn(page)
  await click(page.getByRole('button', { name: /^Restore the backup of .* …$/ }))
  const restore = page.getByRole('button', { name: 'Restore project room', exact: true }).filter({ visible: true })
  await expect(page.getByRole('region', { name: 'What the backup holds' })).toBeVisible()
  await click(restore)
  await expect(toast(page, 'Restore project room', `The restore of ${name} was accepted and is running.`)).toBeVisible()
  await network.settle()
  expect(inputs()).toBeLessThanOrEqual(3)
})

// shows: failed-by-cause
test('all rooms that failed for one cause are retried with at most 4 inputs', async ({ openAs, network }) => {
  const failed = async (status: number) => {
    const body = roomDraft()
    await setFaults(network, body.tenantName, [{ method: 'GET', rest: '/licences', action: 'status', status }])
    await network.admin.call('createRoom', { body })
    await network.settle()
    return body.tenantName
  }
  const full = [await failed(507), await failed(507)]
  const refused = await failed(400)
  const page = await openAs('CLOUD_SALES', '/project/administration?status=ERROR')
  const causes = page.getByRole('navigation', { name: 'Failed, by cause' })
  await expect(causes.getByRole('link')).toHaveText(['No space left: 2', 'Refused by the region: 1'])
  const { click, inputs } = handsOn(page)
  await click(causes.getByRole('link', { name: 'No space left: 2' }))
  await expect(rowOf(page, refused)).toHaveCount(0)
  await click(page.getByRole('checkbox', { name: 'Select the project rooms of this page' }))
  await click(page.getByRole('button', { name: 'Retry …', exact: true }))
  await click(page.getByRole('button', { name: 'Retry 2 project rooms' }))
  await expect(page.getByRole('status').getByText('2 of 2 went well')).toBeVisible({ timeout: 60_000 })
  expect(inputs()).toBeLessThanOrEqual(4)
  for (const name of full) {
    const { body } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(body.projectRoomState).toBe('DEFAULT')
  }
})

// shows: duplicate-form
test('a room is duplicated with at most 5 inputs', async ({ openAs, network }) => {
  const original = await network.newRoom({ companyName: 'Big Customer 1', licenses: { YABD: 47 } })
  const page = await openAs('CLOUD_SALES', editPath(original))
  const { click, type, press, inputs } = handsOn(page)
  await click(page.getByRole('button', { name: 'Actions' }))
  await click(page.getByRole('menuitem', { name: 'Duplicate …' }))
  await expect(page.getByRole('textbox', { name: 'Original SAP contract number' })).toBeFocused()
  await type('SAP 4712')
  await press('Enter')
  const text = 'The project room bigcustomer1 is being created. Its row shows the progress.'
  await expect(toast(page, 'Create project room', text)).toBeVisible()
  expect(inputs()).toBeLessThanOrEqual(5)
  await network.settle()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: 'bigcustomer1' } })
  expect(room).toMatchObject({ projectRoomState: 'DEFAULT', licenses: { YABD: 47 }, sapNumber: 'SAP 4712' })
})

// shows: room-sheet
test('a room at the side of the list follows the keys, and moves nothing', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, numberedRooms('room', 20))
  const page = await openAs('CLOUD_SUPPORT')
  const sheet = page.getByRole('complementary')
  const names = page.getByRole('rowheader')
  await expect(names).toHaveCount(20)
  const [first = '', ...others] = await names.allTextContents()
  const places = () =>
    page.locator('main').evaluate((main) =>
      [...main.querySelectorAll('tr, footer button, [type=search]')].map((each) => {
        const { x, y, width } = each.getBoundingClientRect()
        return [x, y, width].join()
      }),
    )
  const before = await places()
  await rowOf(page, first).getByText('Active').click()
  await expect(sheet.getByRole('heading', { name: first })).toBeVisible()
  await expect(sheet.getByText('Nothing has been recorded yet.')).toBeVisible()
  expect(await places()).toEqual(before)
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowDown')
  await expect(sheet.getByRole('heading', { name: others[4] ?? '' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(rowOf(page, others[4] ?? '')).toBeFocused()
})

// shows: customers-actions, customers-screen
test("a customer's rooms are suspended with at most 5 inputs", async ({ openAs, network }) => {
  const companyName = 'Contoso Ltd.'
  const names = await Promise.all([companyName, 'CONTOSO LTD.'].map((each) => network.newRoom({ companyName: each })))
  await insertRooms(network, numberedRooms('other', 3))
  const page = await openAs('CLOUD_SALES', '/project/customers')
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  const { click, press, type, inputs } = handsOn(page)
  await press('/')
  await type('contoso')
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await click(page.getByRole('link', { name: /contoso/i }))
  await click(page.getByRole('button', { name: 'Suspend all …' }))
  await click(page.getByRole('button', { name: 'Suspend 2 project rooms' }))
  await expect(page.getByRole('status').getByText('2 of 2 suspended')).toBeVisible({ timeout: 60_000 })
  expect(inputs()).toBeLessThanOrEqual(5)
  for (const name of names) {
    const { body } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(body.projectRoomState).toBe('SUSPENDED')
  }
})

test("a region's rooms that expire within 30 days are exported with at most 6 inputs", async ({ openAs, network }) => {
  const soon = { expirationDate: day(10) }
  await insertRooms(network, [
    { name: 'soon', ...soon },
    { name: 'elsewhere', ...soon, region: 2 },
    { name: 'later', expirationDate: day(60) },
  ])
  const page = await openAs('CLOUD_SUPPORT')
  await expect(rowOf(page, 'later')).toBeVisible()
  const { click, type, inputs } = handsOn(page)
  await click(page.getByRole('button', { name: 'Filters', exact: true }))
  await click(page.getByRole('checkbox', { name: 'region-1' }))
  await click(page.getByRole('textbox', { name: /^Expires within/ }))
  await type('30')
  await expect(page.getByRole('rowheader')).toHaveText(['soon'])
  const download = page.waitForEvent('download')
  await click(page.getByRole('button', { name: 'Export', exact: true }))
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv).toContain('soon')
  expect(csv).not.toMatch(/elsewhere|later/)
  expect(inputs()).toBeLessThanOrEqual(6)
})

test('five rooms are moved to another region with at most 8 inputs', async ({ openAs, network }) => {
  const companyName = 'Movers Ltd.'
  const names = await Promise.all(Array.from({ length: 5 }, () => network.newRoom({ companyName })))
  await insertRooms(network, [{ name: 'other' }])
  const page = await openAs('CLOUD_OPERATOR')
  await expect(rowOf(page, 'other')).toBeVisible()
  const { click, press, type, inputs } = handsOn(page)
  await press('/')
  await type('movers')
  await expect(page.getByRole('rowheader')).toHaveCount(5)
  await click(page.getByRole('checkbox', { name: 'Select the project rooms of this page' }))
  await click(page.getByRole('button', { name: 'Move …' }))
  const move = page.getByRole('dialog', { name: 'Move 5 project rooms to …' })
  await click(move.getByRole('combobox', { name: 'Target region' }))
  // All of them are in region-1.
  await expect(page.getByRole('option', { name: /^region-1/ })).toHaveCount(0)
  await click(page.getByRole('option', { name: /^region-2/ }))
  await click(move.getByRole('button', { name: 'Move 5 project rooms' }))
  await expect(page.getByRole('status').getByText('5 of 5 moved')).toBeVisible({ timeout: 60_000 })
  await network.settle()
  for (const name of names) {
    const { body } = await network.admin.call('room', { query: { projectRoom: name } })
    expect(body).toMatchObject({ region: 2, projectRoomState: 'DEFAULT' })
  }
  expect(inputs()).toBeLessThanOrEqual(8)
})
