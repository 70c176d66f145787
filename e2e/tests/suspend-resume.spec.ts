/** Suspending and resuming a room from its edit screen. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { button, editPath, expectState } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

// shows: suspend-yes
test('Yes suspends, Yes resumes, and the stakeholders are told unless it was switched off', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const mails = () => readdir(join(network.dir, 'server', 'outbox')).catch(() => [])
  await network.mailsTried()
  const before = (await mails()).length
  const page = await openAs('CLOUD_SALES', editPath(name))
  await button(page, 'Suspend').click()
  const suspend = page.getByRole('dialog', { name: `Suspend project room ${name}` })
  await expect(suspend.getByRole('checkbox', { name: 'Notify stakeholders via email' })).toBeChecked()
  await expect(suspend.getByRole('button', { name: 'No', exact: true })).toBeFocused()
  await suspend.getByRole('button', { name: 'Yes' }).click()
  await expect(toast(page, 'Suspend', `The project room ${name} is suspended.`)).toBeVisible()
  await expect(suspend).toBeHidden()
  await expectState(page, 'Suspended')
  await expect.poll(async () => (await mails()).length).toBe(before + 1)

  await button(page, 'Resume').click()
  const resume = page.getByRole('dialog', { name: `Resume project room ${name}` })
  await resume.getByRole('checkbox', { name: 'Notify stakeholders via email' }).uncheck()
  await resume.getByRole('button', { name: 'Yes' }).click()
  await expect(toast(page, 'Resume', `The project room ${name} is active again.`)).toBeVisible()
  await expectState(page, 'Active')
  await network.settle()
  await network.mailsTried()
  expect((await mails()).length).toBe(before + 1)
})

// shows: suspend-no
test('No closes the dialog and changes nothing', async ({ openAs, network }) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await button(page, 'Suspend').click()
  await button(page, 'No').click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectState(page, 'Active')
  await button(page, 'Suspend').click()
  await expect(page.getByRole('checkbox', { name: 'Notify stakeholders via email' })).toBeChecked()
})

test('a region that refuses leaves the room as it was, with the reason in the dialog', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newRoom()
  const fault = { method: 'POST', rest: '/suspend', action: 'status', status: 400 } as const
  await setFaults(network, name, [fault])
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  browserErrors.expect(/^POST \/api\/operator\/suspend 50\d$/)
  await button(page, 'Suspend').click()
  await button(page, 'Yes').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert').filter({ hasText: 'Error while suspending project room' })).toBeVisible()
  await dialog.getByRole('button', { name: 'No', exact: true }).click()
  await expectState(page, 'Active')
  const failure = page.getByRole('region', { name: 'The last operation failed' })
  await failure.getByRole('button', { name: 'Show details' }).click()
  await expect(failure.getByRole('list', { name: 'Steps' })).toBeVisible()
})

test('an address that no mailbox can have is taken with a warning, and the history says that no e-mail was delivered', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom({ customerEmail: 'a b@example.com' })
  await network.mailsTried()
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath(name))
  const warning = page.getByText('E-mails cannot be sent to this. Please enter the address of a single mailbox.')
  await expect(warning).toBeVisible()
  const owner = page.getByRole('textbox', { name: 'Owner e-mail' })
  await owner.fill('"a b"@example.com')
  await expect(warning).toBeHidden()
  await owner.fill('a b@example.com')
  await page.getByRole('tab', { name: 'Activity' }).click()
  const entry = page.getByRole('list', { name: 'Activity' }).locator('> li').filter({ hasText: 'created' })
  await expect(entry).toContainText('E-mail to a b@example.com: not delivered')
  await expect(entry).toContainText('this is not the address of a single mailbox')
  await entry.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByRole('list', { name: 'Activity' })).toContainText(
    'You sent an e-mail to a b@example.com again',
  )
  await page.goto('/project/webhooks')
  await page.getByRole('link', { name: 'E-mails' }).click()
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText(
    'This is not the address of a single mailbox.',
  )
})

// shows: notes-console
test('what is pinned to a room is marked in the list and stands before everything that is done with the room', async ({
  openAs,
  network,
  newVisitor,
}) => {
  const name = await network.newRoom()
  const text = 'Do not suspend before 12.12., ticket 4711'
  const page = await openAs('CLOUD_SUPPORT', `${editPath(name)}?tab=overview`)
  const notes = page.getByRole('region', { name: 'Notes' })
  const write = async (words: string) => {
    await button(page, 'New note …').click()
    await page.getByRole('dialog').getByLabel('Note').fill(words)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await write(text)
  await write('Ms. Berg prefers e-mail.')
  await expect(notes.getByRole('listitem')).toContainText(['Ms. Berg prefers e-mail.', text])
  await notes.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Pin the note' }).click()
  await expect(notes.getByRole('listitem')).toContainText([text, 'Ms. Berg prefers e-mail.'])

  const operator = await newVisitor('CLOUD_OPERATOR')
  await operator.goto(listPath)
  const mark = operator.getByRole('img', { name: `Pinned note: ${text}` })
  await mark.hover()
  await expect(operator.getByRole('tooltip')).toHaveText(`Pinned note: ${text}`)
  const dialog = operator.getByRole('dialog')
  const noted = dialog.getByRole('region', { name: 'Pinned note' })
  await button(operator, `Delete ${name}`).click()
  await expect(noted).toContainText(text)
  await button(operator, 'Cancel').click()
  await operator.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button(operator, 'Move …').click()
  await dialog.getByRole('combobox', { name: 'Target region' }).click()
  await operator.getByRole('option', { name: /region-2/ }).click()
  await expect(dialog.getByRole('region', { name: '1 project room has pinned notes' })).toContainText(`${name}${text}`)
  await operator.goto(editPath(name))
  await expect(operator.getByRole('region', { name: 'Pinned note' })).toContainText(text)
  await button(operator, 'Suspend').click()
  await expect(noted).toContainText(text)
  await button(operator, 'No').click()

  // What another writes comes by itself, to read only.
  await network.admin.call('addRoomNote', { body: { projectRoom: name, text: 'Paid.', pinned: false } })
  const paid = notes.getByRole('listitem').filter({ hasText: 'Paid.' })
  await expect(paid).toBeVisible()
  await expect(paid.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: /admin@localhost.* note/ })).toHaveCount(1)
  await notes.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Delete the note' }).click()
  await page.getByRole('dialog', { name: 'Delete note' }).getByRole('button', { name: 'Delete note' }).click()
  await expect(notes.getByRole('listitem')).toHaveCount(2)
  await expect(operator.getByRole('region', { name: 'Pinned note' })).toHaveCount(0)
})
