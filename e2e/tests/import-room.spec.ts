/** The import page: both uploads, the form that they fill, and which files are refused with which texts. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { roomDraft, uniqueRoomName } from '@roomkeeper/dev-env'
import { craftBackup, productFiles } from '../../apps/server/test/craft-backup.ts'
import { craftZip } from '../../apps/server/test/craft-zip.ts'
import { expectAccessible } from '../accessibility.ts'
import { field, fillInContacts, select } from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { isOnDisk } from '../region-room.ts'
import { makeBackup, zipFile } from '../room-backups.ts'
import { listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

const importPath = '/project/import_project_room'
const roomFile = (page: Page) => page.getByLabel('Project room backup (.zip)')
const productFile = (page: Page) => page.getByLabel('Second product backup (.zip)')
const next = (page: Page) => page.getByRole('button', { name: 'Next' })
const note = 'Please double-check the CUC, NUC and SAP settings of the licences after the import.'

// shows: import-room
test('a room is imported: upload, Next, the form filled from the manifest, create', async ({ openAs, network }) => {
  const source = await network.newSuspendedRoom({
    edition: 'advanced',
    licenses: { YAAD: 3, YAAV: 7 },
    companyName: 'Origin, Inc.',
    customerEmail: 'ada@origin.example',
  })
  const zip = await makeBackup(network, source)
  const name = uniqueRoomName('imported')
  const page = await openAs('CLOUD_SALES')
  await page.getByRole('link', { name: 'Import project room' }).click()
  await expect(page).toHaveURL(importPath)
  await expect(page.getByText('No file uploaded')).toHaveCount(2)
  await expect(page.getByText(note)).toBeVisible()
  await expect(next(page)).toBeDisabled()
  await roomFile(page).setInputFiles(zipFile('origin.zip', zip))
  await expect(page.getByText('origin.zip', { exact: true })).toBeVisible()
  await expect(page.getByText('No file uploaded')).toHaveCount(1)
  // The texts of the form are there by now: it follows without a blank moment.
  const late: string[] = []
  page.on('request', (request) => {
    if (/\/assets\/(form|rooms)-.*\.js$/.test(request.url())) late.push(new URL(request.url()).pathname)
  })
  await next(page).click()

  await expect(page.getByText(note)).toBeVisible()
  await expect(field(page, 'Project room name')).toHaveValue(source)
  await expect(field(page, 'Company name')).toHaveValue('Origin, Inc.')
  await expect(field(page, 'Owner e-mail')).toHaveValue('ada@origin.example')
  await expect(page.getByRole('combobox', { name: 'Edition' })).toHaveValue('Advanced')
  await expect(field(page, 'Designer')).toHaveValue('3')
  expect(late, 'loaded after Next').toEqual([])
  await expectAccessible(page, 'the form of an import', 'form')
  await field(page, 'Project room name').fill(name)
  await field(page, 'Original SAP contract number').fill('4711')
  await field(page, 'Sales contact e-mail').fill('sales@example.com')
  await select(page, 'Region', 'region-1')
  await page.getByRole('button', { name: 'Create project room' }).click()
  await expect(
    toast(page, 'Import project room', `The project room ${name} is being imported. Its row shows the progress.`),
  ).toBeVisible()
  await expect(page).toHaveURL(listPath)
  await network.settle()
  await expect(toast(page, 'Import project room', `${name}: Import PR is done.`)).toBeVisible()
  await expect(rowOf(page, name).getByText('Active', { exact: true })).toBeVisible()
  expect(isOnDisk(network, name)).toBe(true)
})

test('a wrong file shows File upload fail at both, with the detail of the server', async ({
  openAs,
  browserErrors,
}) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  const failures = page.getByRole('status').getByText('File upload fail', { exact: true })
  browserErrors.expect(/^POST \/api\/operator\/imports? 422$/)
  await roomFile(page).setInputFiles(zipFile('text.zip', Buffer.from('no zip')))
  await expect(toast(page, 'File upload fail', 'Wrong file')).toBeVisible()
  await expect(failures).toHaveCount(2)
  await expect(next(page)).toBeDisabled()
  await expectAccessible(page, 'import page after a failure')

  await roomFile(page).setInputFiles(zipFile('other.zip', craftZip([{ name: 'readme.txt', content: 'hello' }])))
  await expect(toast(page, 'File upload fail', 'Wrong file content')).toBeVisible()
  await productFile(page).setInputFiles(zipFile('empty.zip', craftZip([])))
  await expect(toast(page, 'File upload fail', 'No content in uploaded zip file')).toBeVisible()
  await expect(failures).toHaveCount(2)

  // A file that was uploaded earlier is kept, although the failure is shown next to it too.
  await roomFile(page).setInputFiles(zipFile('good.zip', craftBackup()))
  await expect(next(page)).toBeEnabled()
  await productFile(page).setInputFiles(zipFile('empty.zip', craftZip([])))
  await expect(failures).toHaveCount(2)
  await expect(page.getByText(/^good\.zip is uploaded .* The other file failed\.$/)).toBeVisible()
  await expect(next(page)).toBeEnabled()
})

test('a product backup alone fills in product and edition only; the backup of a whole room is none', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  await productFile(page).setInputFiles(zipFile('whole.zip', craftBackup()))
  await expect(
    page.getByText('whole.zip: This is the backup of a whole project room, not a second product backup.'),
  ).toBeVisible()
  await expect(next(page)).toBeDisabled()

  await productFile(page).setInputFiles(zipFile('product.zip', craftBackup(productFiles, { edition: 'advanced' })))
  await expect(page.getByText('product.zip', { exact: true })).toBeVisible()
  await next(page).click()
  await expect(page.getByRole('combobox', { name: 'Edition' })).toHaveValue('Advanced')
  await expect(field(page, 'Project room name')).toHaveValue('')
  await expect(field(page, 'Company name')).toHaveValue('')
  await expect(page.getByRole('button', { name: 'Create project room' })).toBeDisabled()
})

test('leaving asks when files were uploaded, and Back goes to the list', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  await roomFile(page).setInputFiles(zipFile('room.zip', craftBackup()))
  await expect(next(page)).toBeEnabled()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without importing?' })
  await expectAccessible(page, 'the question about uploaded files', '[role=dialog]')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await next(page).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL(listPath)
})

test('the form leads back to the files, which are kept, after a question', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  await roomFile(page).setInputFiles(zipFile('room.zip', craftBackup()))
  await next(page).click()
  await field(page, 'Company name').fill('Typed here')
  await page.getByRole('button', { name: 'Choose other files' }).click()
  const question = page.getByRole('dialog', { name: 'Choose other files?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(field(page, 'Company name')).toHaveValue('Typed here')
  await page.getByRole('button', { name: 'Choose other files' }).click()
  await question.getByRole('button', { name: 'Choose other files' }).click()
  await expect(page.getByText('room.zip', { exact: true })).toBeVisible()
  await productFile(page).setInputFiles(zipFile('product.zip', craftBackup(productFiles)))
  await expect(page.getByText('product.zip', { exact: true })).toBeVisible()
  await next(page).click()
  await expect(page.getByRole('listitem').filter({ hasText: /room\.zip|product\.zip/ })).toHaveCount(2)
  await expect(field(page, 'Company name')).not.toHaveValue('Typed here')
})

test('a refused import shows the words of the server and stays', async ({ openAs, network, browserErrors }) => {
  const { tenantName: name } = roomDraft()
  await network.admin.call('createRoom', { body: roomDraft({ tenantName: name }) })
  await network.settle()
  const page = await openAs('CLOUD_OPERATOR', importPath)
  await roomFile(page).setInputFiles(zipFile('room.zip', craftBackup()))
  await next(page).click()
  await fillInContacts(page)
  await field(page, 'Project room name').fill(name)
  await select(page, 'Region', 'region-1')
  browserErrors.expect(/^POST \/api\/operator\/createimport (409|500)$/)
  await page.getByRole('button', { name: 'Create project room' }).click()
  await expect(page.getByText(`A project room named ${name} already exists.`)).toBeVisible()

  await page.route('**/api/operator/createimport', (route) => route.fulfill({ status: 500 }))
  await field(page, 'Project room name').fill(`${name}x`)
  await page.getByRole('button', { name: 'Create project room' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Import Project Room Failed' })).toBeVisible()
})

