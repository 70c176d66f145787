/** The restore page: its tabs, the backup that is shown before a restore, what is refused and why. */
import type { Page } from '@playwright/test'
import { roomDraft } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { untilRoomIs } from '../region-room.ts'
import { makeBackup, zipFile } from '../room-backups.ts'
import { listPath } from '../room-list.ts'
import { closeToasts, toast } from '../toasts.ts'

const restorePath = (name: string) => `/project/restore_project_room/${name}`
const editPath = (name: string) => `/project/edit_project_room/${name}`
const fileInput = (page: Page) => page.getByLabel('Project room backup (.zip)')
const restoreButton = (page: Page) =>
  page.getByRole('button', { name: 'Restore project room', exact: true }).filter({ visible: true })

/** The tab that is not open when the room has stored backups. */
const openUpload = (page: Page) => page.getByRole('button', { name: 'Classic file restore' }).click()

// shows: stored-restore-tab
test('a stored backup is chosen, shown beside what it overwrites, and restored', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  await makeBackup(network, name)
  await makeBackup(network, name)
  await network.database.rows(
    `insert into doctor_findings (key, kind, severity, section, subject, run_id)
     select 'bad', 'backup-missing', 'error', 'backups', id::text, gen_random_uuid() from room_backups
      where room_name = $1 order by created_at limit 1`,
    [name],
  )
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  const stored = page.getByRole('radiogroup', { name: 'Stored backups' })
  await expect(stored.getByRole('radio')).toHaveCount(2)
  await expect(stored.getByRole('radio').last()).toBeDisabled()
  await expect(stored.getByText('Missing or altered')).toBeVisible()
  await expect(page.getByText('Choose a backup first.')).toBeVisible()
  await expect(restoreButton(page)).toBeDisabled()

  await stored.getByRole('radio').first().check()
  const held = page.getByRole('region', { name: 'What the backup holds' })
  await expect(held.getByText(name, { exact: true })).toBeVisible()
  await expect(held.getByText('main', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'What will be overwritten' })).toBeVisible()
  await expectAccessible(page, 'restore page with a stored backup')
  await restoreButton(page).click()
  await expect(page).toHaveURL(editPath(name))
  await network.settle()
  await untilRoomIs(network, name, 'SUSPENDED')
  const done = await network.database.rows(`select state from operations where kind = 'room.restore'`)
  expect(done).toEqual([{ state: 'done' }])
})

// shows: restore-classic
test('a backup is uploaded, shown beside what it overwrites, and restored', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  const zip = await makeBackup(network, name)
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  await openUpload(page)
  await expect(page.getByText('No file uploaded')).toBeVisible()
  await expect(restoreButton(page)).toBeDisabled()
  await expect(page.getByText('Upload a backup first.')).toBeVisible()

  await fileInput(page).setInputFiles(zipFile('mine.zip', zip))
  await expect(toast(page, 'Upload Successful', 'File upload successful')).toBeVisible()
  await expect(page.getByText('mine.zip', { exact: true })).toBeVisible()
  const held = page.getByRole('region', { name: 'What the backup holds' })
  await expect(held.getByText(name, { exact: true })).toBeVisible()
  await expect(held.getByText('ARIS', { exact: true })).toBeVisible()
  await expect(held.getByText('Basic', { exact: true })).toBeVisible()
  await expect(held.getByText('main', { exact: true })).toBeVisible()
  const lost = page.getByRole('region', { name: 'What will be overwritten' })
  await expect(lost.getByText(/^main, \d/)).toBeVisible()
  await expectAccessible(page, 'restore page with a backup')

  await restoreButton(page).click()
  await expect(toast(page, 'Restore project room', `The restore of ${name} was accepted and is running.`)).toBeVisible()
  await expect(page).toHaveURL(editPath(name))
  await network.settle()
  await untilRoomIs(network, name, 'SUSPENDED')
  const [restore] = await network.database.rows<{ state: string }>(
    `select state from operations where kind = 'room.restore'`,
  )
  expect(restore?.state).toBe('done')
})

