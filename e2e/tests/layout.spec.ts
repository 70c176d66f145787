/** Where things are on the list and the sign-in, at every width. That other screens fit: see screens.spec.ts. */
import { expectNoSidewaysScrolling } from '../check-screen.ts'
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
