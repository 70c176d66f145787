/** The keyboard shortcuts of the list. */
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { listPath, rowOf, searchBox } from '../room-list.ts'

interface KeyPress {
  key: string
  defaultPrevented: boolean
}

test('the list is used by keys alone: search, rows, open, pages, help', async ({ openAs, network, troubles }) => {
  troubles.expect(regionKnowsNothing)
  await insertRooms(network, numberedRooms('room', 25))
  const page = await openAs('CLOUD_SALES')
  const press = (key: string) => page.keyboard.press(key)
  await expect(rowOf(page, 'room25')).toBeVisible()

  await press('j')
  await expect(rowOf(page, 'room25')).toBeFocused()
  await press('j')
  await expect(rowOf(page, 'room24')).toBeFocused()
  await press('k')
  await expect(rowOf(page, 'room25')).toBeFocused()
  await press('l')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await press('h')
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await expect(rowOf(page, 'room25')).toBeVisible()

  await press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help.getByText('Next and previous row')).toBeVisible()
  // The list behind the dialog does not react meanwhile.
  await press('l')
  await press('Escape')
  await expect(help).toBeHidden()
  await expect(page.getByText('Page 1 of 2')).toBeVisible()

  await expect(rowOf(page, 'room25')).toBeFocused()
  await press('j')
  await press('Enter')
  await expect(page).toHaveURL('/project/edit_project_room/room24')
})

test('none of the keys does anything but its letter while typing', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 25))
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'room25')).toBeVisible()
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await expect(searchBox(page)).toHaveValue('')
  await page.keyboard.type('jkhl?/')
  await expect(searchBox(page)).toHaveValue('jkhl?/')
  await expect(searchBox(page)).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname === listPath && url.searchParams.get('q') === 'jkhl?/')
})

test('keys with Ctrl are left to the browser', async ({ openAs, network }) => {
  await insertRooms(network, numberedRooms('room', 25))
  const page = await openAs('CLOUD_SALES')
  await expect(rowOf(page, 'room25')).toBeVisible()
  // This listener runs after those of the page.
  await page.locator('html').evaluate((html) => {
    html.ownerDocument.defaultView.addEventListener('keydown', (event: KeyPress) => {
      if (event.key === 'j') html.dataset.prevented = String(event.defaultPrevented)
    })
  })
  await page.keyboard.press('Control+j')
  await expect(page.locator('html')).toHaveAttribute('data-prevented', 'false')
  await expect(rowOf(page, 'room25')).not.toBeFocused()
})
