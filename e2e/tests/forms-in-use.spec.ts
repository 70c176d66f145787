/** What is typed is never lost or rewritten: while counts change, while a form is saved, while a file is uploaded. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { craftBackup } from '../../apps/server/test/craft-backup.ts'
import { chooseProduct, createPath, field, fillAndBlur, fillInRoom, select, submitButton } from '../create-form.ts'
import { createActiveRoom, editPath, submitChanges } from '../edit-room.ts'
import { clearFaults, setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { firstRegion } from '../region-room.ts'
import { zipFile } from '../room-backups.ts'
import { listPath } from '../room-list.ts'

const whole = 'Must be a whole number of 0 or more.'

test('a delegate stays when the counts become too few, and what is no whole number is refused as typed', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, 'goodname')
  await chooseProduct(page, 'MINING')
  await fillInRoom(page, 'goodname')
  const analyst = field(page, 'Analyst')
  const delegate = field(page, 'Delegate e-mail')
  await analyst.fill('2')
  await fillAndBlur(delegate, 'dora@example.org')
  await fillAndBlur(analyst, '1')
  await expect(delegate).toHaveValue('dora@example.org')
  await expect(analyst).toHaveAccessibleDescription('Analyst license must be more or equal to 2')
  await expect(submitButton(page)).toBeDisabled()
  await select(page, 'Edition', 'Advanced')
  await field(page, 'Engineer').fill('1')
  await expect(analyst).not.toHaveAccessibleDescription(/more or equal/)
  await field(page, 'Engineer').fill('0')
  await expect(analyst).toHaveAccessibleDescription('Analyst or engineer license must be more or equal to 2')
  await chooseProduct(page, 'ENTERPRISE')
  await expect(page.getByText('An ENTERPRISE project room has no delegate. This address is not sent.')).toBeVisible()
  await chooseProduct(page, 'MINING')
  for (const label of ['Analyst', 'Data volume (GB)']) {
    for (const typed of ['1.5', '1e3', '-5', 'x']) {
      await fillAndBlur(field(page, label), typed)
      await expect(field(page, label)).toHaveValue(typed)
      await expect(field(page, label)).toHaveAccessibleDescription(whole)
    }
  }
  await fillAndBlur(analyst, '2')
  await analyst.press('ArrowUp')
  await expect(analyst).toHaveValue('3')
})

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

test('what is typed while a form is saved stays, in the edit form, maintenance mode and a notification', async ({
  openAs,
  network,
}) => {
  const name = await createActiveRoom(network)
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath(name))
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Company name').fill('First')
  const edit = await hold(page, '**/api/operator/edit')
  await submitChanges(page).click()
  await edit.isSent
  await field(page, 'Contact details').fill('typed meanwhile')
  await field(page, 'Viewer').fill('9')
  edit.release()
  await expect(page.getByText(`The changes of ${name} are stored, here and on its region.`)).toBeVisible()
  await expect(field(page, 'Company name')).toHaveValue('First')
  await expect(field(page, 'Contact details')).toHaveValue('typed meanwhile')
  await expect(field(page, 'Viewer')).toHaveValue('9')
  await submitChanges(page).click()
  const stored = async () => (await network.admin.call('room', { query: { projectRoom: name } })).body
  await expect.poll(stored).toMatchObject({ customerContactDetails: 'typed meanwhile', licenses: { YABV: 9 } })

  await page.goto('/project/maintenance_mode')
  await page.getByRole('textbox', { name: 'Message' }).fill('One.')
  const saving = await hold(page, '**/api/operator/maintenanceMode')
  const save = page.getByRole('button', { name: 'Save configuration' })
  await save.click()
  await saving.isSent
  await page.getByRole('textbox', { name: 'Message' }).fill('One. Two.')
  saving.release()
  await expect(page.getByText('Save maintenance settings was Successful')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('One. Two.')
  await save.click()
  const saved = async () => (await network.admin.call('maintenance', {})).body
  await expect.poll(saved).toMatchObject({ maintenanceMessage: 'One. Two.' })

  await page.goto('/project/set_notification')
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

test('an edit that takes longer says how it ended, and what was typed meanwhile stays', async ({ openAs, network }) => {
  const name = await createActiveRoom(network)
  const page = await openAs('CLOUD_SALES', editPath(name))
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Company name').fill('Slow')
  // The region makes the answer wait; the page gets the one that the server gives after 25 s.
  await setFaults(firstRegion(network), name, [{ method: 'PATCH', action: 'status', status: 503, times: 1000 }])
  let ended: Promise<unknown> | undefined
  await page.route('**/api/operator/edit', async (route) => {
    ended = route.fetch()
    const query = `select id from operations where room_name = $1 and state in ('waiting', 'running')`
    let operationId: string | undefined
    await expect
      .poll(async () => (operationId = (await network.database.rows<{ id: string }>(query, [name]))[0]?.id))
      .toBeTruthy()
    await route.fulfill({ status: 202, json: { operationId } })
  })
  await submitChanges(page).click()
  await expect(page.getByText(`The changes of ${name} were accepted and are being made on its region.`)).toBeVisible()
  await field(page, 'Contact details').fill('typed meanwhile')
  await clearFaults(firstRegion(network))
  await ended
  await expect(page.getByText(`The changes of ${name} are stored, here and on its region.`)).toBeVisible()
  await expect(field(page, 'Contact details')).toHaveValue('typed meanwhile')
  await expect(page.getByText('Please decide first which values are to stay.')).toHaveCount(0)
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
  const name = await createActiveRoom(network, { edition: 'advanced', licenses: { YAAD: 1 } })
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
