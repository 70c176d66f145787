/** The Manage Cloud dialog as a whole: who sees it, its tabs, the keyboard, and the settings for all regions. */
import type { Role } from '@roomkeeper/contract'
import { administrator, expect, test } from '../fixtures.ts'
import { buttonOf, cloudDialog, openCloud, openTab } from '../manage-cloud.ts'
import { closeToasts, toast } from '../toasts.ts'

const opener = { name: 'Configuration', exact: true } as const

for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const satisfies Role[]) {
  // shows: header-roles, cloud-others
  test(`${role} never sees the Manage Cloud dialog`, async ({ openAs }) => {
    const page = await openAs(role)
    await expect(page.getByRole('button', { name: 'Customer management' })).toBeVisible()
    await expect(page.getByRole('button', opener)).toHaveCount(0)
  })
}

// shows: cloud-dialog, dialog-width-80
test('both kinds of administrators see it: 80% wide, five tabs, a Close button', async ({ openAs }) => {
  for (const role of ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const) {
    const page = await openAs(role)
    await page.getByRole('button', opener).click()
    const dialog = cloudDialog(page)
    await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
      'Configuration',
      'Regions',
      'Live migration',
      'Backups',
      'Monitoring',
    ])
    expect((await dialog.boundingBox())?.width).toBe(0.8 * 1280)
    await buttonOf(dialog, 'Close').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', opener)).toBeFocused()
  }
})

test('its tabs have addresses: they survive a reload, Back closes the dialog, and the list below keeps its own', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_OPERATOR', '/project/administration?sort=edition&hideFailed=true')
  const search = () => new URL(page.url()).search
  const dialog = await openCloud(page, 'Regions')
  await expect.poll(search).toBe('?sort=edition&hideFailed=true&cloud=regions')
  await page.reload()
  await expect(buttonOf(dialog, 'Regions')).toHaveAttribute('aria-expanded', 'true')
  await expect(buttonOf(dialog, 'Regions')).toBeFocused()
  await openTab(dialog, 'Configuration')
  await expect.poll(search).toContain('cloud=configuration')
  await dialog.getByLabel('Video identifier').fill('unsaved')
  await page.goBack()
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await buttonOf(question, 'Keep editing').click()
  await expect(dialog.getByLabel('Video identifier')).toHaveValue('unsaved')
  expect(search()).toContain('cloud=configuration')
  await page.goBack()
  await buttonOf(question, 'Discard changes').click()
  await expect(dialog).toBeHidden()
  expect(search()).toBe('?sort=edition&hideFailed=true')
  await page.goForward()
  await expect(buttonOf(dialog, 'Configuration')).toHaveAttribute('aria-expanded', 'true')
  // A form above it is asked about, too.
  await openTab(dialog, 'Regions')
  await buttonOf(dialog, 'New').click()
  const form = page.getByRole('dialog', { name: 'New region' })
  await form.getByLabel('Region name').fill('unsaved')
  await page.goBack()
  await buttonOf(question, 'Discard changes').click()
  await expect(form).toBeHidden()
  await expect(dialog).toBeHidden()
  await page.goForward()
  await buttonOf(dialog, 'Close').click()
  await expect(dialog).toBeHidden()
  await expect.poll(search).toBe('?sort=edition&hideFailed=true')
})

test('a link to a tab works on any page and after signing in, and only for those who may see it', async ({
  openAs,
  page,
}) => {
  await page.goto('/project/audit?cloud=monitoring')
  await page.getByLabel('Email').fill(administrator.email)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(buttonOf(cloudDialog(page), 'Monitoring')).toHaveAttribute('aria-expanded', 'true')
  await expect(page).toHaveURL('/project/audit?cloud=monitoring')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/project/audit')
  await expect(page.locator('#content')).toBeFocused()

  await openAs('CLOUD_SALES', '/project/administration?cloud=regions&dir=asc')
  await expect(page).toHaveURL('/project/administration?dir=asc')
  await expect(cloudDialog(page)).toHaveCount(0)
})

