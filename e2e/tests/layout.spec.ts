/** Where things are on the list and the sign-in, at every width. That other screens fit: see screens.spec.ts. */
import type { Page } from '@playwright/test'
import { expectNoSidewaysScrolling } from '../check-screen.ts'
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { rowOf } from '../room-list.ts'
import { longEmail } from '../walk.ts'

const widths = [800, 1280, 1600]

test('the list fits, and its actions can be reached, at every width', async ({ openAs, network }) => {
  const long = { name: 'abcdefghijklmnopqrstuvwx', edition: 'advanced-base-extension', email: longEmail } as const
  await insertRooms(network, [{ ...long, lastName: 'Of-A-Family-With-A-Very-Long-Name' }, ...numberedRooms('room', 30)])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/administration?dir=asc')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    await expectNoSidewaysScrolling(page, `${width} px`)
    for (const name of [long.name, 'room18']) {
      await page.getByRole('rowheader', { name, exact: true }).scrollIntoViewIfNeeded()
      await expect(page.getByRole('columnheader', { name: 'Actions' })).toBeInViewport({ ratio: 1 })
      const remove = rowOf(page, name).getByRole('button', { name: `Delete ${name}` })
      await expect(remove).toBeInViewport({ ratio: 1 })
      // Nothing covers it.
      await remove.click({ trial: true })
      await expect(rowOf(page, name).getByRole('button', { name: `Edit ${name}` })).toBeInViewport({ ratio: 1 })
    }
    for (const name of ['Refresh', 'Export', 'Customer management', /^Profile of /]) {
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
    }
    await expect(page.getByRole('button', { name: 'Next page' })).toBeInViewport({ ratio: 1 })
  }
})

// shows: login-card
test('the sign-in is on a card in the middle', async ({ page }) => {
  await page.goto('/project/operator')
  const height = 800
  for (const width of widths) {
    await page.setViewportSize({ width, height })
    await expectNoSidewaysScrolling(page, `${width} px`)
    const card = await page.getByRole('form', { name: 'Operator login' }).boundingBox()
    const logo = await page
      .getByRole('form')
      .locator('svg rect')
      .first()
      .evaluate((rect) => rect.ownerDocument.defaultView.getComputedStyle(rect).fill)
    expect(logo, 'the logo has its colour').not.toBe('rgb(0, 0, 0)')
    expect(Math.abs((card?.x ?? 0) + (card?.width ?? 0) / 2 - width / 2)).toBeLessThan(2)
    expect(Math.abs((card?.y ?? 0) + (card?.height ?? 0) / 2 - height / 2)).toBeLessThan(60)
  }
})

test('with reduced motion the other theme is there at once, in the innermost part too', async ({ openAs }) => {
  const page = await openAs('CLOUD_SUPPORT')
  await expect(page.getByRole('heading', { name: 'No project rooms yet' })).toBeVisible()
  const icon = page.locator('main button svg').first()
  const colours = await icon.evaluate((svg) => {
    const { documentElement: root, defaultView } = svg.ownerDocument
    const colour = () => defaultView.getComputedStyle(svg).color
    const before = colour()
    root.dataset.mantineColorScheme = 'dark'
    const after = colour()
    root.dataset.mantineColorScheme = 'light'
    return { before, after, back: colour() }
  })
  expect(colours.after).not.toBe(colours.before)
  expect(colours.back).toBe(colours.before)
})

test('list, room, statistics and audit are printed whole, without tools, and say which rows of how many', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  await network.database.rows('update rooms set customer_email = $1', [longEmail])
  await insertRooms(network, [{ name: 'aaa', email: longEmail }, ...numberedRooms('room', 58)])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/administration?size=40&sort=tenantName&dir=asc')
  await expect(page.getByRole('rowheader')).toHaveCount(40)
  expect(await printed(page, 'list')).toBeGreaterThan(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Rows 1 to 40 of 60', { exact: true })).toBeVisible()
  await expect(page.getByRole('cell', { name: longEmail }).first()).toBeVisible()
  // So that each sheet repeats it, which Chromium does not where there is a button in it.
  await expect(page.locator('thead')).toHaveCSS('display', 'table-header-group')
  await expect(page.locator('thead button').first()).toHaveCSS('display', 'contents')
  await expect(page.getByRole('button', { name: /^(Refresh|Export|Delete aaa|Profile of .*)$/ })).toHaveCount(0)
  await page.emulateMedia({ media: null })
  for (const [path, shown] of [
    [editPath(name), page.getByRole('textbox', { name: 'Company name' })],
    ['/project/statistics', page.getByRole('region', { name: 'Charts' }).getByRole('link').first()],
    ['/project/audit?size=40', page.getByRole('table', { name: 'Audit trail' })],
  ] as const) {
    await page.goto(path)
    await expect(shown).toBeVisible()
    await printed(page, path.split('?')[0]?.split('/').at(-1) ?? '')
  }
})

/** Expects that nothing is cut off on paper (A4, upright). @returns the number of sheets */
async function printed(page: Page, what: string): Promise<number> {
  const screen = page.viewportSize()
  await page.emulateMedia({ media: 'print' })
  // As wide as the sheet between its margins.
  await page.setViewportSize({ width: 703, height: 1032 })
  const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('main, main *')]
    .filter((each) => getComputedStyle(each).overflow !== 'visible' && each.clientHeight > 1)
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.outerHTML.slice(0, 200))`)
  expect(cut, `${what}, cut`).toEqual([])
  await expectNoSidewaysScrolling(page, `${what} on paper`)
  if (screen !== null) await page.setViewportSize(screen)
  await page.emulateMedia({ media: null })
  const pdf = await page.pdf({ format: 'A4' })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}
