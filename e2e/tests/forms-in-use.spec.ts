/** What is typed is never lost or rewritten while a form is saved or a file is uploaded. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { craftBackup } from '../../apps/server/test/craft-backup.ts'
import { field } from '../create-form.ts'
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { zipFile } from '../room-backups.ts'
import { listPath } from '../room-list.ts'

/** Holds the first call of a path that changes something, until it is released. */
async function hold(page: Page, path: string): Promise<{ isSent: Promise<unknown>; release: () => void }> {
  const sent = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback()
    sent.resolve()
    await released.promise
    await route.continue()
  })
  return { isSent: sent.promise, release: released.resolve }
}

test('what is typed while a notification is saved stays', async ({ openAs }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/set_notification')
  await page.getByRole('textbox', { name: 'Message' }).fill('Begun')
  await field(page, 'End date').fill('31.12.2099')
  await field(page, 'End time').fill('12:00')
  const adding = await hold(page, '**/api/operator/notification')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await adding.isSent
  await field(page, 'End date').fill('30.12.2099')
  adding.release()
  await expect(page.getByRole('table').getByText('Begun')).toBeVisible()
  await expect(field(page, 'End date')).toHaveValue('30.12.2099')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('table').getByText('30.12.2099')).toBeVisible()
  await expect(page.getByRole('table').getByText('Begun')).toHaveCount(1)
})

test('Next waits for the second backup, and the form lists both files', async ({ openAs, context }) => {
  const page = await openAs('CLOUD_OPERATOR', '/project/import_project_room')
  const next = page.getByRole('button', { name: 'Next' })
  await page.getByLabel('Project room backup (.zip)').setInputFiles(zipFile('room.zip', craftBackup()))
  await expect(next).toBeEnabled()
  const slow = await context.newCDPSession(page)
  const limit = { offline: false, latency: 0, downloadThroughput: -1 }
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: 100_000 })
  const product = craftBackup({ 'databases/sales.db': randomBytes(3_000_000) })
  await page.getByLabel('Second product backup (.zip)').setInputFiles(zipFile('product.zip', product))
  await expect(next).toBeDisabled()
  await expect(page.getByText('An upload is still running. Wait for it, or cancel it.')).toBeVisible()
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: -1 })
  await next.click()
  const files = page.getByRole('region', { name: 'Backups' })
  await expect(files).toContainText('room.zip')
  await expect(files).toContainText('product.zip')
})

test('a database upload outlives a suspension and asks before it goes; the form below gets no keys', async ({
  openAs,
  network,
  context,
}) => {
  const name = await network.newRoom({ edition: 'advanced', licenses: { YAAD: 1 } })
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(listPath)
  await page.goBack()
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Company name').fill('Not to be sent')
  await page.getByRole('button', { name: 'Import Database' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import Database' })
  await expect(dialog).toBeVisible()
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('Control+Enter')

  const slow = await context.newCDPSession(page)
  const limit = { offline: false, latency: 0, downloadThroughput: -1 }
  await slow.send('Network.emulateNetworkConditions', { ...limit, uploadThroughput: 100_000 })
  const file = { name: 'models.adb', mimeType: 'application/octet-stream', buffer: randomBytes(4_000_000) }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  await expect(page.getByText('Suspended', { exact: true })).toBeAttached()
  await expect(dialog.getByRole('progressbar')).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.goForward()
  await expect(page.getByRole('dialog').last()).toContainText(/entered/)
  await expect(dialog.getByRole('progressbar')).toBeAttached()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room.companyName).not.toBe('Not to be sent')
})
