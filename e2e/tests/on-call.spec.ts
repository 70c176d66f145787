/** An operator on call has a phone of 390 px: signing in, status, a room, why it failed, retry; and nothing is cut. */
import type { Page } from '@playwright/test'
import { roomDraft } from '@roomkeeper/dev-env'
import { createPath } from '../create-form.ts'
import { editPath } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { administrator, expect, test } from '../fixtures.ts'
import { addMigration, buttonOf, openCloud, openSession, openTab, rowNamed } from '../manage-cloud.ts'
import { rowOf, searchBox } from '../room-list.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('on a phone an operator signs in, finds a room, reads why it failed and retries', async ({ page, network }) => {
  const body = roomDraft()
  await setFaults(network, body.tenantName, [{ method: 'GET', rest: '/licences', action: 'status', status: 400 }])
  await network.admin.call('createRoom', { body })
  await network.settle()
  await page.goto('/project/operator')
  await expectFits(page, 'sign-in')
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  const row = rowOf(page, body.tenantName)
  await expect(row.getByText('Error', { exact: true })).toBeInViewport({ ratio: 1 })
  await searchBox(page).fill(body.tenantName)
  await expectFits(page, 'list')
  await row.getByRole('button', { name: /^Show error/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/^Failed step/)).toBeInViewport({ ratio: 1 })
  await expectFits(page, 'why it failed')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  const said = await page.getByRole('alert').filter({ hasText: body.tenantName }).boundingBox()
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Running operations/ }).click()
  const close = await page.getByRole('dialog').getByRole('button', { name: 'Close' }).boundingBox()
  // A toast leaves it free.
  if (said === null || close === null) throw new Error('One of them is not shown.')
  expect(said.x + said.width).toBeLessThanOrEqual(close.x)
})

test('no page of a phone scrolls sideways, and no cell is cut', async ({ openAs, network }) => {
  const [active, suspended] = [await network.newRoom(), await network.newSuspendedRoom()]
  await network.admin.call('backupRoom', { query: { projectRoomName: suspended, isD2O: false } })
  await network.admin.call('runDoctor', {})
  await network.mailsTried()
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath(active, 'databases'))
  await expectCell(page, 'Created', 'databases')
  await page.goto(editPath(suspended, 'backups'))
  await expectCell(page, 'Verified', 'backups')
  await page.goto(editPath(active, 'history'))
  await expect(page.getByText(/^E-mail to .*handed to the mail server/)).toBeVisible()
  await expectFits(page, 'history')
  await page.goto('/project/audit')
  await expectCell(page, 'Action', 'audit trail')
  await page.goto('/project/operators')
  await expectCell(page, 'Role', 'operator accounts')
  const paths = [
    createPath,
    editPath(active),
    `/project/restore_project_room/${suspended}`,
    ...['import_project_room', 'maintenance_mode', 'set_notification', 'change_operator_password'].map(inProject),
    ...['consistency', 'statistics'].map(inProject),
  ]
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectFits(page, path)
  }
})

test('the row of screens scrolls to the current one, and takes one line', async ({ openAs }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/deleted')
  const row = page.getByRole('navigation', { name: 'Screens' })
  await expect(row.locator('[aria-current]')).toHaveText('Deleted')
  await expect(row.locator('[aria-current]')).toBeInViewport({ ratio: 1 })
  await expect(row.getByRole('link', { name: 'Overview' })).not.toBeInViewport()
  expect(await row.boundingBox()).toMatchObject({ width: 390, height: 34 })
})

test('no dialog of a phone scrolls sideways, and no cell is cut', async ({ openAs, network }) => {
  const [moved, left] = [await network.newRoom(), await network.newRoom()]
  await openSession(network, left)
  const id = await addMigration(network)
  await network.admin.call('startLiveMigration', {
    body: { liveMigrationData: { id }, selectedRooms: [moved, left] },
  })
  await network.settle()
  const page = await openAs('CLOUD_ADMINISTRATOR')
  for (const name of ['Customer management', /^Running operations/, /^Command palette/, `Delete ${left}`]) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectFits(page, String(name))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  const cloud = await openCloud(page, 'Regions')
  await expectCell(page, 'STATE', 'regions')
  await buttonOf(cloud, 'New').click()
  await expect(page.getByRole('textbox', { name: 'Region name' })).toBeVisible()
  await expectFits(page, 'a region')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await openTab(cloud, 'Live migration')
  await expect(rowNamed(cloud, 'region-1').getByText('Partially completed')).toBeInViewport({ ratio: 1 })
  await expectFits(page, 'live migrations')
  await buttonOf(rowNamed(cloud, 'region-1'), 'State').click()
  const states = page.getByRole('dialog').last()
  await expect(rowNamed(states, left).getByText('Postponed', { exact: true })).toBeInViewport({ ratio: 1 })
  await expectFits(page, 'state entries')
  await buttonOf(rowNamed(states, left), 'Logs').click()
  await expect(page.getByRole('region', { name: 'Log' })).toBeVisible()
  await expectFits(page, 'logs of a state entry')
  for (const others of [2, 1]) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(others)
  }
  await buttonOf(rowNamed(cloud, 'region-1'), 'Start').click()
  await page.getByRole('button', { name: 'Select project rooms' }).click()
  await page.getByRole('dialog').last().getByLabel(`Select ${left}`).check()
  await expectFits(page, 'rooms to pick')
  await page.getByRole('button', { name: 'Done' }).click()
  await buttonOf(page.getByRole('dialog', { name: 'Start live migration' }), 'Start').click()
  await expect(page.getByText('Will be postponed')).toBeInViewport({ ratio: 1 })
  await expectFits(page, 'what will happen')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await openTab(cloud, 'Monitoring')
  await expectCell(page, 'Process', 'monitoring')
  await buttonOf(cloud, 'Logs').first().click()
  await expectFits(page, 'a log')
})

function inProject(page: string): string {
  return `/project/${page}`
}

/** Waits for the table and expects a column at its right end to be on the screen. */
async function expectCell(page: Page, title: string, what: string): Promise<void> {
  await expect(page.locator(`td[data-title="${title}"]`).first(), what).toBeInViewport({ ratio: 1 })
  await expectFits(page, what)
}

/** Expects that nothing is wider than what contains it. */
async function expectFits(page: Page, what: string): Promise<void> {
  await expect.poll(() => page.evaluate(tooWide), what).toEqual([])
}

/** Runs in the page: the elements that scroll sideways. */
const tooWide = `[...document.querySelectorAll('html, main, main *')]
  .filter((each) => each.tagName === 'HTML' || ['auto', 'scroll'].includes(getComputedStyle(each).overflowX))
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.tagName + ' ' + (each.getAttribute('aria-label') ?? each.className))`
