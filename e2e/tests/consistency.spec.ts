/** The screen Consistency at /project/consistency: what does not agree, and its repairs; for administrators. */
import { randomUUID } from 'node:crypto'
import type { Network } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/consistency'

test.beforeEach(async ({ network }) => {
  await network.database.rows('truncate doctor_runs, doctor_findings')
  // The rooms of other tests are still on the regions.
  for (const { client } of network.regions) {
    for (const { name, roomId } of (await client.rooms('', 1000)).rooms)
      await client.runJob(`clear-${randomUUID()}`, { type: 'deleteRoom', room: name, roomId })
  }
})

/** Suspended on its region only. */
async function roomThatDiffers(network: Network): Promise<string> {
  const name = await network.newRoom()
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  await network.regions[0]?.client.suspendRoom(name, row?.id ?? '')
  return name
}

test('a check finds what does not agree; a repair shows what it changes, and ends it', async ({ openAs, network }) => {
  const name = await roomThatDiffers(network)
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Consistency' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { name: 'Nothing was checked yet' })).toBeVisible()
  await expectAccessible(page, 'consistency, never checked')

  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(toast(page, 'Consistency', 'The check was accepted and runs in the background.')).toBeVisible()
  const row = page.getByRole('table', { name: 'Consistency' }).getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText(`The project room ${name} is active here and suspended in the region region-1.`)
  await expect(page.getByRole('status').filter({ hasText: 'Last check' })).toContainText('1 project room.')
  await expectAccessible(page, 'consistency, with a finding')

  await row.getByRole('button', { name: /^Send again/ }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Send again: ${name}?` })
  await expect(dialog.getByRole('row', { name: 'Status suspended active' })).toBeVisible()
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

test('others than administrators do not come there', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', path)
  await expect(page).toHaveURL(listPath)
})
