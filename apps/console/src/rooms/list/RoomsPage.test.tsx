// @vitest-environment jsdom
/** The list of rooms: its keys, which columns it shows in which order, and rows that hold their places. */
import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listOf, roomOf } from '#testing/answers.ts'
import { address, openAs, reload, user } from '#testing/console.tsx'
import { ok, refused, reply, tell } from '#testing/server.ts'

const listPath = '/project/administration'

/** Opens the list of these rooms, which are ordered by name downwards, as a server does at first. */
async function openList(role: Role, names: readonly string[]): Promise<void> {
  answerWith(names.map((tenantName) => roomOf({ tenantName })))
  openAs(role, listPath)
  await screen.findAllByRole('rowheader')
}

/** From now on these are the rooms. */
function answerWith(rooms: readonly ProjectRoom[]): void {
  const sorted = rooms.toSorted((a, b) => (a.tenantName < b.tenantName ? 1 : -1))
  reply({
    listRooms: ({ query: { page, size, search } }) => {
      const found = sorted.filter(({ tenantName }) => tenantName.includes(search))
      return ok({ ...listOf(found.slice(page * size, (page + 1) * size), found.length) })
    },
    room: ({ query }) => {
      const found = rooms.find(({ tenantName }) => tenantName === query.projectRoom)
      return found === undefined ? refused('room-unknown', { room: query.projectRoom }) : ok(found)
    },
    roomLicences: () => ok([]),
  })
}

const numbered = Array.from({ length: 25 }, (_, index) => `room${String(index + 1).padStart(2, '0')}`)
const row = (name: string) => screen.getByRole('rowheader', { name }).closest('tr') as HTMLElement
const hasRow = (name: string) => screen.queryByRole('rowheader', { name }) !== null
const shown = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

test('the list is used by keys alone: search, rows, open, pages, help', async () => {
  await openList('CLOUD_SALES', numbered)
  await user.keyboard('j')
  expect(row('room25')).toHaveFocus()
  await user.keyboard('j')
  expect(row('room24')).toHaveFocus()
  await user.keyboard('k')
  expect(row('room25')).toHaveFocus()
  await user.keyboard('l')
  expect(await screen.findByText('Page 2 of 2')).toBeVisible()
  await user.keyboard('h')
  expect(await screen.findByText('Page 1 of 2')).toBeVisible()
  await waitFor(() => expect(hasRow('room25')).toBe(true))

  await user.keyboard('?')
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(within(help).getByText('Next and previous row')).toBeVisible()
  // The list behind the dialog does not react meanwhile.
  await user.keyboard('l')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('Page 1 of 2')).toBeVisible()

  await waitFor(() => expect(row('room25')).toHaveFocus())
  await user.keyboard('j')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/project/edit_project_room/room24'))
})

const noEvents = () => ok({ data: [], totalElements: 0, totalPages: 0 })
const sheet = (name: string) => screen.findByRole('complementary', { name: `${name} at a glance` })
const isClosed = () => expect(screen.queryByRole('complementary')).toBeNull()

// shows: room-sheet
test('Space shows a room beside the list, keys walk through the rows, Escape closes it, Enter opens the room', async () => {
  reply({ roomHistory: noEvents })
  await openList('CLOUD_SALES', numbered)
  await user.keyboard('j ')
  expect(within(await sheet('room25')).getByText('Active: its users can sign in.')).toBeVisible()
  expect(row('room25')).toHaveFocus()
  expect(row('room25')).toHaveAttribute('aria-current', 'true')
  await user.keyboard('j{ArrowDown}k')
  expect(row('room24')).toHaveFocus()
  const second = await sheet('room24')
  // From the sheet, the keys go on from its row.
  within(second).getByRole('link', { name: 'Open' }).focus()
  await user.keyboard('j')
  expect(row('room23')).toHaveFocus()
  await sheet('room23')
  await user.keyboard(' ')
  isClosed()
  await user.keyboard(' ')
  await sheet('room23')
  await user.keyboard('{Escape}')
  isClosed()
  await user.keyboard(' l')
  await waitFor(isClosed)
  await user.keyboard('j {Enter}')
  await waitFor(() => expect(address()).toMatch('/project/edit_project_room/room0'))
})