// shows: restore-file
test('a file that is no backup is refused in the words of the specification', async ({
  openAs,
  network,
  browserErrors,
}) => {
  await insertRooms(network, [{ name: 'asleep', state: 'SUSPENDED' }])
  const page = await openAs('CLOUD_OPERATOR', restorePath('asleep'))
  browserErrors.expect(/^POST \/api\/operator\/imports 422$/)
  await fileInput(page).setInputFiles(zipFile('wrong.zip', Buffer.from('no zip at all')))
  await expect(toast(page, 'File upload fail', 'Create Project Room Failed')).toBeVisible()
  await expect(page.getByRole('status').getByText('File upload fail', { exact: true })).toBeVisible()
  await expect(
    page.getByText(
      'wrong.zip: Wrong file. This is not a .zip file. Please choose the backup of a project room or a product.',
    ),
  ).toBeVisible()
  await expect(restoreButton(page)).toBeDisabled()

  await fileInput(page).setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(page.getByText('notes.txt was not sent: only .zip files are taken.')).toBeVisible()
  await expect(page.getByText('wrong.zip')).toBeHidden()
  await expect(page.getByRole('status').getByText('File upload fail', { exact: true })).toBeHidden()
  await expect(page.getByRole('status').getByText('No file uploaded', { exact: true })).toBeVisible()
})

test('a backup of another room needs a consent, one of another product is refused', async ({ openAs, network }) => {
  const other = await network.newSuspendedRoom()
  const mining = await network.newSuspendedRoom({ product: 'MINING', edition: 'basic', licenses: { YPMBA: 1 } })
  const name = await network.newSuspendedRoom()
  const zip = await makeBackup(network, other)
  const page = await openAs('CLOUD_ADMINISTRATOR', restorePath(name))
  await fileInput(page).setInputFiles(zipFile('other.zip', zip))
  const consent = page.getByRole('checkbox', {
    name: `This backup is of the project room ${other}. Restore it into ${name} anyway.`,
  })
  await expect(consent).not.toBeChecked()
  await expect(restoreButton(page)).toBeDisabled()
  await expectAccessible(page, 'a backup of another room', '[class*=item]')
  await consent.check()
  await expect(restoreButton(page)).toBeEnabled()

  await fileInput(page).setInputFiles(zipFile('mining.zip', await makeBackup(network, mining)))
  await expect(page.getByText('The backup is of MINING, the project room is of ARIS.')).toBeVisible()
  await expect(restoreButton(page)).toBeDisabled()
  await expect(page.getByRole('checkbox')).toHaveCount(0)

  await fileInput(page).setInputFiles(zipFile('other.zip', zip))
  await closeToasts(page)
  await consent.check()
  await restoreButton(page).click()
  await expect(page).toHaveURL(editPath(name))
  await network.settle()
  await untilRoomIs(network, name, 'SUSPENDED')
})

// shows: stored-restore-tab
test('a room that is not suspended says so and leads back; nothing can be uploaded', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'active' }])
  const page = await openAs('CLOUD_OPERATOR', restorePath('active'))
  await page.getByRole('button', { name: 'From a stored backup' }).click()
  await expect(page.getByText('There is no stored backup of this project room.')).toBeVisible()
  await openUpload(page)
  await expect(page.getByRole('alert').getByText('The project room must be suspended first.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose .zip file' })).toBeDisabled()
  await expect(restoreButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Back to the project room active' }).click()
  await expect(page).toHaveURL(editPath('active'))
})

