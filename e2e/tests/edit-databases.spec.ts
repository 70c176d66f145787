/** The databases of a room: list, backup, restore, delete, import. */
import type { Locator, Page } from '@playwright/test'
import { field } from '../create-form.ts'
import { makeExport } from '../database-export.ts'
import { button, editPath, expectState } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { documentOf, firstRegion } from '../region-room.ts'
import { toast } from '../toasts.ts'

const password = 'correct horse'
const advanced = { edition: 'advanced', licenses: { YAAD: 1 } } as const

// shows: edit-databases
test('a database is backed up, restored and deleted, each after its question', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const document = await documentOf(network, name)
  await document.write('as it was backed up')
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'databases'))
  const row = databaseRow(page, 'main')
  await expect(row.getByRole('cell').nth(0)).toHaveText(/^\d[\d.]* k?B$/)
  await expect(row).toContainText('Never')
  const restore = row.getByRole('button', { name: /^Restore main/ })
  await expect(restore).toBeDisabled()
  await expect(restore).toHaveAccessibleName('Restore main: There is no backup of this database.')

  await row.getByRole('button', { name: 'Back up main' }).click()
  await expect(toast(page, 'Back up database main', 'Accepted, running.')).toBeVisible()
  await expect(row).not.toContainText('Never')
  await expect(restore).toBeEnabled()

  await document.write('changed since')
  await restore.click()
  const question = page.getByRole('dialog', { name: 'Restore database main' })
  await expect(question).toContainText('takes the place of what is in it now')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await document.read()).toBe('changed since')
  await question.getByRole('button', { name: 'Restore database' }).click()
  await expect(toast(page, 'Restore database main', 'Accepted, running.')).toBeVisible()
  await network.settle()
  expect(await document.read()).toBe('as it was backed up')

  await expect(row.getByRole('button', { name: 'Delete main' })).toBeEnabled()
  await row.getByRole('button', { name: 'Delete main' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete database' }).click()
  await expect(row).toHaveCount(0)
  await network.settle()
  expect((await firstRegion(network).client.room(name))?.databases).toEqual([])
  await expectState(page, 'Active')
})

// shows: import-database
test('an uploaded export becomes a database of its name', async ({ openAs, network }) => {
  const name = await network.newRoom(advanced)
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'databases'))
  const dialog = await openImport(page)
  const create = dialog.getByRole('button', { name: 'Create Database' })
  await expect(create).toBeDisabled()
  await create.hover({ force: true })
  await expect(page.getByRole('tooltip', { name: 'Please upload a file first.' })).toBeVisible()
  await chooseFile(page, await makeExport('sales models .adb', password))
  await expect(toast(page, 'Upload Successful', 'File upload successful')).toBeVisible()
  await expect(field(page, 'Database name')).toHaveValue('sales models')

  await field(page, 'Database name').fill(' MAIN ')
  const taken = 'This database name already exists please type another one in the input field'
  await expect(field(page, 'Database name')).toHaveAccessibleDescription(taken)
  await expect(create).toBeDisabled()
  await field(page, 'Database name').fill('sales models')
  await expect(create).toBeDisabled()
  const secret = dialog.getByLabel('Encryption password')
  await secret.fill(password)
  await expect(secret).toHaveAttribute('type', 'password')
  await dialog.getByRole('button', { name: 'Hold to show' }).focus()
  await page.keyboard.down('Space')
  await expect(secret).toHaveAttribute('type', 'text')
  await page.keyboard.up('Space')
  await expect(secret).toHaveAttribute('type', 'password')

  await create.click()
  await expect(dialog).toBeHidden()
  await network.settle()
  await expect(databaseRow(page, 'sales models')).toBeVisible()
  const { body } = await network.admin.call('databases', { query: { projectRoom: name } })
  expect(body.map((each) => each.databaseName)).toEqual(['main', 'sales models'])
})