test('a lost connection says so, and the same file can be sent again', async ({ openAs, browserErrors }) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  browserErrors.expect(/^POST \/api\/operator\/import net::ERR_CONNECTION_RESET$/)
  await page.route('**/api/operator/import', (route) => route.abort('connectionreset'), { times: 1 })
  await roomFile(page).setInputFiles(zipFile('room.zip', craftBackup()))
  await expect(page.getByText('room.zip: The connection was lost during the upload. Nothing was kept.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(toast(page, 'Upload Successful', 'File upload successful')).toBeVisible()
  await expect(next(page)).toBeEnabled()
})

test('a running upload shows how far it is, asks before the page is left, and can be cancelled', async ({
  openAs,
  context,
}) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  const slow = await context.newCDPSession(page)
  await slow.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000,
  })
  const large = craftBackup({ 'system.db': 'the system', 'databases/main.db': randomBytes(20_000_000) })
  await roomFile(page).setInputFiles(zipFile('large.zip', large))
  const progress = page.getByRole('progressbar', { name: 'Upload of Project room backup (.zip)' })
  await expect(progress).toBeVisible()
  await expect(page.getByText(/^[\d.]+ [kM]?B of 20 MB$/)).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave during the upload?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect(page).toHaveURL(importPath)
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(progress).toHaveCount(0)
  await expect(page.getByText('No file uploaded')).toHaveCount(2)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page).toHaveURL(listPath)
})

// shows: panel-buttons
test('support is sent to the list; sales and administrators find the import in the customer management', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SUPPORT', importPath)
  await expect(page).toHaveURL(listPath)
  await expect(page.getByRole('link', { name: 'Import project room' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Customer management' }).click()
  await expect(page.getByRole('button', { name: 'Import project room' })).toBeDisabled()
  await openAs('CLOUD_SALES')
  await page.getByRole('button', { name: 'Customer management' }).click()
  await page.getByRole('button', { name: 'Import project room' }).click()
  await expect(page).toHaveURL(importPath)
})

test('a manifest whose expiration date has passed must be corrected', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR', importPath)
  const zip = craftBackup(undefined, { expirationDate: '2020-01-31' })
  await roomFile(page).setInputFiles(zipFile('old.zip', zip))
  await next(page).click()
  await expect(field(page, 'Expiration date')).toHaveValue('31.01.2020')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('The expiration date must not be earlier than today.')).toBeVisible()
})