// shows: room-sheet
test('a click on a row shows its room; one on a checkbox, a link or an action, or that ends a selection, does not', async () => {
  reply({ roomHistory: noEvents, deletedRooms: () => ok({ data: [], totalElements: 0, totalPages: 0, keepDays: 30 }) })
  await openList('CLOUD_ADMINISTRATOR', ['a', 'b'])
  await user.click(within(row('a')).getByRole('checkbox'))
  await user.click(within(row('a')).getByRole('button', { name: 'Delete a' }))
  await user.keyboard('{Escape}')
  getSelection()?.selectAllChildren(row('a'))
  fireEvent.click(within(row('a')).getByText('Active'))
  isClosed()
  getSelection()?.removeAllRanges()
  await user.click(within(row('a')).getByText('Active'))
  const first = await sheet('a')
  await user.click(within(row('b')).getByText('Active'))
  await sheet('b')
  expect(first).toHaveAccessibleName('b at a glance')
  await user.click(within(first).getByRole('button', { name: 'Actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete …' }))
  const question = await screen.findByRole('dialog')
  expect(question).toHaveTextContent('Are you sure you want to delete this project room: b?')
  // Escape belongs to the question.
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await sheet('b')
  await user.click(within(first).getByRole('button', { name: 'Close' }))
  isClosed()
})

test('none of the keys does anything but its letter while typing', async () => {
  await openList('CLOUD_SALES', numbered)
  await user.keyboard('/')
  const search = screen.getByRole('searchbox', { name: 'Search' })
  expect(search).toHaveFocus()
  expect(search).toHaveValue('')
  await user.keyboard('jkhl?/')
  expect(search).toHaveValue('jkhl?/')
  expect(search).toHaveFocus()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(await screen.findByRole('heading', { name: 'No project room matches' })).toBeVisible()
  await waitFor(() => expect(new URLSearchParams(location.search).get('q')).toBe('jkhl?/'))
  expect(location.pathname).toBe(listPath)
})

test('keys with Ctrl are left to the browser', async () => {
  await openList('CLOUD_SALES', numbered)
  const press = createEvent.keyDown(document.body, { key: 'j', ctrlKey: true })
  fireEvent(document.body, press)
  expect(press.defaultPrevented).toBe(false)
  expect(row('room25')).not.toHaveFocus()
})

const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

async function openColumns(): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await screen.findByRole('menuitemcheckbox', { name: 'Edition' })
}

test('a column that was hidden stays hidden until the columns are reset', async () => {
  await openList('CLOUD_SUPPORT', ['room01', 'room02'])
  expect(titles()).toContain('Edition')
  const cells = () => within(row('room01')).getAllByRole('cell')
  expect(cells()).toHaveLength(11)
  await openColumns()
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Edition' }))
  expect(titles()).not.toContain('Edition')
  expect(cells()).toHaveLength(10)
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Name' })).toBeNull()

  reload()
  await screen.findAllByRole('rowheader')
  expect(titles()).not.toContain('Edition')
  await openColumns()
  await user.click(screen.getByRole('menuitem', { name: 'Reset columns' }))
  expect(titles()).toContain('Edition')
  reload()
  await screen.findAllByRole('rowheader')
  expect(titles()).toContain('Edition')
})

// shows: view-columns
test('a column changes places with its neighbour, stays there, and goes back when the columns are reset', async () => {
  await openList('CLOUD_SUPPORT', ['room01', 'room02'])
  // Without the checkboxes, which stay first.
  const first = () => titles().slice(1, 4)
  expect(titles().slice(1, 5)).toEqual(['Product', 'Name', 'Edition', 'Customer contact'])
  await openColumns()
  const moveLeft = () => screen.getByRole('menuitem', { name: 'Move Edition left' })
  await user.click(moveLeft())
  expect(first()).toEqual(['Product', 'Edition', 'Name'])
  await user.click(moveLeft())
  expect(first()).toEqual(['Edition', 'Product', 'Name'])
  expect(moveLeft()).toBeDisabled()
  expect(within(row('room01')).getAllByRole('cell')[1]).toHaveTextContent('Basic')
  reload()
  await screen.findAllByRole('rowheader')
  expect(first()).toEqual(['Edition', 'Product', 'Name'])
  expect(titles().at(-1)).toBe('Actions')
  await openColumns()
  await user.click(screen.getByRole('menuitem', { name: 'Reset columns' }))
  expect(first()).toEqual(['Product', 'Name', 'Edition'])
})

