// @vitest-environment jsdom
/**
 * Who can change what on the edit screen in which state, what a disabled field or button says, and what is typed while
 * changes are being saved.
 */
import type { ProjectRoom, Role, RoomEdit, RoomList, RoomNote } from '@roomkeeper/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '#api/queries.ts'
import { listOf, regionOf, roomOf } from '#testing/answers.ts'
import { address, expectToast, field, fill, openAs, user } from '#testing/console.tsx'
import { bodiesOf, namesOfCalls, ok, refused, reply, tell } from '#testing/server.ts'

const path = '/project/edit_project_room/room'
const notAllowed = 'Your role does not allow this.'
const isSuspended = 'This project room is suspended.'
const isInError = 'This project room is in error.'
const isOnlineShop = 'This is not possible for Online Shop project rooms.'
const lasting = [notAllowed, isOnlineShop]
/** The fields of an ARIS Basic room that can be changed. */
const changeable = [
  'Expiration date',
  'Viewer',
  'Designer',
  'Owner e-mail',
  'Customer contact first name',
  'Customer contact last name',
  'Company name',
  'Contact details',
  'New SAP contract number',
  'Sales contact',
  'Sales contact e-mail',
]
const onlyAdministrators = 'Only administrators can do this for Online Shop project rooms.'
const suspended = { projectRoomState: 'SUSPENDED' } as const
const shop = { productType: 'online-shop' } as const

const noHistory = () => ok({ data: [], totalElements: 0, totalPages: 0 })

/** Opens the edit screen of a room. */
async function openRoom(role: Role, given: Partial<ProjectRoom> = {}, tab = ''): Promise<void> {
  const room = roomOf(given)
  reply({ room: () => ok(room), roomLicences: () => ok([]), listRooms: () => ok(listOf([room])) })
  openAs(role, path + tab)
  await screen.findByRole('heading', { level: 1 })
  if (tab === '') await screen.findByRole('textbox', { name: 'Company name' })
}

// shows: edit-support
test('support reads an active room: everything is disabled and says why', async () => {
  await openRoom('CLOUD_SUPPORT')
  await expectFixed(notAllowed)
  expectButtons(['Import Database', 'Suspend'])
  await expectWhyNot('Import Database', notAllowed)
  await expectWhyNot('Suspend', notAllowed)
  expectTabs(['Overview', 'Settings', 'Activity'])
})

// shows: who-sales
test('sales change and suspend a room, and leave its databases alone', async () => {
  await openRoom('CLOUD_SALES')
  expect(field('Company name')).toBeEnabled()
  expectButtons(['Import Database', 'Suspend'])
  await expectWhyNot('Import Database', notAllowed)
  expectPossible(['Suspend'])
  expectTabs(['Overview', 'Settings', 'Activity'])
})

test('sales resume a suspended room, and leave its databases and backups alone, even by an address', async () => {
  await openRoom('CLOUD_SALES', suspended, '?tab=databases')
  await screen.findByRole('textbox', { name: 'Company name' })
  expectState('Suspended')
  await expectFixed(isSuspended)
  expectButtons(['Resume', 'Backup', 'Backup D2O', 'Restore'])
  expectPossible(['Resume'])
  for (const each of ['Backup', 'Backup D2O', 'Restore']) await expectWhyNot(each, notAllowed)
  expect(namesOfCalls().filter((name) => /database|backup/i.test(name))).toEqual([])
})

const administrators = ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const

// shows: edit-buttons
test.each(administrators)('%s can do everything that the state of an active room allows', async (role) => {
  await openRoom(role)
  expect(field('Company name')).toBeEnabled()
  expectTabs(['Overview', 'Settings', 'Databases', 'Backups', 'Activity'])
  expectPossible(['Import Database', 'Suspend'])
})

test.each(administrators)('%s can do everything that the state of a suspended room allows', async (role) => {
  reply({ roomHistory: noHistory, roomBackups: () => ok([]) })
  await openRoom(role, suspended)
  await expectFixed(isSuspended)
  const buttons = ['Resume', 'Backup', 'Backup D2O', 'Restore']
  expectPossible(buttons)
  // The buttons are shown on every tab.
  await user.click(screen.getByRole('tab', { name: 'Activity' }))
  expectButtons(buttons)
  await user.click(button('Restore'))
  await waitFor(() => expect(address()).toBe('/project/restore_project_room/room'))
  expect(await screen.findByRole('heading', { name: 'Restore project room room' })).toBeVisible()
  await user.click(button('Back'))
  await waitFor(() => expect(address()).toBe(path))
})