// shows: import-database-password
test('a wrong password fails the import, leaves the room as it was and says so', async ({ openAs, network }) => {
  const name = await network.newRoom(advanced)
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  const dialog = await openImport(page)
  await chooseFile(page, await makeExport('sales.adb', password))
  await dialog.getByLabel('Encryption password').fill('wrong')
  await dialog.getByRole('button', { name: 'Create Database' }).click()
  const failure = page.getByRole('region', { name: 'The last operation failed' })
  await expect(failure.getByText(/password/)).toBeVisible()
  await failure.getByRole('button', { name: 'Show details' }).click()
  await expect(failure.getByText(/password/).first()).toBeVisible()
  await expect(failure.getByText('Start the import again with the password of the export.')).toBeVisible()
  await expect(failure.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expectState(page, 'Active')
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  const retried = network.admin.call('retryOperation', { params: { id: room.failedOperationId ?? '' } })
  await expect(retried).rejects.toMatchObject({ code: 'operation-not-retryable' })

  // Everybody who may see the activity can read that it failed, and why.
  await openAs('CLOUD_SUPPORT', editPath(name, 'history'))
  const entry = page.getByRole('list', { name: 'Activity' }).locator('> li').first()
  await expect(entry).toContainText(/: Database import \w+Failed/)
  await expect(entry.getByText(/password/)).toBeVisible()
  await expect(page.getByText(`created ${name}`)).toBeVisible()
  await openAs('CLOUD_OPERATOR', `/project/audit?room=${name}&action=database`)
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(/Database: Database import.*Failed/)
})

// shows: import-database-file
test('a file of another kind is refused, and the control is cleared', async ({ openAs, network, browserErrors }) => {
  const name = await network.newRoom(advanced)
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  const dialog = await openImport(page)
  browserErrors.expect(/^POST \/api\/operator\/import\/Database 422$/)
  await chooseFile(page, { name: 'fake.adb', mimeType: 'application/octet-stream', buffer: Buffer.from('not one') })
  await expect(toast(page, 'File upload Failed', 'File upload for import database Failed')).toBeVisible()
  await expect(dialog.getByText('No file uploaded')).toBeVisible()
  await expect(dialog.getByText('Wrong file. This is not a database export (.adb) of a region.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Create Database' })).toBeDisabled()
})

test('on Basic only one database can be imported', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'databases'))
  const dialog = await openImport(page)
  await chooseFile(page, await makeExport('first.adb', password))
  await dialog.getByLabel('Encryption password').fill(password)
  await dialog.getByRole('button', { name: 'Create Database' }).click()
  await expect(dialog).toBeHidden()
  await network.settle()
  await expect(databaseRow(page, 'first')).toBeVisible()
  await expect(button(page, 'Import Database')).toBeEnabled()
  await openImport(page)
  await expect(dialog.getByRole('alert')).toHaveText('On Basic you can only import one database')
  await expect(dialog.getByRole('button', { name: 'Choose .adb file' })).toBeDisabled()
})

test('the databases of a suspended room can be seen, but not changed', async ({ openAs, network }) => {
  const name = await network.newSuspendedRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name, 'databases'))
  for (const action of ['Back up', 'Restore', 'Delete']) {
    const label = `${action} main: This project room is suspended.`
    await expect(databaseRow(page, 'main').getByRole('button', { name: label, exact: true })).toBeDisabled()
  }
})

test('databases that could not be loaded say so, and can be loaded again', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newRoom()
  browserErrors.expect(/^GET \/api\/operator\/room\/database 403$/)
  const page = await openAs('CLOUD_OPERATOR')
  await page.route('**/room/database?**', (route) => route.fulfill({ status: 403 }))
  await page.goto(editPath(name, 'databases'))
  const failure = page.getByRole('alert').filter({ hasText: 'The databases could not be loaded' })
  await expect(failure).toBeVisible()
  await page.unrouteAll()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(databaseRow(page, 'main')).toBeVisible()
})

function databaseRow(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
}

async function openImport(page: Page): Promise<Locator> {
  await button(page, 'Import Database').click()
  const dialog = page.getByRole('dialog', { name: 'Import Database' })
  await expect(dialog).toBeVisible()
  return dialog
}

async function chooseFile(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
}