test('each tab leads to the same part as a page of its own, which is marked and asks before entries are lost', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  const row = page.getByRole('navigation', { name: 'Screens' })
  const main = page.getByRole('main')
  for (const [tab, path, place, button] of [
    ['Regions', '/project/regions', 'Regions', 'Disable'],
    ['Live migration', '/project/migrations', 'Migrations', 'Export config'],
    ['Backups', '/project/backups', 'Backups', 'Switch off'],
    ['Monitoring', '/project/monitoring', 'Monitoring', 'Refresh'],
    ['Configuration', '/project/configuration', 'Settings', 'Save'],
  ] as const) {
    const dialog = await openCloud(page, tab)
    await dialog.getByRole('link', { name: 'Open as a page' }).click()
    await expect(page).toHaveURL(path)
    await expect(dialog).toHaveCount(0)
    await expect(main.getByRole('heading', { level: 1, name: tab })).toBeVisible()
    await expect(buttonOf(main, button)).toBeVisible()
    await expect(row.locator('[aria-current]')).toHaveText(place)
  }
  await page.getByLabel('Video identifier').fill('unsaved')
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await row.getByRole('link', { name: 'Regions' }).click()
  await buttonOf(question, 'Keep editing').click()
  await expect(page.getByLabel('Video identifier')).toHaveValue('unsaved')
  await row.getByRole('link', { name: 'Regions' }).click()
  await buttonOf(question, 'Discard changes').click()
  await expect(page).toHaveURL('/project/regions')
})

// shows: cloud-load
test('opening it loads regions and live migrations, whichever tab is shown', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const loaded = ['/api/operator/regions', '/api/operator/livemigration'].map((path) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === path && response.ok()),
  )
  await page.getByRole('button', opener).click()
  await Promise.all(loaded)
})

test('content that arrives while the button is down moves no tab, and the click on one counts', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/operator/configuration', async (route) => {
    await released
    await route.continue()
  })
  // The content is then higher than its placeholder, as may happen in a narrow window.
  await page.addStyleTag({ content: '.mantine-Skeleton-root { height: 20px !important }' })
  await page.getByRole('button', opener).click()
  const dialog = cloudDialog(page)
  const control = buttonOf(dialog, 'Regions')
  await control.hover()
  const before = await control.boundingBox()
  await page.mouse.down()
  letGo()
  await expect(dialog.getByLabel('Video identifier')).toBeVisible()
  expect((await control.boundingBox())?.y, 'where the control was').toBe(before?.y)
  await page.mouse.up()
  await expect(control).toHaveAttribute('aria-expanded', 'true')
})

test('closed before the texts of its tabs have come, it leaves nothing behind', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const words = /\/assets\/(migrations|monitoring)-.*\.js$/
  let letGo = () => {}
  const released = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(words, async (route) => {
    await released
    await route.continue()
  })
  const asked = page.waitForRequest(words)
  await page.getByRole('button', opener).click()
  await asked
  const dialog = cloudDialog(page)
  await buttonOf(dialog, 'Close').click()
  await expect(dialog).toHaveCount(0)
  const come = page.waitForResponse(words)
  letGo()
  await come
  await openCloud(page, 'Monitoring')
  await expect(dialog.getByRole('heading', { name: 'No background processes yet' })).toBeVisible()
})