// shows: edit-online-shop
test('an Online Shop room is changed by nobody, and suspended by administrators', async () => {
  await openRoom('CLOUD_OPERATOR', shop)
  expect(field('Sales channel')).toHaveValue('Online Shop')
  await expectFixed(isOnlineShop)
  expectPossible(['Suspend'])
})

test('sales can neither change nor suspend an Online Shop room', async () => {
  await openRoom('CLOUD_SALES', shop)
  await expectFixed(isOnlineShop)
  await expectWhyNot('Suspend', onlyAdministrators)
})

// shows: edit-state
test('a room in error can be read, and has no buttons', async () => {
  await openRoom('CLOUD_ADMINISTRATOR', { projectRoomState: 'ERROR', errorMessage: 'The disk is full.' })
  await expectFixed('This project room is in error.')
  expect(within(screen.getByRole('region', { name: 'Error' })).getByText('The disk is full.')).toBeVisible()
  expectButtons([])
})

// shows: room-overview
test('the overview tells what matters at a glance', async () => {
  const at = '2026-05-01T10:00:00.000Z'
  const room = roomOf({
    ...suspended,
    licenses: { YABD: 12, YABV: 3 },
    expirationDate: '2020-02-01',
    lastBackupAt: at,
    lastBackupVerifiedAt: at,
    salesmanEmail: 'not reachable@',
  })
  const entry = { id: 1, at, actor: 'ada@example.com', action: 'room.suspend', room: 'room', outcome: null, mails: [] }
  const event = {
    ...entry,
    operationId: null,
    detail: null,
    detailReasons: [],
    changes: [],
    requestId: null,
    undo: null,
  }
  reply({
    room: () => ok(room),
    roomLicences: () => ok([{ licenseKey: 'YABV', licenseAmount: 3, licenseType: 'NUC', used: 2 }]),
    roomHistory: () => ok({ data: [event], totalElements: 1, totalPages: 1 }),
    roomNotes: () => ok([]),
    listRooms: () => ok(listOf([room])),
    regions: () => ok([regionOf({ health: 'unreachable', healthSince: at })]),
  })
  openAs('CLOUD_SUPPORT', `${path}?tab=overview`)
  const facts = within(await screen.findByRole('tabpanel', { name: 'Overview' }))
  expect(await facts.findByText('Suspended: its users cannot sign in until it is resumed.')).toBeVisible()
  expect(facts.getByText('Expired')).toBeVisible()
  expect(facts.getByText(/^Restored in a test on 01.05.2026/)).toBeVisible()
  expect(await facts.findByText(/^Does not answer, since 01.05.2026/)).toBeVisible()
  expect(await facts.findByText('2 of 3 used')).toBeVisible()
  expect(facts.getByText('12 sold')).toBeVisible()
  expect(facts.getByRole('link', { name: 'owner@example.com' })).toHaveAttribute('href', 'mailto:owner@example.com')
  expect(facts.getByText('not reachable@')).toBeVisible()
  expect(await facts.findByText(/^ada@example.com/)).toHaveTextContent('ada@example.com suspended room')
  await user.click(facts.getByRole('link', { name: 'All events' }))
  await waitFor(() => expect(address()).toBe(`${path}?tab=history`))
})

// shows: room-actions
test('the menu is there in every state', async () => {
  await openRoom('CLOUD_ADMINISTRATOR', { projectRoomState: 'ERROR', errorMessage: 'The disk is full.' })
  await user.click(button('Actions'))
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(items).toEqual([
    'Open project room',
    'Copy name',
    'Copy link',
    `Suspend …${isInError}`,
    `Back up${isInError}`,
    `Restore …${isInError}`,
    'Move …',
    'Duplicate …',
    'Write to contacts …',
    'Delete …',
  ])
  await user.keyboard('{Escape}')
})

