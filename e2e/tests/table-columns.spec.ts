/**
 * How wide the columns of a table are: chosen by the operator, remembered by the browser. What is cut shows itself in a
 * tooltip.
 */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms } from '../insert-rooms.ts'
import { listPath, rowOf, storedText } from '../room-list.ts'

const longName = 'wwwwwwwwwwwwwwwwwwwwwwww'

function headOf(page: Page, name: string) {
  return page.getByRole('columnheader', { name, exact: true })
}

async function widthOf(page: Page, column: string): Promise<number> {
  return (await headOf(page, column).boundingBox())?.width ?? 0
}

async function openColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Edition' })).toBeVisible()
}

test('a column is widened at its edge and by keys, only what comes after it gives way, and it stays so', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, numberedRooms('room', 2))
  const page = await openAs('CLOUD_SUPPORT')
  await expect(headOf(page, 'Edition')).toBeVisible()
  const [edition, before] = [await widthOf(page, 'Edition'), (await headOf(page, 'Edition').boundingBox())?.x]
  const box = await headOf(page, 'Edition').boundingBox()
  if (box === null) throw new Error('Edition is not drawn')
  await page.mouse.move(box.x + box.width, box.y + box.height / 2)
  // A click without dragging changes nothing.
  await page.mouse.down()
  await page.mouse.up()
  expect(await storedText(page)).not.toContain('roomkeeper.columns')
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 40, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => widthOf(page, 'Edition')).toBeCloseTo(edition + 40, -1)
  expect((await headOf(page, 'Edition').boundingBox())?.x).toBeCloseTo(before ?? 0, 0)
  await expect(headOf(page, 'Name')).toHaveAttribute('aria-sort', 'descending')

  await openColumns(page)
  await page.getByRole('menuitemcheckbox', { name: 'Edition' }).press('ArrowRight')
  await expect.poll(() => widthOf(page, 'Edition')).toBeCloseTo(edition + 56, -1)
  const wide = await widthOf(page, 'Edition')
  await page.reload()
  await expect.poll(() => widthOf(page, 'Edition')).toBeCloseTo(wide, 0)
})

test('the name of a room is never cut at 1280 px, however wide it is', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: longName, edition: 'advanced-base-extension' }, ...numberedRooms('room', 2)])
  const page = await openAs('CLOUD_SUPPORT')
  const name = page.getByRole('rowheader', { name: longName, exact: true })
  await expect(name).toBeVisible()
  const excess = () => name.evaluate((cell) => cell.scrollWidth - cell.clientWidth)
  await expect.poll(excess).toBe(0)
  const index = await page.getByRole('table').evaluate(({ parentElement: frame }) => {
    return frame === null ? null : frame.scrollWidth - frame.clientWidth
  })
  expect(index, 'other columns gave way').toBe(0)
  await openColumns(page)
  const before = await widthOf(page, 'Edition')
  for (let step = 0; step < 3; step++) await page.getByRole('menuitemcheckbox', { name: 'Product' }).press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect.poll(() => widthOf(page, 'Edition')).toBeLessThanOrEqual(before)
  const head = await headOf(page, 'Name').boundingBox()
  if (head === null) throw new Error('Name is not drawn')
  await page.mouse.move(head.x + head.width, head.y + head.height / 2)
  await page.mouse.down()
  await page.mouse.move(head.x + 80, head.y + head.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(excess, 'the operator cannot make it too narrow').toBe(0)
})

test('the titles of all columns can be read at 1280 px beside long names, in German too', async ({
  openAs,
  network,
  page,
}) => {
  await insertRooms(network, [{ name: longName }, ...numberedRooms('room', 30)])
  await page.context().addCookies([{ name: 'language', value: 'de', url: network.server.address }])
  await openAs('CLOUD_ADMINISTRATOR')
  await expect(page.getByRole('columnheader')).toHaveCount(12)
  const cut = () =>
    page.getByRole('columnheader').evaluateAll((heads) =>
      heads.flatMap((head) => {
        const title = head.querySelector('[data-cut]')
        const isCut =
          title !== null && (title.scrollWidth > title.clientWidth || title.scrollHeight > title.clientHeight)
        return isCut ? [title.textContent] : []
      }),
    )
  await expect.poll(cut).toEqual([])
})

test('the company stands where there is room, what matters less gives way, and what was chosen stays', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'room', companyName: 'Krüger Stahl', expirationDate: '2031-01-09' }])
  const page = await openAs('CLOUD_SUPPORT')
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect(rowOf(page, 'room').getByRole('cell', { name: 'Krüger Stahl' })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveCount(13)
  await page.setViewportSize({ width: 768, height: 800 })
  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    ...['Name', 'Company', 'Region', 'Valid until', 'Status', 'Actions'],
  ])
  await expect(rowOf(page, 'room').getByText('Active', { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(rowOf(page, 'room').getByText('09.01.2031')).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  for (const name of ['Edition', 'SAP number', 'Licences']) {
    await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
    await expect(headOf(page, name)).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'room').getByRole('cell', { name: 'Designer 1', exact: true })).toBeVisible()
  await expect(headOf(page, 'Licences')).not.toHaveAttribute('aria-sort')
  await page.reload()
  await expect(page.getByRole('columnheader')).toHaveCount(10)
})

test('a text shows itself in a tooltip only when it is cut', async ({ newVisitor, network }) => {
  const email = 'a.very.long.address.of.somebody.who.needs.it@a-long-domain-name.example.com'
  await insertRooms(network, [{ name: 'room', email }])
  const page = await newVisitor('CLOUD_SUPPORT')
  await page.goto(listPath)
  const contact = rowOf(page, 'room').getByRole('cell', { name: "Øyvind O'Neil" })
  await expect(contact).toBeVisible()
  await page.clock.install()
  await contact.hover()
  await page.clock.runFor(2000)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await rowOf(page, 'room').getByRole('cell', { name: email }).hover()
  await page.clock.runFor(2000)
  await expect(page.getByRole('tooltip', { name: email })).toBeVisible()
})
