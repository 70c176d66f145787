/** Operator accounts at /project/operators: for administrators only. */
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/operators'

test('an administrator adds an account, changes it and deletes it', async ({ openAs, network, browserErrors }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('menuitem', { name: 'Operator accounts' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('row', { name: /admin@localhost/ })).toBeVisible()

  await page.getByRole('button', { name: 'New operator' }).click()
  const dialog = page.getByRole('dialog', { name: 'New operator' })
  await dialog.getByRole('button', { name: 'Create operator' }).click()
  await expect(dialog.getByRole('textbox', { name: 'E-mail address' })).toHaveAccessibleDescription(
    'Please enter a valid e-mail address.',
  )
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('admin@localhost')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('New Person')
  await dialog.getByRole('radio', { name: 'Sales' }).check()
  await dialog.getByLabel('Password', { exact: false }).first().fill('first password')
  browserErrors.expect(/^POST \/api\/operator\/operators 409/)
  await dialog.getByRole('button', { name: 'Create operator' }).click()
  await expect(dialog.getByText('Another operator already has this e-mail address.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('new.person@example.com')
  await dialog.getByRole('button', { name: 'Create operator' }).click()
  await expect(toast(page, 'Operator created', 'new.person@example.com')).toBeVisible()
  const row = page.getByRole('row', { name: /new\.person@example\.com/ })
  await expect(row).toContainText('Sales')

  await row.getByRole('button', { name: 'Edit new.person@example.com' }).click()
  const edit = page.getByRole('dialog', { name: 'Operator new.person@example.com' })
  await edit.getByRole('radio', { name: 'Support' }).check()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(row).toContainText('Support')

  await row.getByRole('button', { name: 'Delete new.person@example.com' }).click()
  const question = page.getByRole('dialog', { name: 'Delete operator' })
  const confirm = question.getByRole('button', { name: 'Delete operator' })
  await expect(confirm).toBeDisabled()
  await question.getByRole('textbox').fill('new.person@example.com')
  await confirm.click()
  await expect(row).toHaveCount(0)
  const { body } = await network.admin.call('operators', {})
  expect(body.map(({ email }) => email)).not.toContain('new.person@example.com')
})

test('nobody can delete or demote themself', async ({ openAs }) => {
  const page = await openAs('CLOUD_ADMINISTRATOR', path)
  const own = page.getByRole('row', { name: /\(you\)/ })
  await expect(own.getByRole('button', { name: /Nobody can delete their own account/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await own.getByRole('button', { name: /^Edit / }).click()
  const edit = page.getByRole('dialog')
  await expect(edit.getByRole('radio', { name: 'Administrator' })).toBeChecked()
  for (const role of ['Support', 'Sales', 'Operator']) {
    await expect(edit.getByRole('radio', { name: role, exact: true })).toBeDisabled()
  }
})

// shows: who-accounts
test('everybody else is sent to the list and sees no way there', async ({ openAs }) => {
  for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR'] as const) {
    const page = await openAs(role, path)
    await expect(page).toHaveURL(listPath)
    await page.getByRole('button', { name: /^Profile of / }).click()
    await expect(page.getByRole('menuitem', { name: 'Change password' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Operator accounts' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  }
})
