/** Maintenance mode: its screen, and the banner on every operator page. */
import { expectAccessible } from '../accessibility.ts'
import { expect, test } from '../fixtures.ts'
import { listPath } from '../room-list.ts'
import { toast } from '../toasts.ts'

const path = '/project/maintenance_mode'

// shows: list-maintenance, maintenance-screen
test('an administrator puts the site into maintenance mode, and every operator sees it at once', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  await page.getByRole('button', { name: 'Maintenance mode' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('heading', { name: 'Maintenance mode', level: 1 })).toBeVisible()
  const save = page.getByRole('button', { name: 'Save configuration' })
  await expect(save).toBeDisabled()
  const message = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('checkbox', { name: 'Put site into maintenance mode' }).check()
  await message.fill('Back at noon.\nThank you.')
  await expect(page.getByText('24 of 5,000 characters')).toBeVisible()
  await save.click()
  await expect(toast(page, 'Maintenance mode', 'Save maintenance settings was Successful')).toBeVisible()
  const banner = page.getByRole('status', { name: 'Maintenance mode' })
  await expect(banner).toContainText('Temporarily Down for Maintenance')
  await expect(banner).toContainText('Back at noon.')
  await expectAccessible(page, 'the banner of maintenance mode', '[role=status]')
  const { body } = await network.admin.call('maintenance', {})
  expect(body).toEqual({ maintenanceMode: true, maintenanceMessage: 'Back at noon.\nThank you.' })

  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(listPath)
  await expect(banner).toBeVisible()
  await network.admin.call('saveMaintenance', {
    body: { maintenanceMode: false, maintenanceMessage: 'Back at noon.' },
  })
  await expect(banner.getByText('Temporarily Down for Maintenance')).toBeHidden()
})

test('every page of a drill says that it is one', async ({ openAs, network }) => {
  const drill = await network.addServer({ PROCESS: 'drill' })
  const page = await openAs('CLOUD_OPERATOR')
  for (const each of [listPath, '/project/statistics']) {
    await page.goto(`${drill.address}${each}`)
    await expect(page.getByText('This console shows a restored database')).toBeVisible()
  }
  await page.goto(network.server.address)
  await drill.stop()
})

// shows: maintenance-message
test('a missing or too long message cannot be saved, a failure stays on the page, and leaving asks', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(/^POST \/api\/operator\/maintenanceMode 500$/)
  await network.admin.call('saveMaintenance', { body: { maintenanceMode: false, maintenanceMessage: 'Old.' } })
  const page = await openAs('CLOUD_ADMINISTRATOR', path)
  const message = page.getByRole('textbox', { name: 'Message' })
  const save = page.getByRole('button', { name: 'Save configuration' })
  await expect(message).toHaveValue('Old.')
  await message.fill('')
  await message.blur()
  await expect(message).toHaveAccessibleDescription('Please enter the message.')
  await expect(save).toBeDisabled()
  await message.fill('x'.repeat(5001))
  await expect(message).toHaveAccessibleDescription('The message can have at most 5000 characters.')
  await expect(save).toBeDisabled()
  await message.fill('x'.repeat(5000))
  await expect(save).toBeEnabled()

  await page.route('**/api/operator/maintenanceMode', (route) => route.fulfill({ status: 500 }))
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Saving of maintenance settings is failed' })).toBeVisible()
  const refused = page.waitForResponse('**/api/operator/maintenanceMode')
  await save.press('Enter')
  await refused
  // The button was disabled for the time of the call. The focus is not lost by it.
  await expect(save).toBeFocused()
  await page.getByRole('button', { name: 'Back' }).click()
  const question = page.getByRole('dialog', { name: 'Leave maintenance mode' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL(listPath)
})