test('Escape closes only the topmost dialog, and the focus goes back step by step', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByRole('checkbox', { name: 'Select region-1' }).check()
  await buttonOf(dialog, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Edit region region-1' })
  await expect(form.getByLabel('Region name')).toBeFocused()
  await form.getByLabel('Region name').fill('other')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await expect(buttonOf(question, 'Keep editing')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(form.getByLabel('Region name')).toHaveValue('other')
  await page.keyboard.press('Escape')
  await buttonOf(question, 'Discard changes').click()
  await expect(form).toBeHidden()
  await expect(buttonOf(dialog, 'Edit')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', opener)).toBeFocused()
})

test('what was typed is asked about, however soon Escape follows', async ({ openAs }) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Regions')
  await dialog.getByRole('checkbox', { name: 'Select region-1' }).check()
  await buttonOf(dialog, 'Edit').click()
  const form = page.getByRole('dialog', { name: 'Edit region region-1' })
  const name = form.getByLabel('Region name')
  await expect(name).toBeFocused()
  // Both happen in one task, so that nothing is drawn in between.
  await page.evaluate(`(async () => {
    const field = document.activeElement
    field.select()
    document.execCommand('insertText', false, 'other')
    await Promise.resolve()
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true }))
  })()`)
  await expect(buttonOf(page.getByRole('dialog', { name: 'Unsaved changes' }), 'Keep editing')).toBeVisible()
  await expect(name).toHaveValue('other')
})

// shows: cloud-logout
test('it closes itself when the operator logs out, here or in another tab', async ({ openAs, context }) => {
  const page = await openAs('CLOUD_OPERATOR')
  await openCloud(page, 'Monitoring')
  const other = await context.newPage()
  await other.goto('/project/administration')
  await other.getByRole('button', { name: /^Profile of/ }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/project/operator')
  await expect(cloudDialog(page)).toHaveCount(0)
  await other.close()
})

// shows: cloud-video
test('the video identifier is trimmed, saved and shown again; what is not saved is asked about', async ({
  openAs,
  network,
}) => {
  const page = await openAs('CLOUD_OPERATOR')
  const dialog = await openCloud(page, 'Configuration')
  const field = dialog.getByLabel('Video identifier')
  await expect(field).toHaveValue('')
  await field.fill('not/possible')
  await expect(field).toHaveAccessibleDescription(/letters, digits, hyphens and underscores/)
  await expect(buttonOf(dialog, 'Save')).toBeDisabled()
  await field.fill('  dQw4w9WgXcQ ')
  // The entered text stays while another tab is open.
  await openTab(dialog, 'Regions')
  await openTab(dialog, 'Configuration')
  await expect(field).toHaveValue('  dQw4w9WgXcQ ')
  await buttonOf(dialog, 'Close').click()
  await buttonOf(page.getByRole('dialog', { name: 'Unsaved changes' }), 'Keep editing').click()
  await buttonOf(dialog, 'Save').click()
  await expect(toast(page, 'Configuration', 'Save configuration settings was Successful')).toBeVisible()
  await expect(field).toHaveValue('dQw4w9WgXcQ')
  expect((await network.admin.call('configuration', {})).body).toEqual({ youtubeIdentifier: 'dQw4w9WgXcQ' })
  await closeToasts(page)
  await field.fill('')
  await buttonOf(dialog, 'Save').click()
  await expect(toast(page, 'Configuration', 'Save configuration settings was Successful')).toBeVisible()
  await buttonOf(dialog, 'Close').click()
  await expect(dialog).toBeHidden()
})

test('a failure to save or to load the settings stays in the dialog', async ({ openAs, browserErrors }) => {
  browserErrors.expect(/\/api\/operator\/configuration 503$/)
  const page = await openAs('CLOUD_OPERATOR')
  let fails = true
  await page.route('**/api/operator/configuration', (route) =>
    fails ? route.fulfill({ status: 503 }) : route.continue(),
  )
  const dialog = await openCloud(page, 'Configuration')
  await expect(dialog.getByRole('alert')).toContainText('The configuration settings could not be loaded')
  fails = false
  await buttonOf(dialog, 'Try again').click()
  await dialog.getByLabel('Video identifier').fill('abc')
  fails = true
  await buttonOf(dialog, 'Save').click()
  await expect(dialog.getByRole('alert')).toContainText('Saving of configuration settings is failed')
})
