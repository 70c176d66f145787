/** Parts of the console that are loaded when they are opened, and cannot be. */
import { expectAccessible } from '../accessibility.ts'
import { createPath, field } from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { rowOf } from '../room-list.ts'

test('a part that is not there is tried again; if it stays away, that is said, the form stays, and it opens later', async ({
  openAs,
  browserErrors,
}) => {
  browserErrors.expect(/ERR_FAILED|dynamically imported/)
  const page = await openAs('CLOUD_ADMINISTRATOR', createPath)
  const typed = field(page, 'Project room name')
  await typed.fill('typed')
  let tries = 0
  await page.route('**/assets/CustomerPanel-*.js', (route) => {
    tries += 1
    return tries === 1 ? route.abort() : route.continue()
  })
  const panel = page.getByRole('dialog', { name: 'Customer management' })
  await page.getByRole('button', { name: 'Customer management' }).click()
  await expect(panel).toBeVisible()
  expect(tries).toBe(2)
  await page.keyboard.press('Escape')

  for (const part of ['HeaderMenus', 'CommandPalette'])
    await page.route(`**/assets/${part}-*.js`, (route) => route.abort())
  await page.getByRole('button', { name: /^Profile of / }).click()
  await page.getByRole('button', { name: 'Command palette' }).click()
  const failed = page.getByRole('alert').filter({ hasText: 'reload the page after saving' })
  await expect(failed.first()).toBeVisible({ timeout: 20_000 })
  await expect(typed).toHaveValue('typed')
  await page.unrouteAll()
  await expect(async () => {
    await page.getByRole('button', { name: /^Profile of / }).click()
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(typed).toHaveValue('typed')
})

test('a new version is told once only newer servers answer; to reload asks before unsaved entries go', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'room' }])
  let newer = 0
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'room')).toBeVisible()
  const reload = page.getByRole('button', { name: 'A new version is here: reload' })
  await page.route('**/api/operator/get_tenants*', async (route) => {
    const answer = await route.fetch()
    newer += 1
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-console-build': 'index-AbCdEfGh' } })
  })
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(reload).toBeVisible({ timeout: 1000 })
  }).toPass()
  expect(newer).toBeGreaterThanOrEqual(3)
  await expectAccessible(page, 'a new version is there')

  await page.getByRole('link', { name: 'New project room' }).click()
  const typed = field(page, 'Project room name')
  await typed.fill('typed')
  page.once('dialog', (question) => void question.dismiss())
  await reload.click()
  await expect(typed).toHaveValue('typed')
  page.once('dialog', (question) => void question.accept())
  await reload.click()
  await expect(typed).toHaveValue('')
  await expect(reload).toBeHidden()
})

test('shortcuts of a single key can be switched off', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'room' }])
  const page = await openAs('CLOUD_SUPPORT')
  await expect(rowOf(page, 'room')).toBeVisible()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByRole('checkbox', { name: 'Shortcuts of a single key' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox').first()).not.toBeFocused()
  await page.evaluate(() => localStorage.removeItem('roomkeeper.single-keys'))
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox').first()).toBeFocused()
})
