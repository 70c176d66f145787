/** The command palette: everything by keyboard, and for every role exactly what it may do. */
import type { Page, Route } from '@playwright/test'
import { roles } from '@roomkeeper/contract'
import { expect, test } from '../fixtures.ts'
import { insertRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { listHeading } from '../room-list.ts'

async function openPalette(page: Page) {
  await expect(page.getByRole('button', { name: 'Command palette' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  return {
    palette,
    options: palette.getByRole('option'),
    type: (text: string) => palette.getByRole('combobox').fill(text),
    /** Selects an option with the arrow keys and runs it with Enter. */
    async choose(name: string | RegExp) {
      const option = palette.getByRole('option', { name, exact: true })
      await expect(option).toBeVisible()
      while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    },
  }
}

test('a room is found on the server while typing, opened, and comes first the next time', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'acme' }, { name: 'other', email: 'boss@acme.example' }, { name: 'third' }])
  const page = await openAs('CLOUD_OPERATOR')
  await expect(listHeading(page)).toBeVisible()
  const first = await openPalette(page)
  await first.type('acme')
  const rooms = first.palette.getByRole('group', { name: 'Project rooms', exact: true }).getByRole('option')
  await expect(rooms).toHaveCount(2)
  await expect(first.palette.getByRole('option', { name: 'Suspend: acme' })).toBeVisible()
  await first.choose(/^other/)
  await expect(page).toHaveURL('/project/edit_project_room/other')

  await page.keyboard.press('Control+k')
  const recent = page.getByRole('group', { name: 'Recent' })
  await expect(recent.getByRole('option')).toHaveText([/^other/])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a verb and a name open the question for that room, and what cannot be done says why', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'acme' }, { name: 'acmetwo', state: 'SUSPENDED' }])
  const page = await openAs('CLOUD_SALES')
  const { palette, options, type, choose } = await openPalette(page)
  await type('susp')
  await choose('Project room: Suspend …')
  await expect(palette.getByRole('combobox')).toHaveValue('Suspend ')
  await palette.getByRole('combobox').pressSequentially('acme')
  await expect(palette.getByRole('option', { name: 'Suspend: acmetwo This project room is suspended.' })).toBeDisabled()
  await choose('Suspend: acme')
  const question = page.getByRole('dialog').filter({ hasText: 'acme' })
  await expect(question.getByRole('checkbox', { name: 'Notify stakeholders via email' })).toBeChecked()
  await question.getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(options).toHaveCount(0)
})

test('the header’s button opens it too, and it says when nothing is found', async ({ openAs }) => {
  const page = await openAs('CLOUD_SUPPORT')
  await page.getByRole('button', { name: 'Command palette' }).click()
  await page.getByRole('combobox', { name: /^Search for/ }).fill('nothing like that')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  // Screens are found by other words, too.
  for (const [word, name] of Object.entries({ today: 'Overview', help: 'Keyboard shortcuts', billing: 'Statistics' })) {
    await page.getByRole('combobox', { name: /^Search for/ }).fill(word)
    await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText(name)
  }
  // It opens again while it still fades out, and one key closes it.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Search for/ })).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Command palette' })).toBeFocused()
})

test('Escape closes what has not loaded yet', async ({ openAs }) => {
  const page = await openAs('CLOUD_SUPPORT')
  await expect(listHeading(page)).toBeVisible()
  const script = await hold(page, '**/assets/CommandPalette-*.js')
  await page.keyboard.press('Control+k')
  await expect.poll(script.count).toBe(1)
  await page.keyboard.press('Escape')
  await script.release()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^Search for/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** Holds the answers to requests until `release`. */
async function hold(page: Page, url: string) {
  const held: Route[] = []
  let isHeld = true
  await page.route(url, (route) => (isHeld ? void held.push(route) : route.continue()))
  return {
    count: () => held.length,
    release: async () => {
      isHeld = false
      await Promise.all(held.map((route) => route.continue()))
    },
  }
}

test('Enter acts on what is typed: it waits for the rooms that are found by it', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'acme' }, { name: 'acmetwo' }])
  const page = await openAs('CLOUD_OPERATOR')
  await expect(listHeading(page)).toBeVisible()
  const { palette, type } = await openPalette(page)
  await type('acme')
  await expect(palette.getByRole('option', { name: /^acmetwo/ })).toBeVisible()
  const answers = await hold(page, '**/get_tenants?**')
  await page.keyboard.press('t')
  await page.keyboard.press('Enter')
  await expect.poll(answers.count).toBe(1)
  await expect(palette).toBeVisible()
  await answers.release()
  await expect(page).toHaveURL('/project/edit_project_room/acmetwo')

  // Typing on takes the Enter back.
  await expect(palette).toBeHidden()
  await openPalette(page)
  const later = await hold(page, '**/get_tenants?**')
  await type('acm')
  await page.keyboard.press('Enter')
  await page.keyboard.press('x')
  await later.release()
  await expect(palette.getByText('Nothing found.')).toBeVisible()
})

