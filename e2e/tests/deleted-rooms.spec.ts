/** Deleted rooms: what the question says, the way back, the screen at /project/deleted, and purges with their certificates. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Role } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'
import { closeToasts, toast } from '../toasts.ts'

const path = '/project/deleted'

async function deletedRoom(network: Network): Promise<string> {
  const name = await network.newRoom()
  await network.admin.call('deleteRoom', { body: { roomName: name } })
  await network.settle()
  return name
}

interface InsertedDeletion {
  name: string
  companyName?: string
  customerEmail?: string
  daysAgo?: number
}

/** Deleted rooms that exist only in the console's database, without a backup. */
async function insertDeletions(network: Network, rooms: readonly InsertedDeletion[]): Promise<void> {
  const given = rooms.map((room) => ({
    roomId: randomUUID(),
    companyName: 'Example, Inc.',
    customerEmail: 'owner@example.com',
    daysAgo: 0,
    ...room,
  }))
  await network.database.rows(
    `insert into deleted_rooms (room_id, name, product, edition, customer_email, company_name, columns, deleted_by,
       deleted_at, kept_until)
     select "roomId", name, 'ARIS', 'advanced-base-extension', "customerEmail", "companyName", '{}',
       'admin@localhost', now() - make_interval(days => "daysAgo"), now() + make_interval(days => 30 - "daysAgo")
     from jsonb_to_recordset($1) as given ("roomId" uuid, name text, "companyName" text, "customerEmail" text,
       "daysAgo" integer)`,
    [JSON.stringify(given)],
  )
}

function searchField(page: Page) {
  return page.getByRole('searchbox', { name: 'Name, e-mail or company' })
}

test('the list and the page of a deleted room say that it was deleted, to those who can bring it back', async ({
  openAs,
  browserErrors,
  network,
}) => {
  browserErrors.expect(/^GET \/api\/operator\/room\S* 404/)
  await insertDeletions(network, [{ name: 'gonefirst', daysAgo: 2 }, { name: 'gonelast' }])
  const page = await openAs('CLOUD_OPERATOR', `${listPath}?q=gone`)
  const said = (text: RegExp) => page.getByText(text)
  await expect(
    said(/^2 deleted project rooms, the last one gonelast, deleted [\d:]+ by admin@localhost\./),
  ).toBeVisible()
  await page.goto('/project/edit_project_room/gonefirst')
  await expect(said(/^1 deleted project room: gonefirst, deleted [\d.: ]+ by admin@localhost\./)).toBeVisible()
  await page.getByRole('link', { name: 'Bring it back …' }).click()
  await expect(page).toHaveURL(`${path}?search=gonefirst`)
  await openAs('CLOUD_SUPPORT', `${listPath}?q=gone`)
  await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await expect(said(/deleted project room/)).toHaveCount(0)
})

// shows: deleted-dialog, deleted-toast, deleted-screen
test('a room is deleted, and comes back from where the toast leads', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  await rowOf(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  const question = page.getByRole('dialog', { name: 'Delete Tenant' })
  await expect(question.getByText(/^A last backup is taken before: until \d\d\.\d\d\.\d{4} \(30 days\)/)).toBeVisible()
  const without = question.getByRole('checkbox', { name: 'Delete without a last backup' })
  await without.check()
  await expect(question.getByText(/^No last backup is taken: what is in it now is lost/)).toBeVisible()
  await without.uncheck()
  await question.getByRole('button', { name: 'Delete project room' }).click()
  const told = toast(page, 'Delete project room', `${name} is deleted.`)
  await expect(told).toBeVisible()
  await told.getByRole('link', { name: 'Bring it back …' }).click()
  await expect(page).toHaveURL(`${path}?search=${name}`)

  const row = rowOf(page, name)
  await expect(row).toContainText('Read back')
  await row.getByRole('button', { name: `Restore ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Restore project room ${name}` })
  await expect(dialog.getByRole('textbox', { name: 'Project room name' })).toHaveValue(name)
  await expect(dialog.getByRole('combobox', { name: 'Region' })).toHaveValue(/^As before: \S/)
  await expectAccessible(page, 'the restore of a deleted room', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Restore project room' }).click()
  await expect(dialog).toBeHidden()
  const back = toast(page, 'Restore project room', `${name} is back.`)
  await expect(back).toBeVisible()
  await expect(back.getByRole('link', { name: `Open ${name}` })).toHaveAttribute('href', new RegExp(`/${name}$`))
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await closeToasts(page)
  await page.getByRole('link', { name: 'Roomkeeper' }).click()
  await expect(rowOf(page, name).getByText('Active', { exact: true })).toBeVisible()
})

// shows: deleted-dialog
test('without a last backup nothing is offered afterwards, and it cannot come back', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR')
  await rowOf(page, name)
    .getByRole('button', { name: `Delete ${name}` })
    .click()
  const question = page.getByRole('dialog', { name: 'Delete Tenant' })
  await question.getByRole('checkbox', { name: 'Delete without a last backup' }).check()
  await question.getByRole('button', { name: 'Delete project room' }).click()
  const told = toast(page, 'Delete project room', `${name} is deleted.`)
  await expect(told).toBeVisible()
  await expect(told.getByRole('link')).toHaveCount(0)
  await page.goto(path)
  const restore = rowOf(page, name).getByRole('button', { name: new RegExp(`^Restore ${name}`) })
  await expect(restore).toHaveAccessibleName(`Restore ${name}: There is no backup to restore it from.`)
  await expect(restore).toBeDisabled()
})

