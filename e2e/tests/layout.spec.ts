/** Every page fits: no sideways scrolling, and the actions column is always in view. */
import type { Page } from '@playwright/test'
import { chooseProduct, createPath, field, select } from '../create-form.ts'
import { createSuspendedRoom, editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, numberedRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { rowOf } from '../room-list.ts'

const widths = [800, 1280, 1600]
const longEmail = 'a.very.long.address.of.somebody.who.needs.it@a-long-domain-name.example.com'

test('the list fits, and its actions can be reached, at every width', async ({ openAs, network }) => {
  const long = { name: 'abcdefghijklmnopqrstuvwx', edition: 'advanced-base-extension', email: longEmail } as const
  await insertRooms(network, [{ ...long, lastName: 'Of-A-Family-With-A-Very-Long-Name' }, ...numberedRooms('room', 30)])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/administration?dir=asc')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    await expectNoSidewaysScrolling(page)
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

test('the forms and the page of a room fit at every width', async ({ openAs, network, troubles }) => {
  troubles.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'room', email: longEmail, edition: 'advanced' }])
  const page = await openAs('CLOUD_ADMINISTRATOR', createPath)
  await field(page, 'Owner e-mail').fill(longEmail)
  await select(page, 'Edition', 'Advanced')
  await atEveryWidth(page, () => expectNoSidewaysScrolling(page))
  await chooseProduct(page, 'ENTERPRISE')
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    await expect(page.getByRole('button', { name: 'Create project room' })).toBeInViewport({ ratio: 1 })
  })
  await field(page, 'Owner e-mail').fill('')
  await page.goto('/project/edit_project_room/room')
  await expect(page.getByRole('heading', { name: 'Project room room' })).toBeVisible()
  await atEveryWidth(page, () => expectNoSidewaysScrolling(page))
})

test('every tab of the edit screen fits at every width, and its buttons can be reached', async ({
  openAs,
  network,
}) => {
  const name = await createSuspendedRoom(network)
  await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
  await network.settle()
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath(name))
  for (const tab of ['Settings', 'Databases', 'Backups', 'History']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
    await atEveryWidth(page, async () => {
      await expectNoSidewaysScrolling(page)
      await expect(page.getByRole('button', { name: 'Restore', exact: true })).toBeInViewport({ ratio: 1 })
    })
  }
})

test('restore and import fit at every width', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'abcdefghijklmnopqrstuvwx', state: 'SUSPENDED' }])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/restore_project_room/abcdefghijklmnopqrstuvwx')
  const objectStore = page.getByRole('button', { name: 'Restore direct to object store' })
  await objectStore.click()
  await expect(page.getByRole('button', { name: 'Check backup' })).toBeVisible()
  await atEveryWidth(page, () => expectNoSidewaysScrolling(page))
  await page.goto('/project/import_project_room')
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    await expect(page.getByRole('button', { name: 'Next' })).toBeInViewport({ ratio: 1 })
  })
})

test('statistics, maintenance mode, notifications and the header fit at every width', async ({ openAs, network }) => {
  await insertRooms(network, [{ name: 'room', email: longEmail }])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/statistics')
  await expect(page.getByRole('img', { name: /^Project rooms by product/ })).toBeVisible()
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    for (const name of ['Reset filter', 'Configuration', 'Maintenance mode', 'Command palette', /^Profile of /])
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  })
  await page.goto('/project/maintenance_mode')
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    await expect(page.getByRole('button', { name: 'Save configuration' })).toBeInViewport({ ratio: 1 })
  })
  await page.goto('/project/set_notification')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await atEveryWidth(page, () => expectNoSidewaysScrolling(page))
})

test('API tokens, webhooks and their deliveries fit at every width', async ({ openAs, network }) => {
  const admin = await network.as('CLOUD_ADMINISTRATOR')
  const name = 'A name as long as a name of a token or a webhook can become'
  const networks = ['2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff', '192.0.2.0/24']
  await admin.call('createToken', { body: { name, role: 'CLOUD_SUPPORT', networks } })
  const url = `https://hooks.example/${'long'.repeat(100)}`
  const { body: webhook } = await admin.call('createWebhook', {
    body: { name, url, events: ['room.created', 'operation.failed'], isOn: true },
  })
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/tokens')
  for (const [path, action] of [
    ['/project/tokens', `Revoke ${name}`],
    ['/project/webhooks', `Delete ${name}`],
  ] as const) {
    await page.goto(path)
    await atEveryWidth(page, async () => {
      await expectNoSidewaysScrolling(page)
      await expect(page.getByRole('button', { name: action })).toBeInViewport({ ratio: 1 })
    })
  }
  await page.goto(`/project/webhooks/${webhook.id}`)
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    await expect(page.getByRole('button', { name: 'Send a test' })).toBeInViewport({ ratio: 1 })
  })
})

// shows: login-card
test('the sign-in is on a card in the middle', async ({ page }) => {
  await page.goto('/project/operator')
  await atEveryWidth(page, async () => {
    await expectNoSidewaysScrolling(page)
    const card = await page.getByRole('form', { name: 'Operator login' }).boundingBox()
    const [width, height] = [page.viewportSize()?.width ?? 0, page.viewportSize()?.height ?? 0]
    const logo = await page
      .getByRole('form')
      .locator('svg rect')
      .first()
      .evaluate((rect) => rect.ownerDocument.defaultView.getComputedStyle(rect).fill)
    expect(logo, 'the logo has its colour').not.toBe('rgb(0, 0, 0)')
    expect(Math.abs((card?.x ?? 0) + (card?.width ?? 0) / 2 - width / 2)).toBeLessThan(2)
    expect(Math.abs((card?.y ?? 0) + (card?.height ?? 0) / 2 - height / 2)).toBeLessThan(60)
  })
})

async function atEveryWidth(page: Page, check: () => Promise<void>): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await check()
  }
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = () => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
  await expect.poll(excess, `${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0)
}

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