test('what is typed before the palette has loaded is in it, and Enter counts', async ({
  openAs,
  network,
  browserErrors,
}) => {
  browserErrors.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'acme' }, { name: 'acmetwo' }])
  const page = await openAs('CLOUD_OPERATOR')
  await expect(listHeading(page)).toBeVisible()
  const script = await hold(page, '**/assets/CommandPalette-*.js')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('acmetx')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect.poll(script.count).toBe(1)
  await script.release()
  await expect(page).toHaveURL('/project/edit_project_room/acmetwo')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('rooms within the filters of the list come first, and tabs of Manage Cloud are one step away', async ({
  openAs,
  network,
}) => {
  await insertRooms(network, [{ name: 'acmeone' }, { name: 'acmetwo', state: 'SUSPENDED' }, { name: 'other' }])
  const page = await openAs('CLOUD_ADMINISTRATOR', '/project/administration?status=SUSPENDED')
  const { options, type } = await openPalette(page)
  await type('acme')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const group = (name: string) => palette.getByRole('group', { name, exact: true }).getByRole('option')
  await expect(group('Project rooms within the filters')).toHaveText([/^acmetwo/])
  await expect(group('Project rooms')).toHaveText([/^acmeone/])
  await expect(options.first()).toHaveText(/^acmetwo/)
  await type('monitoring')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Manage Cloud' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('cloud')).toBe('monitoring')
})

const panels = [
  'Failed project rooms',
  'Customer management',
  'Running operations',
  'Keyboard shortcuts',
  'API reference',
]
const everybody = [
  'Activity',
  'Log out',
  'Overview',
  'Project Rooms',
  'Customers',
  'Statistics',
  'Bulks',
  'Change password',
  'API tokens',
  ...panels,
]
const starter = (verb: string) => `Project room: ${verb} …`
const seller = ['Create project room', 'Import project room', ...['Suspend', 'Resume', 'Duplicate'].map(starter)]
const verbs = ['Back up', 'Restore', 'Databases', 'Move', 'Backups', 'Write to contacts', 'Delete'].map(starter)
const readers = ['Activity', 'Open project room', 'Copy name', 'Copy link']
const cloud = [
  'Configuration',
  'Manage Cloud: Regions',
  'Manage Cloud: Live migration',
  'Manage Cloud: Backups',
  'Manage Cloud: Monitoring',
]
const administrator = [
  'Set notification',
  'Maintenance mode',
  'Audit trail',
  'Consistency',
  'Deleted project rooms',
  'Webhooks',
  ...cloud,
  ...verbs,
]
const roomActions = {
  all: readers.map((verb) => `${verb}: acme`),
  edit: ['Resume: acme', 'Duplicate: acme'],
  admin: [
    'Back up: acme',
    'Restore: acme',
    'Databases: acme',
    'Move: acme',
    'Backups: acme',
    'Write to contacts: acme',
    'Delete: acme',
  ],
}

for (const role of roles) {
  const isSeller = role !== 'CLOUD_SUPPORT'
  const isAdmin = role === 'CLOUD_OPERATOR' || role === 'CLOUD_ADMINISTRATOR'

  test(`${role} is offered what the role may do, and nothing else`, async ({ openAs, network }) => {
    await insertRooms(network, [{ name: 'acme', state: 'SUSPENDED' }])
    const page = await openAs(role)
    const { options, type } = await openPalette(page)
    await expect(options.first()).toBeVisible()
    const offered = [...readers.map(starter), ...everybody]
    if (isSeller) offered.push(...seller)
    if (isAdmin) offered.push(...administrator)
    if (role === 'CLOUD_ADMINISTRATOR') offered.push('Operator accounts')
    expect((await options.allTextContents()).sort()).toEqual(offered.sort())

    await type('acme')
    await expect(options.first()).toHaveText(/^acmeExample, Inc. · region-1/)
    const actions = [...roomActions.all]
    if (isSeller) actions.push(...roomActions.edit)
    if (isAdmin) actions.push(...roomActions.admin)
    expect((await options.allTextContents()).slice(1).sort()).toEqual(actions.sort())
  })
}
