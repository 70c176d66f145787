/** Two people change the same room: nothing typed is lost, and nothing stored is overwritten unseen. */
import type { Page } from '@playwright/test'
import type { Network } from '@roomkeeper/dev-env'
import { field } from '../create-form.ts'
import { editPath, submitChanges } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'

const meanwhile = 'The project room was changed by somebody else meanwhile.'

test('an untouched form follows the change of a colleague', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  await expect(field(page, 'Company name')).toHaveValue('Example, Inc.')
  await changeAsColleague(network, name, { companyName: 'Theirs' })
  await expect(field(page, 'Company name')).toHaveValue('Theirs')
  await expect(page.getByText(meanwhile)).toHaveCount(0)
})

test('a touched form says so with both values, and takes over the stored ones', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  await field(page, 'Company name').fill('Mine')
  await changeAsColleague(network, name, { companyName: 'Theirs', salesman: 'Their salesman' })
  await expect(conflict(page)).toBeVisible()
  expect(await rowsOf(page)).toEqual([
    'Company name|Mine|Theirs',
    `New SAP contract number|–|colleague ${name}`,
    'Sales contact|–|Their salesman',
  ])
  await expect(field(page, 'Company name')).toHaveValue('Mine')
  // Typing is not interrupted by the notice.
  await expect(field(page, 'Company name')).toBeFocused()
  await expect(submitChanges(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Please decide first which values are to stay.' }).click()
  await expect(conflict(page)).toBeFocused()
  await page.getByRole('button', { name: 'Take over the stored values' }).click()
  await expect(conflict(page)).toHaveCount(0)
  await expect(field(page, 'Expiration date')).toBeFocused()
  await expect(field(page, 'Company name')).toHaveValue('Theirs')
  await expect(field(page, 'Sales contact')).toHaveValue('Their salesman')
})

test('a room that a colleague deletes meanwhile is gone from the page', async ({ openAs, network, browserErrors }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  await expect(field(page, 'Company name')).toBeVisible()
  browserErrors.expect(/^GET \/api\/operator\/(room|room\/licensesInfo) (404|502)$/)
  await network.admin.call('deleteRoom', { body: { roomName: name } })
  await expect(page.getByRole('heading', { name: 'There is no such project room' })).toBeVisible()
})

test('keeping mine puts only what I changed on the new version, and it can be submitted', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  await field(page, 'Company name').fill('Mine')
  await changeAsColleague(network, name, { companyName: 'Theirs', salesman: 'Their salesman' })
  await page.getByRole('button', { name: 'Keep mine on the new version' }).click()
  await expect(field(page, 'Company name')).toHaveValue('Mine')
  await expect(field(page, 'Sales contact')).toHaveValue('Their salesman')
  await submitChanges(page).click()
  await expect(page.getByText('are stored, here and on its region')).toBeVisible()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room).toMatchObject({ companyName: 'Mine', salesman: 'Their salesman', sapNumberLast: `colleague ${name}` })
})

test('a stale version is refused by the server with both values shown', async ({ newVisitor, network }) => {
  const name = await network.newRoom()
  // This page receives no live events, and asks for nothing from time to time.
  const page = await newVisitor('CLOUD_SALES')
  await page.route('**/api/operator/events', (route) => route.abort())
  await page.clock.install()
  await page.goto(editPath(name))
  await field(page, 'Company name').fill('Mine')
  await field(page, 'New SAP contract number').fill('mine')
  await changeAsColleague(network, name, { companyName: 'Theirs' })
  await submitChanges(page).click()
  await expect(conflict(page)).toBeFocused()
  expect(await rowsOf(page)).toEqual(['Company name|Mine|Theirs', `New SAP contract number|mine|colleague ${name}`])
  await expect(field(page, 'Company name')).toHaveValue('Mine')
})

function conflict(page: Page) {
  return page.getByRole('alert').filter({ hasText: meanwhile })
}

function rowsOf(page: Page): Promise<string[]> {
  return conflict(page)
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((each) => each.textContent).join('|')))
}

async function changeAsColleague(
  network: Network,
  name: string,
  changes: { companyName?: string; salesman?: string },
): Promise<void> {
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  await network.admin.call('editRoom', { body: { ...room, sapNumberLast: `colleague ${name}`, ...changes } })
}