// shows: deleted-screen
test('a refusal stands at its field, and another name and region are taken', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await deletedRoom(network)
  await insertRooms(network, [{ name }])
  const page = await openAs('CLOUD_ADMINISTRATOR', path)
  await rowOf(page, name)
    .getByRole('button', { name: `Restore ${name}` })
    .click()
  const dialog = page.getByRole('dialog')
  browserErrors.expect(/^POST \/api\/operator\/deletedRooms\/:?[^ ]+\/restore 409$/)
  await dialog.getByRole('button', { name: 'Restore project room' }).click()
  const field = dialog.getByRole('textbox', { name: 'Project room name' })
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await field.fill(`${name}b`)
  await dialog.getByRole('combobox', { name: 'Region' }).click()
  await page.getByRole('option', { name: 'region-2' }).click()
  await dialog.getByRole('button', { name: 'Restore project room' }).click()
  await expect(toast(page, 'Restore project room', `${name}b is back.`)).toBeVisible()
  expect((await network.regions[1]?.client.room(`${name}b`))?.state).toBe('active')
})

// shows: deleted-screen, deleted-purge
test('a room is purged once its name was typed, and its certificate is downloaded', async ({ openAs, network }) => {
  const name = await deletedRoom(network)
  const page = await openAs('CLOUD_OPERATOR', path)
  const row = rowOf(page, name)
  await row.getByRole('button', { name: `Purge ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Purge project room ${name}` })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  const purge = dialog.getByRole('button', { name: 'Purge project room' })
  await expect(purge).toBeDisabled()
  await dialog.getByRole('textbox').fill(name)
  await expect(purge).toBeEnabled()
  await purge.click()
  const told = toast(page, 'Purge project room', `Nothing is left of ${name}.`)
  await expect(told).toBeVisible()
  await expect(row).toHaveCount(0)
  await told.getByRole('link', { name: 'Certificate' }).click()
  await expect(page).toHaveURL(`${path}?search=${name}&purged=true`)
  await expect(rowOf(page, name)).toBeVisible()
  await expectAccessible(page, 'purged rooms')
  const downloading = page.waitForEvent('download')
  await rowOf(page, name)
    .getByRole('button', { name: `Download the certificate of ${name}` })
    .click()
  const file = await (await downloading).path()
  const certificate = JSON.parse(await readFile(file, 'utf8'))
  expect(certificate).toMatchObject({ room: { projectRoomName: name }, audit: { action: 'room.purge' } })
})

// shows: deleted-screen
test('nothing yet, no match and a failure are told apart; search and page stand in the URL', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const page = await openAs('CLOUD_OPERATOR', path)
  await expect(page.getByRole('heading', { name: 'No deleted project rooms' })).toBeVisible()
  await expectAccessible(page, 'no deleted rooms')
  await insertDeletions(
    network,
    [...Array(21).keys()].map((n) => ({
      name: `deleted${n}`,
      companyName: n === 7 ? 'Seven Ltd.' : 'Others',
      daysAgo: n,
    })),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('rowheader').first()).toHaveText('deleted0')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(`${path}?page=2`)
  await page.reload()
  await expect(page.getByRole('rowheader')).toHaveText(['deleted20'])
  await searchField(page).fill('seven')
  await expect(page).toHaveURL(`${path}?search=seven`)
  await expect(page.getByRole('rowheader')).toHaveText(['deleted7'])
  await searchField(page).fill('nowhere')
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Reset filter' }).first().click()
  await expect(page).toHaveURL(path)
  browserErrors.expect(/^GET \/api\/operator\/deletedRooms 403$/)
  await page.route('**/api/operator/deletedRooms?**', (route) => route.fulfill({ status: 403 }))
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'The deleted project rooms could not be loaded' })).toBeVisible()
})

const roles: readonly Role[] = ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR']
for (const role of roles) {
  const isAdmin = role === 'CLOUD_OPERATOR' || role === 'CLOUD_ADMINISTRATOR'
  // shows: deleted-roles
  test(`${role}: the screen is ${isAdmin ? 'in the menu and the palette' : 'neither offered nor opened'}`, async ({
    openAs,
  }) => {
    const page = await openAs(role, path)
    await expect(page).toHaveURL(isAdmin ? path : listPath)
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Command palette' }).click()
    await page.keyboard.type('deleted')
    const commands = page.getByRole('dialog').getByText('Deleted project rooms')
    await expect(commands).toHaveCount(isAdmin ? 1 : 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Profile of / }).click()
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
    const item = page.getByRole('menuitem', { name: 'Deleted project rooms' })
    await expect(item).toHaveCount(isAdmin ? 1 : 0)
    if (!isAdmin) return
    await item.click()
    await expect(page).toHaveURL(path)
  })
}
