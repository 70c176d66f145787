/** Notifications for customers: written, shown as a test, changed and deleted. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/set_notification'

async function fillIn(page: Page, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByLabel('Start date').fill('1.3.2026')
  await page.getByLabel('Start time').fill('8.30')
  await page.getByLabel('End date').fill('02.03.2031')
  await page.getByLabel('End time').fill('18:00')
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

test.beforeEach(async ({ network }) => {
  await network.database.rows('delete from notifications')
})

// shows: notice-test-display
test('an administrator writes a notification, sees it as customers will, changes and deletes it', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await button(page, 'Customer management').click()
  await button(page, 'Set notification').click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await expect(button(page, 'Save')).toBeDisabled()
  await fillIn(page, 'Downtime on Sunday')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+a')
  await button(page, 'Bold').click()
  await expect(page.getByLabel('Start date')).toHaveValue('01.03.2026')
  await expect(page.getByLabel('Start time')).toHaveValue('08:30')
  await button(page, 'Link').click()
  const address = page.getByRole('textbox', { name: 'Address of the link' })
  await address.fill('javascript:alert(1)')
  await button(page, 'Set link').click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription(
    'The link javascript:alert(1) was not set: a link begins with https://, http:// or mailto:.',
  )
  await expectAccessible(page, 'the refusal of a link')
  await expect(page.getByRole('textbox', { name: 'Message' }).getByRole('link')).toHaveCount(0)

  await button(page, 'Test display').click()
  const shown = page.getByRole('dialog', { name: 'Test display' })
  await expect(shown.getByRole('strong')).toHaveText('Downtime on Sunday')
  await expectAccessible(page, 'the test display', '[role=dialog]')
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Display as popup' }).check()
  await button(page, 'Test display').click()
  const popup = page.locator('dialog[open]')
  await expect(popup.getByRole('strong')).toHaveText('Downtime on Sunday')
  await popup.getByRole('button', { name: 'Close' }).click()
  await expect(popup).toHaveCount(0)
  await expect(button(page, 'Test display')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(popup).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(popup).toHaveCount(0)
  await expect(button(page, 'Test display')).toBeFocused()
  await button(page, 'Save').click()
  await expect(toast(page, 'Notification', 'The notification was saved.')).toBeVisible()

  const row = page.getByRole('row').filter({ hasText: 'Downtime on Sunday' })
  await expect(row.getByRole('cell')).toHaveText(['01.03.2026 08:30', '02.03.2031 18:00', 'Yes', 'No', 'Displayed', ''])
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveText('')
  const [stored] = (await network.admin.call('notifications', {})).body
  expect(stored).toMatchObject({ message: '<p><strong>Downtime on Sunday</strong></p>', displayPopup: true })

  await row.getByRole('button', { name: 'Edit the notification “Downtime on Sunday”' }).click()
  const form = page.getByRole('form', { name: 'Edit notification' })
  await expect(form.getByRole('textbox', { name: 'Message' })).toHaveText('Downtime on Sunday')
  await expect(form.getByLabel('End time')).toHaveValue('18:00')
  await form.getByRole('checkbox', { name: 'Deactivate' }).check()
  await page.keyboard.press('Control+Enter')
  await expect(row.getByRole('cell').nth(4)).toHaveText('Deactivated')

  await row.getByRole('button', { name: 'Delete the notification “Downtime on Sunday”' }).click()
  const question = page.getByRole('dialog', { name: 'Delete notification' })
  await question.getByRole('button', { name: 'Delete notification' }).click()
  await expect(toast(page, 'Notification', 'The notification was deleted.')).toBeVisible()
  await expect(row).toHaveCount(0)
  expect((await network.admin.call('notifications', {})).body).toEqual([])
})

// shows: notice-end
test('what is missing or wrong stands at its field, and the end must be after the start', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR', path)
  await fillIn(page, 'x')
  await page.getByLabel('End date').fill('1.1.2026')
  await page.getByLabel('End time').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByText('The end must be after the start.').first()).toBeVisible()
  // Use keys, as people do: the editor has its own selection, and restores it after fill() has made another.
  await page.getByRole('textbox', { name: 'Message' }).press('Control+a')
  await page.keyboard.press('Delete')
  await page.getByLabel('Start date').focus()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveAccessibleDescription('Please enter the message.')
  await expect(button(page, 'Save')).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await button(page, 'Cancel').click()
  await expect(page.getByLabel('End date')).toHaveValue('')
  await expect(page.getByText('The end must be after the start.')).toHaveCount(0)
})

test('failures are told to the letter, and what was entered stays', async ({ openAs, network, browserErrors }) => {
  browserErrors.expect(/\/api\/operator\/notification(\/\d+)? 500$/)
  const startDate = '2026-01-01T00:00:00Z'
  const body = { message: '<p>Old</p>', startDate, endDate: '2026-01-02T00:00:00Z' }
  await network.admin.call('createNotification', { body })
  const page = await openAs('CLOUD_OPERATOR', path)
  await fillIn(page, 'New')
  let isBroken = true
  await page.route('**/api/operator/notification**', (route) =>
    isBroken ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await button(page, 'Save').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Error with saving notification in DB' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveText('New')
  await button(page, 'Delete the notification “Old”').click()
  const question = page.getByRole('dialog', { name: 'Delete notification' })
  await question.getByRole('button', { name: 'Delete notification' }).click()
  await expect(question.getByRole('alert').filter({ hasText: 'Notification was not deleted.' })).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await button(page, 'Cancel').click()
  await page.reload()
  const failure = page.getByRole('alert').filter({ hasText: 'Fetching notifications has failed' })
  // After two more tries, with pauses before them.
  await expect(failure).toBeVisible({ timeout: 20_000 })
  isBroken = false
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('rowheader', { name: 'Old' })).toBeVisible()
})

// shows: page-size-notifications
test('20 notifications stand on a page, and unsaved entries are asked about', async ({ openAs, network }) => {
  for (let day = 1; day <= 21; day++) {
    const startDate = `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`
    const body = { message: `<p>Notice ${day}</p>`, startDate, endDate: '2026-02-01T00:00:00Z' }
    await network.admin.call('createNotification', { body })
  }
  const page = await openAs('CLOUD_OPERATOR', path)
  await expect(page.getByRole('rowheader')).toHaveCount(20)
  await expect(page.getByRole('rowheader').first()).toHaveText('Notice 21')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(`${path}?page=2`)
  await expect(page.getByRole('rowheader')).toHaveText(['Notice 1'])

  await page.getByRole('textbox', { name: 'Message' }).fill('Something')
  await button(page, 'Edit the notification “Notice 1”').click()
  const question = page.getByRole('dialog', { name: 'Unsaved notification' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveText('Something')
  await button(page, 'Back').click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL(listPath)
})