// shows: room-adjacent
test('a room leads to the ones before and after it in the list, if they can be opened, also by keys', async () => {
  const busy = { projectRoomState: 'IN_PROGRESS' } as const
  const names = ['one', 'two', 'three', 'four']
  const rooms = names.map((tenantName) => roomOf({ tenantName, ...(tenantName === 'three' ? busy : {}) }))
  reply({
    listRooms: () => ok(listOf(rooms)),
    room: () => ok(roomOf()),
    roomLicences: () => ok([]),
  })
  openAs('CLOUD_SALES', '/project/administration')
  await screen.findByRole('rowheader', { name: 'one' })
  const isAt = (name: string) => waitFor(() => expect(address()).toBe(`/project/edit_project_room/${name}`))
  await user.keyboard('j{Enter}')
  await isAt('one')
  // The first field has the focus.
  await screen.findByRole('textbox', { name: 'Company name' })
  act(() => (document.activeElement as HTMLElement).blur())
  expect(await screen.findByRole('button', { name: 'Previous project room (k)' })).toBeDisabled()
  await user.keyboard('j')
  await isAt('two')
  await user.click(await screen.findByRole('button', { name: 'Next project room (j)' }))
  await isAt('four')
  expect(await screen.findByRole('button', { name: 'Next project room (j)' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Previous project room (k)' }))
  await isAt('two')
  await screen.findByRole('textbox', { name: 'Company name' })
  expect(screen.getByRole('button', { name: 'Previous project room (k)' })).toHaveFocus()
  await user.keyboard('k')
  await isAt('one')
  await screen.findByRole('textbox', { name: 'Company name' })
  // The page was fetched anew, without the room.
  act(() => {
    queryClient.setQueriesData<RoomList>({ queryKey: ['rooms', 'list'] }, () => listOf(rooms.slice(1)))
  })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Next project room (j)' })).toBeDisabled())
  expect(screen.getByRole('button', { name: 'Previous project room (k)' })).toBeDisabled()
})

// shows: notes-stale
test('a note that was changed meanwhile is not overwritten, and what was typed stays', async () => {
  const note: RoomNote = {
    id: '00000000-0000-4000-8000-000000000007',
    text: 'Call first.',
    pinned: false,
    author: 'ada@provider.example',
    createdAt: '2026-11-27T10:00:00Z',
    changedBy: null,
    changedAt: null,
    isOwn: true,
  }
  const newer = { ...note, text: 'Ticket 4711', changedBy: 'bob@provider.example', changedAt: '2026-11-27T11:00:00Z' }
  reply({ roomNotes: () => ok([note]), roomHistory: noHistory })
  await openRoom('CLOUD_OPERATOR', {}, '?tab=overview')
  await user.click(await screen.findByRole('button', { name: 'Edit the note' }))
  fill(await screen.findByRole('textbox', { name: 'Note' }), 'Mine')
  reply({
    roomNotes: () => ok([newer]),
    changeRoomNote: ({ body }) => (body.changedAt === newer.changedAt ? ok(newer) : refused('note-stale')),
  })
  await user.click(button('Save note'))
  const conflict = await screen.findByRole('alert', { name: 'The note was changed by somebody else meanwhile.' })
  expect(within(conflict).getByRole('row', { name: /Mine.*Ticket 4711/ })).toBeVisible()
  await user.click(within(conflict).getByRole('button', { name: 'Keep mine on the new version' }))
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveValue('Mine')
  await user.click(button('Save note'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bodiesOf('changeRoomNote')).toEqual([
    { text: 'Mine', pinned: false, changedAt: null },
    { text: 'Mine', pinned: false, changedAt: newer.changedAt },
  ])
})

// shows: labels-change
test('only the label that is added or removed is sent, and each is shown at once', async () => {
  let labels = ['Old', 'VIP']
  reply({
    roomNotes: () => ok([]),
    roomHistory: noHistory,
    labels: () => ok([]),
    labelRoom: ({ body: { add = [], remove = [] } }) => {
      labels = [...labels.filter((each) => !remove.includes(each)), ...add]
      return ok(roomOf({ labels }))
    },
  })
  await openRoom('CLOUD_OPERATOR', { labels }, '?tab=overview')
  await user.click(await screen.findByRole('button', { name: 'Remove the label Old' }))
  await user.type(screen.getByRole('combobox', { name: 'Add a label' }), 'Pilot{Enter}')
  await waitFor(() => expect(labels).toEqual(['VIP', 'Pilot']))
  expect(bodiesOf('labelRoom')).toEqual([
    { projectRoom: 'room', add: [], remove: ['Old'] },
    { projectRoom: 'room', add: ['Pilot'], remove: [] },
  ])
})

// shows: room-actions
test('support is offered what only reads', async () => {
  await openRoom('CLOUD_SUPPORT')
  await user.click(button('Actions'))
  await screen.findByRole('menuitem', { name: 'Copy link' })
  expect(screen.getAllByRole('menuitem')).toHaveLength(3)
})

test('what is not possible with a room stays in its menu, with the reason', async () => {
  await openRoom('CLOUD_OPERATOR', shop)
  await user.click(button('Actions'))
  const item = await screen.findByRole('menuitem', { name: `Delete … ${isOnlineShop}` })
  expect(item).toHaveAttribute('aria-disabled', 'true')
  await user.click(item)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a room that is being worked on can be read, and has no buttons', async () => {
  await openRoom('CLOUD_ADMINISTRATOR', { projectRoomState: 'IN_PROGRESS' })
  await expectFixed('An operation is running for this project room.')
  expectButtons([])
})

test('a room in a disabled region can be read', async () => {
  await openRoom('CLOUD_ADMINISTRATOR', { projectRoomState: 'DISABLED_REGION', regionState: 'disabled' })
  await expectFixed('The region of this project room is disabled.')
  expectState('Disabled region')
})

test('what is typed while the changes are saved stays, and is saved next', async () => {
  let stored = roomOf()
  let released = Promise.withResolvers<void>()
  await openRoom('CLOUD_ADMINISTRATOR')
  reply({
    room: () => ok(stored),
    editRoom: async ({ body }) => {
      await released.promise
      stored = edited(stored, body)
      return ok(stored)
    },
    activity: () => ok({ data: [], next: null }),
  })
  await user.click(screen.getByRole('button', { name: 'Same contract: take the original number' }))
  expect(field('New SAP contract number')).toHaveValue(stored.sapNumber)
  fill(field('New SAP contract number'), 'SAP room')
  fill(field('Company name'), 'First')
  await user.click(submit())
  await waitFor(() => expect(bodiesOf('editRoom')).toHaveLength(1))
  fill(field('Contact details'), 'typed meanwhile')
  fill(field('Viewer'), '9')
  released.resolve()
  await expectToast('room saved', 'The changes of room are stored, here and on its region.')
  expect(field('Company name')).toHaveValue('First')
  expect(field('Contact details')).toHaveValue('typed meanwhile')
  expect(field('Viewer')).toHaveValue('9')
  released = Promise.withResolvers<void>()
  released.resolve()
  await user.click(submit())
  await waitFor(() =>
    expect(stored).toMatchObject({ customerContactDetails: 'typed meanwhile', licenses: { YABV: 9 } }),
  )
  // A server refuses what was made from an older version.
  expect(bodiesOf('editRoom').map(({ version }) => version)).toEqual([1, 2])
})

test('the foot says what would be changed, and then what was; Undo says what it is now if it was changed meanwhile', async () => {
  let stored = roomOf()
  await openRoom('CLOUD_SALES')
  const change = { field: 'companyName', from: stored.companyName, to: 'Renamed' }
  const entry = {
    ...{ id: 7, at: new Date().toISOString(), actor: 'somebody@example.com', action: 'room.edit', room: 'room' },
    ...{ operationId: null, detail: null, detailReasons: [], requestId: null, outcome: null, mails: [] },
    changes: [change, { field: 'licenses.YABV', from: 1, to: 9 }],
    undo: { action: 'edit' as const, changes: [] },
  }
  reply({
    room: () => ok(stored),
    editRoom: ({ body }) => {
      stored = edited(stored, body)
      return ok(stored)
    },
    activity: () => ok({ data: [entry], next: null }),
    roomHistory: () => ok({ data: [entry], totalElements: 1, totalPages: 1 }),
    undoActivity: () => refused('changed-meanwhile', {}, { now: [{ field: 'companyName', value: 'Other' }] }),
  })
  const foot = () => document.getElementById('form-missing')
  fill(field('New SAP contract number'), 'SAP room')
  fill(field('Company name'), 'Renamed')
  fill(field('Viewer'), '9')
  expect(foot()).toHaveTextContent(/^3 changes: Viewer \d+ → 9 · Company name · New SAP contract number$/)
  await user.click(submit())
  await waitFor(() => expect(foot()).toHaveTextContent(/^Saved \d\d:\d\d:\d\d · 2 changes · View · Undo$/))
  await user.click(button('Undo'))
  const why = 'What undoing would set back was changed again meanwhile. Nothing was undone.'
  await expectToast('It was not undone.', `${why} Now: Company name Other`)
  reply({
    undoActivity: () => {
      stored = { ...stored, companyName: change.from, version: stored.version + 1 }
      return ok(stored)
    },
  })
  await user.click(button('Undo'))
  await expectToast('room: undone', 'It was set back, here and on its region.')
  expect(field('Company name')).toHaveValue(change.from)
  await waitFor(() => expect(foot()).toHaveTextContent(/ · undone · View$/))
  await user.click(screen.getByRole('link', { name: 'View' }))
  expect(address()).toBe(`${path}?tab=history`)
})

test('an edit that takes longer says how it ended, and what was typed meanwhile stays', async () => {
  const operationId = crypto.randomUUID()
  let stored = roomOf()
  await openRoom('CLOUD_SALES')
  reply({ room: () => ok(stored), editRoom: () => ({ status: 202, body: { operationId } }) })
  fill(field('New SAP contract number'), 'SAP room')
  fill(field('Company name'), 'Slow')
  await user.click(submit())
  await expectToast('Changes of room', 'The changes of room were accepted and are being made on its region.')
  fill(field('Contact details'), 'typed meanwhile')

  const [sent] = bodiesOf('editRoom')
  if (sent !== undefined) stored = edited(stored, sent)
  const ended = {
    kind: 'room.edit',
    sourceRegion: null,
    targetRegion: null,
    operationId,
    processType: null,
    projectRoomName: 'room',
    state: 'done',
    startedBy: 'somebody@example.com',
    endedAt: new Date().toISOString(),
    errorText: null,
    errorReasons: [],
  } as const
  reply({ finishedOperations: () => ok([ended]) })
  await tell({ type: 'operation', operationId, room: 'room' })
  await expectToast('Changes of room', 'The changes of room are stored, here and on its region.')
  expect(field('Contact details')).toHaveValue('typed meanwhile')
  expect(screen.queryByText('Please decide first which values are to stay.')).toBeNull()
})

/** The room as the server has it after an edit. */
function edited(room: ProjectRoom, sent: RoomEdit): ProjectRoom {
  const { companyName, customerContactDetails, sapNumberLast, version } = sent
  const licenses = { ...room.licenses, YABV: sent.licenses.YABV ?? 0 }
  return { ...room, companyName, customerContactDetails, sapNumberLast, licenses, version: version + 1 }
}

const button = (name: string) => screen.getByRole('button', { name })
const submit = () => button('Submit Changes')

function expectState(label: string): void {
  expect(screen.getByRole('heading', { level: 1 }).nextElementSibling).toHaveTextContent(label)
}

async function expectFixed(why: string): Promise<void> {
  const what = lasting.includes(why) ? 'Nothing can be changed here.' : 'Nothing can be changed here now.'
  expect(screen.getByRole('note').textContent?.trim()).toBe(`${what} ${why}`)
  for (const label of changeable) expect(field(label), label).toBeDisabled()
  // No other field accepts input either.
  const inputs = [...document.querySelectorAll('form :is(input, textarea):not([readonly])')]
  expect(inputs.length).toBeGreaterThanOrEqual(changeable.length)
  expect(inputs.filter((each) => each.matches(':enabled'))).toEqual([])
  expect(button('Open the calendar')).toBeDisabled()
  expect(submit()).toBeDisabled()
  await expectTip(submit().parentElement as HTMLElement, why)
}

async function expectWhyNot(name: string, why: string): Promise<void> {
  expect(button(name)).toHaveAttribute('aria-disabled', 'true')
  await expectTip(button(name), why)
}

async function expectTip(of: HTMLElement, text: string): Promise<void> {
  await user.hover(of)
  expect(await screen.findByRole('tooltip', { name: text })).toBeVisible()
  await user.unhover(of)
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull())
}

function expectPossible(names: readonly string[]): void {
  for (const name of names) {
    expect(button(name), name).toBeEnabled()
    expect(button(name), name).not.toHaveAttribute('aria-disabled', 'true')
  }
}

function expectButtons(names: readonly string[]): void {
  const all = ['Import Database', 'Suspend', 'Resume', 'Backup', 'Backup D2O', 'Restore']
  expect(all.filter((name) => screen.queryByRole('button', { name }) !== null)).toEqual(names)
}

function expectTabs(names: readonly string[]): void {
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(names)
}