/** All places of the table, empty ones too. */
const places = () => [...document.querySelectorAll('tbody tr')].map((each) => each.getAttribute('data-row'))

test('rows keep their places under the pointer, and the new order comes when it leaves or when it is asked for', async () => {
  await openList('CLOUD_ADMINISTRATOR', ['a', 'b', 'c'])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((tenantName) => roomOf({ tenantName }))
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('There are four.')
  const changed = { ...c, customerLastName: 'Changed', version: 2 }
  await user.hover(row('b'))
  answerWith([a, b, changed, d])
  await tell({ type: 'room', room: 'd', gone: false })
  await tell({ type: 'room', room: 'c', gone: false })
  await waitFor(() => expect(row('c')).toHaveTextContent('Changed'))
  const notice = await screen.findByRole('button', { name: '4 changes' })
  expect(shown()).toEqual(['c', 'b', 'a'])
  // By keyboard: a pointer that goes there leaves the rows, and that alone shows the new order.
  notice.focus()
  await user.keyboard('{Enter}')
  await user.unhover(row('b'))
  expect(shown()).toEqual(['d', 'c', 'b', 'a'])
  expect(screen.queryByRole('button', { name: '4 changes' })).toBeNull()

  // The place of a row that is gone stays empty. The focus holds, too.
  await user.keyboard('j')
  answerWith([a, b, d])
  await tell({ type: 'room', room: 'c', gone: false })
  await waitFor(() => expect(hasRow('c')).toBe(false))
  expect(places()).toEqual(['d', null, 'b', 'a'])
  screen.getByRole('searchbox', { name: 'Search' }).focus()
  await waitFor(() => expect(places()).toEqual(['d', 'b', 'a']))
})

test('figures that could not be fetched again are marked as former ones', async () => {
  const figures = { directSales: 4711, onlineShop: 0, elements: 0, advanced: 0, enterprise: 0, enterpriseLight: 0 }
  reply({ overview: () => ok({ ...figures, aris: 0, yukon: 0, enterpriseShared: 0 }) })
  await openList('CLOUD_SALES', numbered)
  const open = () => user.click(screen.getByRole('button', { name: 'Customer management' }))
  await open()
  expect(await screen.findByText('4,711')).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('4,711')).toBeNull())
  reply({ overview: () => refused('database-busy') })
  await open()
  expect(await screen.findByText(/These are the former figures:$/, undefined, { timeout: 10_000 })).toBeVisible()
  expect(screen.getByText('4,711')).toBeVisible()
})

test('above rooms in error stand their causes, each of which leads to its rooms and back', async () => {
  const asked: string[] = []
  reply({
    listRooms: ({ query }) => {
      asked.push(query.filter_keys.map((key, at) => `${key} ${query.filter_values[at]}`).join())
      return ok(listOf([roomOf({ tenantName: 'broken', projectRoomState: 'ERROR' })], 1))
    },
    failedRooms: ({ query }) =>
      ok(
        query.filter_keys.includes('failureCause')
          ? []
          : [
              { cause: 'no-space' as const, rooms: 1041 },
              { cause: 'other' as const, rooms: 12 },
            ],
      ),
  })
  openAs('CLOUD_SUPPORT', `${listPath}?status=ERROR`)
  const causes = within(await screen.findByRole('navigation', { name: 'Failed, by cause' }))
  expect(causes.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'No space left: 1,041',
    'Other: 12',
  ])
  await user.click(causes.getByRole('link', { name: 'Other: 12' }))
  await waitFor(() => expect(asked.at(-1)).toBe('projectRoomState ERROR,failureCause other'))
  expect(await screen.findByText('Cause of failure: Other')).toBeVisible()
  expect(causes.getByRole('link', { current: 'page' })).toHaveTextContent('Other: 12')
  await user.click(causes.getByRole('link', { name: 'Other: 12' }))
  await waitFor(() => expect(new URLSearchParams(location.search).get('cause')).toBeNull())
  expect(new URLSearchParams(location.search).get('status')).toBe('ERROR')
})
