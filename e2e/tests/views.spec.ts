/** Views of the list: what they keep, whose they are, and the address that goes with them. */
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { toast } from '../toasts.ts'

// shows: view-kept
test('a view keeps search, filters, order and columns; it is shared, chosen by a colleague, changed and deleted', async ({
  openAs,
  network,
  newVisitor,
}) => {
  await insertRooms(network, [{ name: 'some' }])
  const page = await openAs('CLOUD_OPERATOR', '/project/administration?status=DEFAULT&sort=state')
  const views = page
    .getByRole('search')
    .getByRole('button')
    .filter({ hasText: /^(Views|Running ones)/ })
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Edition' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: 'Edition' })).toHaveCount(0)

  // The menu works by keyboard.
  await views.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Save as view …' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Save as view' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Running ones')
  await dialog.getByLabel('Share with all operators').check()
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'View saved', 'Running ones')).toBeVisible()
  await expect(views).toHaveText('Running ones')
  const address = page.url()
  expect(address).toContain('view=')

  // Changes are shown, and saved only on request; one step leads back to all rooms.
  await page.getByLabel('Hide failed').check()
  await expect(views).toHaveText('Running ones (changed)')
  await views.click()
  await page.getByRole('menuitem', { name: 'Save changes to “Running ones”' }).click()
  await expect(views).toHaveText('Running ones')
  await views.click()
  await page.getByRole('menuitem', { name: 'All project rooms' }).click()
  await expect(page.getByRole('columnheader', { name: 'Edition' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')

  // A colleague finds it in the palette and takes over its columns.
  const colleague = await newVisitor('CLOUD_SUPPORT')
  await colleague.goto('/project/administration')
  await colleague.getByRole('button', { name: 'Command palette' }).click()
  await colleague.getByRole('dialog').getByRole('combobox').fill('view running')
  await colleague.getByRole('option', { name: 'View: Running ones' }).click()
  await expect(colleague.getByLabel('Hide failed')).toBeChecked()
  await expect(colleague.getByRole('columnheader', { name: 'Edition' })).toHaveCount(0)
  const theirs = colleague.getByRole('search').getByRole('button', { name: 'Running ones' })
  await theirs.click()
  await expect(colleague.getByRole('menuitem', { name: /^Rename|^Delete/ })).toHaveCount(0)

  await page.goto(address)
  await views.click()
  await page.getByRole('menuitem', { name: 'Delete “Running ones” …' }).click()
  await page.getByRole('dialog', { name: 'Delete view' }).getByRole('button', { name: 'Delete view' }).click()
  await expect(views).toHaveText('Views')
  expect((await network.admin.call('views', {})).body).toEqual([])
})