// shows: states-one-operation
test('a refused restore says why and stays', async ({ openAs, network, browserErrors }) => {
  const name = await network.newSuspendedRoom()
  const zip = await makeBackup(network, name)
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  await openUpload(page)
  await fileInput(page).setInputFiles(zipFile('mine.zip', zip))
  await expect(restoreButton(page)).toBeEnabled()
  browserErrors.expect(/^POST \/api\/operator\/createrestore 409$/)
  await page.route('**/api/operator/createrestore', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'urn:roomkeeper:room-busy',
        title: 'Operation is still running',
        status: 409,
        detail: `Another operation is running for the project room ${name}.`,
        instance: '/api/operator/createrestore',
      }),
    }),
  )
  await restoreButton(page).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Restore Project Room Failed' })
  await expect(refusal.getByText(`Another operation is running for the project room ${name}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without restoring?' })
  await expectAccessible(page, 'the question about the uploaded file', '[role=dialog]')
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(editPath(name))
})

// shows: restore-d2o-fields
test('the fields of the object store say what is wrong, and a checked backup must be reachable', async ({
  openAs,
  network,
  browserErrors,
}) => {
  await insertRooms(network, [{ name: 'asleep', state: 'SUSPENDED' }])
  const page = await openAs('CLOUD_OPERATOR', restorePath('asleep'))
  await page.getByRole('button', { name: 'Restore direct to object store' }).click()
  const uri = page.getByRole('textbox', { name: 'S3 URI' })
  await uri.fill('https://bucket/key')
  await uri.blur()
  await expect(page.getByText('Invalid S3 URI format.')).toBeVisible()
  await page.getByLabel('Access Key', { exact: true }).fill('x'.repeat(257))
  await page.getByLabel('Access Key', { exact: true }).blur()
  await expect(page.getByText('At most 256 characters.')).toBeVisible()
  await page.getByLabel('Access Key', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Check backup' }).click()
  await expect(page.getByText('Please select a region.')).toBeVisible()
  await expect(page.getByLabel('Secret Key')).toHaveAttribute('type', 'password')

  await uri.fill('s3://backups/room.zip')
  await page.getByRole('combobox', { name: 'Region' }).fill('eu-central')
  await page.getByRole('option', { name: 'eu-central-1' }).click()
  await expect(page.getByText('Invalid S3 URI format.')).toHaveCount(0)
  browserErrors.expect(/^POST \/api\/operator\/createrestored2o\/inspect \d+$/)
  await page.getByRole('button', { name: 'Check backup' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The backup could not be checked' })).toBeVisible()
  await expect(restoreButton(page)).toBeDisabled()
})

test('nothing moves under the pointer when texts come late', async ({ page, openAs, network }) => {
  await insertRooms(network, [{ name: 'asleep', state: 'SUSPENDED' }])
  await page.route(/assets\/(upload|rooms|form)-/, async (route) => {
    await new Promise((done) => setTimeout(done, 1000))
    await route.continue()
  })
  await openAs('CLOUD_OPERATOR', restorePath('asleep'))
  const other = page.getByRole('button', { name: 'Restore direct to object store' })
  await expect(other).toBeVisible()
  const before = await other.boundingBox()
  await expect(page.getByText('No file uploaded')).toBeVisible()
  expect(await other.boundingBox()).toEqual(before)
})

test('what a check finds for entries that were changed meanwhile is not shown', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'asleep', state: 'SUSPENDED' }])
  const page = await openAs('CLOUD_OPERATOR', restorePath('asleep'))
  let answer = () => undefined as unknown
  const isReleased = new Promise((resolve) => {
    answer = () => resolve(undefined)
  })
  const backup = { kind: 'room', roomName: 'asleep', product: 0, edition: 0, size: 4_200_000, databases: ['main'] }
  await page.route('**/createrestored2o/inspect', async (route) => {
    await isReleased
    await route.fulfill({ json: { ...backup, createdAt: '2026-11-20T03:15:00.000Z' } })
  })
  await page.getByRole('button', { name: 'Restore direct to object store' }).click()
  const uri = page.getByRole('textbox', { name: 'S3 URI' })
  await uri.fill('s3://backups/old.zip')
  await page.getByRole('combobox', { name: 'Region' }).fill('us-east-1')
  await page.getByRole('option', { name: 'us-east-1' }).click()
  const asked = page.waitForRequest('**/createrestored2o/inspect')
  await page.getByRole('button', { name: 'Check backup' }).click()
  await asked
  await uri.fill('s3://backups/room.zip')
  const answered = page.waitForResponse('**/createrestored2o/inspect')
  answer()
  await answered
  await expect(page.getByRole('button', { name: 'Check backup' })).not.toHaveAttribute('data-loading', 'true')
  await expect(page.getByRole('region', { name: 'What the backup holds' })).toHaveCount(0)
  await expect(restoreButton(page)).toBeDisabled()
})

// shows: restore-d2o
test('a checked backup of the object store is shown, belongs to its fields, and is restored', async ({
  openAs,
  network,
}) => {
  const name = await network.newSuspendedRoom()
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  // Tests what the page shows for these answers; the tests of server and region test the object store itself.
  const backup = { kind: 'room', roomName: name, product: 0, edition: 0, size: 4_200_000, databases: ['main', 'sales'] }
  await page.route('**/createrestored2o/inspect', (route) =>
    route.fulfill({ json: { ...backup, createdAt: '2026-11-20T03:15:00.000Z' } }),
  )
  const sent: unknown[] = []
  await page.route('**/createrestored2o', (route) => {
    sent.push(route.request().postDataJSON())
    return route.fulfill({ status: 202, json: { operationId: '4e6b3a55-21a1-4f9c-8f0f-0a6f1b0f7c11' } })
  })
  await page.getByRole('button', { name: 'Restore direct to object store' }).click()
  const uri = page.getByRole('textbox', { name: 'S3 URI' })
  await uri.fill('s3://backups/old.zip')
  await page.getByRole('textbox', { name: 'Access Key' }).fill('key')
  await page.getByLabel('Secret Key').fill('secret')
  await page.getByRole('textbox', { name: 'Session Token' }).fill('token')
  await page.getByRole('combobox', { name: 'Region' }).click()
  await expect(page.getByRole('option')).toHaveCount(31)
  await page.getByRole('option', { name: 'us-east-1' }).click()
  await page.getByRole('button', { name: 'Check backup' }).click()
  const held = page.getByRole('region', { name: 'What the backup holds' })
  await expect(held.getByText('main sales')).toBeVisible()
  await expect(held.getByText('4.2 MB')).toBeVisible()
  await expect(restoreButton(page)).toBeEnabled()

  await uri.fill('s3://backups/room.zip')
  await expect(held).toHaveCount(0)
  await expect(restoreButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Check backup' }).click()
  await restoreButton(page).click()
  await expect(page).toHaveURL(editPath(name))
  expect(sent).toEqual([
    {
      isD2O: true,
      backupLocationPath: 's3://backups/room.zip',
      projectRoomName: name,
      region: 'us-east-1',
      bucket: '',
      accessKey: 'key',
      secretKey: 'secret',
      sessionToken: 'token',
    },
  ])
})

test('a room that does not exist is created from the backup', async ({ openAs, network }) => {
  const source = await network.newSuspendedRoom({ companyName: 'Origin, Inc.' })
  const zip = await makeBackup(network, source)
  const { tenantName: name } = roomDraft()
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  await expect(page.getByText(`There is no project room named ${name}.`)).toBeVisible()
  await fileInput(page).setInputFiles(zipFile('source.zip', zip))
  await page.getByRole('checkbox', { name: /anyway/ }).check()
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true })
  await expect(field('Project room name')).toHaveValue(name)
  await expect(field('Project room name')).toBeDisabled()
  await expect(field('Company name')).toHaveValue('Origin, Inc.')
  await expectAccessible(page, 'create from a backup')
  await page.getByRole('combobox', { name: 'Region' }).click()
  await page.getByRole('option', { name: /region-1/ }).click()
  await field('Original SAP contract number').fill('4711')
  await field('Sales contact e-mail').fill('sales@example.com')
  await page.getByRole('button', { name: 'Create and restore project room' }).click()
  await expect(page).toHaveURL(editPath(name))
  await network.settle()
  await untilRoomIs(network, name, 'DEFAULT')
})

for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const) {
  // shows: roles-guards
  test(`${role} is sent to the list`, async ({ openAs, network }) => {
    await insertRooms(network, [{ name: 'some', state: 'SUSPENDED' }])
    const page = await openAs(role, restorePath('some'))
    await expect(page).toHaveURL(listPath)
  })
}

test('a running restore is cancelled after a question, and the room is as before', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newSuspendedRoom()
  const zip = await makeBackup(network, name)
  const page = await openAs('CLOUD_OPERATOR', restorePath(name))
  await openUpload(page)
  await fileInput(page).setInputFiles(zipFile('mine.zip', zip))
  await expect(restoreButton(page)).toBeEnabled()
  // The page may ask the region while it does not answer.
  browserErrors.expect(/^GET \/api\/operator\/room\/(database|licensesInfo) 50\d$/)
  await setFaults(network, name, [{ method: 'GET', action: 'status', status: 503, times: 1000 }])
  await restoreButton(page).click()
  await page.getByRole('button', { name: 'Running operations: 1' }).click()
  const panel = page.getByRole('dialog', { name: 'Running operations' })
  await panel.getByRole('button', { name: `Cancel operation Restore PR ${name}` }).click()
  const question = page.getByRole('dialog', { name: `Cancel Restore PR of ${name}?` })
  await expect(question.getByText(`What ${name} held before is put back`)).toBeVisible()
  await expect(question.getByRole('button', { name: 'Let it run' })).toBeFocused()
  await question.getByRole('button', { name: 'Cancel operation' }).click()
  await expect(toast(page, 'Cancel operation', `The cancellation for ${name} was accepted.`)).toBeVisible()
  await network.setRegionFaults([])
  await expect(panel.getByText('Nothing is running right now.')).toBeVisible()
  await untilRoomIs(network, name, 'SUSPENDED')
})
