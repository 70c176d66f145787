// @vitest-environment jsdom
/** The form that creates a project room: its fields, their messages, what keeps it from being sent, and leaving it. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { regionOf, roomOf } from '#testing/answers.ts'
import {
  address,
  blur,
  expectToast,
  field,
  fill,
  fillAndBlur,
  openAs,
  optionsOf,
  select,
  user,
} from '#testing/console.tsx'
import { bodiesOf, ok, refused, reply } from '#testing/server.ts'
import {
  chooseProduct,
  createPath,
  fillInRoom,
  openCreateForm,
  submitButton,
  submitByKeys,
} from '../form/create-form.test-support.ts'

const listPath = '/project/administration'
const required = {
  'Original SAP contract number': 'Please enter the original SAP contract number.',
  'Sales contact e-mail': 'Please enter the sales contact e-mail.',
  'Company name': 'Please enter the company name.',
  'Customer contact first name': 'Please enter the customer contact first name.',
  'Customer contact last name': 'Please enter the customer contact last name.',
  'Owner e-mail': 'Please enter the owner e-mail.',
}
const exceeded = 'The maximum number of tenants for selected region is exceeded'
const isFull = 'Exceeded maximum number of project room on region region-1. Use another region or increase limit.'
const region = () => screen.getByRole('combobox', { name: 'Region' })
const findAlert = (text: string) => screen.findByText(text, { selector: '[role=alert] *' })

// shows: create-name
test('an invalid project room name says so once the field was left, and a tooltip tells the rules', async () => {
  await openCreateForm()
  const name = field('Project room name')
  const invalid = () => screen.queryByText('Project room name invalid')
  await user.click(name)
  expect(invalid()).toBeNull()
  blur(name)
  expect(invalid()).toBeVisible()
  for (const wrong of ['ab', '1abc', 'Abc', 'ab c', 'ab-c', 'aäc', 'a'.repeat(25)]) {
    fill(name, wrong)
    expect(name, wrong).toHaveAccessibleDescription('Project room name invalid')
  }
  for (const right of ['abc', 'a12', ' abc ', 'a'.repeat(24)]) {
    fill(name, right)
    expect(invalid(), right).toBeNull()
  }
  const rules = /all lowercase, cannot start with a number, minimum 3 and maximum 24/
  await user.hover(screen.getByRole('button', { name: rules }))
  expect(await screen.findByRole('tooltip', { name: rules })).toBeVisible()
})

// shows: create-required
test('required fields and e-mail addresses are checked when they are left; until all is right nothing can be sent', async () => {
  await openCreateForm()
  expect(submitButton()).toBeDisabled()
  for (const label of ['Sales contact', 'Contact details']) {
    fillAndBlur(field(label), '')
    expect(field(label)).not.toHaveAttribute('aria-invalid', 'true')
  }
  for (const [label, message] of Object.entries(required)) {
    fillAndBlur(field(label), '  ')
    expect(field(label)).toHaveAccessibleDescription(message)
  }
  await fillInRoom('goodname')
  expect(submitButton()).toBeEnabled()
  for (const label of ['Owner e-mail', 'Sales contact e-mail']) {
    fillAndBlur(field(label), 'nobody')
    expect(field(label)).toHaveAccessibleDescription('Please enter a valid e-mail address.')
    expect(submitButton()).toBeDisabled()
    fill(field(label), 'some@body')
    expect(submitButton()).toBeEnabled()
  }
})

// shows: duplicate-form
test('a duplicate has all taken over, a name proposed and no SAP number', async () => {
  const { tenantName, sapNumber, ...taken } = roomOf({ companyName: 'Contoso', licenses: { YABD: 47, YABV: 3 } })
  reply({
    draftDuplicate: ({ body }) =>
      body.projectRoom === 'contoso'
        ? ok({ ...taken, proposedName: 'contoso2' })
        : refused('room-unknown', { room: '' }),
    createRoom: () => ({ status: 202, body: { operationId: crypto.randomUUID() } }),
  })
  openAs('CLOUD_SALES', `${createPath}?from=contoso`)
  await waitFor(() => expect(field('Original SAP contract number')).toHaveFocus())
  expect(field('Project room name')).toHaveValue('contoso2')
  expect(field('Original SAP contract number')).toHaveValue('')
  fill(field('Original SAP contract number'), '4712')
  await waitFor(() => expect(submitButton()).toBeEnabled())
  await user.click(submitButton())
  await waitFor(() => expect(bodiesOf('createRoom')).toHaveLength(1))
  expect(bodiesOf('createRoom')[0]).toMatchObject({
    tenantName: 'contoso2',
    sapNumber: '4712',
    companyName: 'Contoso',
    licenses: { YABD: 47, YABV: 3 },
    region: 1,
  })
})

test('sending by Ctrl+Enter marks what is missing and goes to the first of it', async () => {
  // The regions are still on their way when the form is sent.
  const regions = Promise.withResolvers<ReturnType<typeof regionOf>[]>()
  reply({ regions: async () => ok(await regions.promise) })
  await openCreateForm()
  fill(field('Project room name'), 'goodname')
  fill(field('Company name'), 'Example, Inc.')
  await submitByKeys()
  expect(region()).toHaveFocus()
  regions.resolve([regionOf()])
  await waitFor(() => expect(region()).toHaveAccessibleDescription('Please select a region.'))
  const { 'Company name': _, ...missing } = required
  for (const [label, message] of Object.entries(missing)) {
    expect(field(label)).toHaveAccessibleDescription(message)
  }
  expect(address()).toBe(createPath)
})

// shows: create-regions
test('regions that are full or down come last, and say so', async () => {
  const down = regionOf({ health: 'unreachable' })
  const full = regionOf({ regionId: 2, maxNumOfTenants: 3, numberOfProjectRooms: 3 })
  reply({ regions: () => ok([down, full, regionOf({ regionId: 3, maxNumOfTenants: 5 })]) })
  await openCreateForm()
  expect(await optionsOf('Region')).toEqual([
    'region-30 of 5',
    'region-2Full3 of 3',
    'region-10, no limitDoes not answer',
  ])
})

// shows: create-regions
test('only enabled regions that serve the product are offered, with their capacity', async () => {
  const second = regionOf({ regionId: 2, productVersion: ['ARIS'], maxNumOfTenants: 7 })
  reply({ regions: () => ok([regionOf(), second, regionOf({ regionId: 3, state: 'disabled' })]) })
  await openCreateForm()
  expect(await optionsOf('Region')).toEqual(['region-10, no limit', 'region-20 of 7'])
  await select('Region', 'region-2')
  expect(screen.getByText('0 of 7')).toBeVisible()
  await chooseProduct('MINING')
  expect(region()).toHaveValue('')
  expect(await optionsOf('Region')).toEqual(['region-10, no limit'])
})

// shows: create-expiry
test('the expiration date is typed or chosen in a calendar, and is not earlier than today', async () => {
  await openCreateForm()
  const date = field('Expiration date')
  expect(date).toHaveAttribute('placeholder', 'Unlimited')
  fillAndBlur(date, '31.02.2031')
  expect(date).toHaveAccessibleDescription('Please enter a date as dd.MM.yyyy.')
  fillAndBlur(date, '31.12.2020')
  expect(date).toHaveAccessibleDescription('The expiration date must not be earlier than today.')
  const today = new Date().toISOString().slice(0, 10).split('-').reverse().join('.')
  fillAndBlur(date, today)
  expect(date).toHaveAccessibleDescription('')

  fill(date, '15.03.2031')
  await user.click(screen.getByRole('button', { name: 'Open the calendar' }))
  await user.click(await screen.findByRole('button', { name: '20 March 2031' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(date).toHaveValue('20.03.2031')

  // At a day in the past it opens today, and Escape closes it.
  fill(date, '15.03.2020')
  await user.click(screen.getByRole('button', { name: 'Open the calendar' }))
  const calendar = within(await screen.findByRole('dialog'))
  const days = calendar.getAllByRole('button', { name: /^\d+ \w+ \d{4}$/ })
  const open = days.filter((day) => !day.hasAttribute('disabled'))
  const inThisYear = new RegExp(`^\\d+ \\w+ ${new Date().getUTCFullYear()}$`)
  expect(open.map((day) => day.getAttribute('aria-label'))).toContainEqual(expect.stringMatching(inThisYear))
  expect(days.length - open.length + Number(today.startsWith('01'))).toBeGreaterThan(0)
  await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open the calendar' })).toHaveFocus())
})

// shows: create-full
test('a full region is told at once, and nothing can be sent', async () => {
  reply({ regions: () => ok([regionOf({ maxNumOfTenants: 1, numberOfProjectRooms: 1 })]) })
  await openCreateForm()
  await fillInRoom('goodname')
  expect(region()).toHaveAccessibleDescription(new RegExp(exceeded))
  expect(submitButton()).toBeDisabled()
  await user.hover(submitButton().parentElement as HTMLElement)
  expect(await screen.findByRole('tooltip', { name: exceeded })).toBeVisible()
  await submitByKeys()
  expect(await findAlert(isFull)).toBeVisible()
  expect(address()).toBe(createPath)
  expect(bodiesOf('createRoom')).toEqual([])
})

test('a region that has become full meanwhile is refused by the server, at its field', async () => {
  await openCreateForm()
  await fillInRoom('goodname')
  reply({
    regions: () => ok([regionOf({ maxNumOfTenants: 0 })]),
    createRoom: () => refused('region-full', { region: 'region-1' }),
  })
  await user.click(submitButton())
  await waitFor(() => expect(region()).toHaveFocus())
  expect(region()).toHaveAccessibleDescription(new RegExp(isFull.replaceAll('.', '\\.')))
  await waitFor(() => expect(submitButton()).toBeDisabled())
})

test('a failure of the server without words of its own is told in the specification’s', async () => {
  reply({ createRoom: () => new Response('oops', { status: 500 }) })
  await openCreateForm()
  await fillInRoom('goodname')
  await user.click(submitButton())
  expect(await findAlert('Create Project Room Failed')).toBeVisible()
  expect(submitButton()).toBeEnabled()
})

test('unsaved changes ask before they are left behind', async () => {
  await openCreateForm()
  const back = () => screen.getByRole('button', { name: 'Back' })
  const question = () => screen.findByRole('dialog', { name: 'Leave without creating the project room?' })
  await user.click(back())
  await waitFor(() => expect(address()).toBe(listPath))

  await user.click(await screen.findByRole('link', { name: 'New project room' }))
  await screen.findByRole('textbox', { name: 'Company name' })
  fill(field('Company name'), 'Example, Inc.')
  await user.click(back())
  const asked = within(await question())
  expect(asked.getByText('What you have entered will be lost.')).toBeVisible()
  // The button with the text; the cross has the same accessible name.
  const stay = asked.getByText('Keep editing').closest('button') as HTMLElement
  await waitFor(() => expect(stay).toHaveFocus())
  await user.click(stay)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe(createPath)
  expect(field('Company name')).toHaveValue('Example, Inc.')

  await user.click(screen.getByRole('link', { name: 'Roomkeeper' }))
  await user.click(within(await question()).getByRole('button', { name: 'Discard and leave' }))
  await waitFor(() => expect(address()).toBe(listPath))
})

test('closing the tab asks too, but only with unsaved changes', async () => {
  await openCreateForm()
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  expect(asks()).toBe(false)
  fill(field('Company name'), 'Example, Inc.')
  expect(asks()).toBe(true)
})

test('after an accepted creation nothing is asked', async () => {
  reply({ createRoom: () => ({ status: 202, body: { operationId: crypto.randomUUID() } }) })
  await openCreateForm()
  await fillInRoom('goodname')
  await user.click(submitButton())
  await waitFor(() => expect(address()).toBe(listPath))
  await expectToast('Create project room', 'The project room goodname is being created. Its row shows the progress.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('support does not get the form', async () => {
  openAs('CLOUD_SUPPORT', createPath)
  await waitFor(() => expect(address()).toBe(listPath))
})

test('Online Shop asks before the room is created, because nobody can edit or delete it then', async () => {
  reply({ createRoom: () => ({ status: 202, body: { operationId: crypto.randomUUID() } }) })
  await openCreateForm()
  await fillInRoom('goodname')
  await user.click(screen.getByText('Online Shop'))
  await user.click(submitButton())
  const question = within(await screen.findByRole('dialog', { name: 'Sales channel Online Shop' }))
  expect(question.getByText(/It cannot be edited or deleted afterwards/)).toBeVisible()
  await user.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bodiesOf('createRoom')).toEqual([])
  await user.click(submitButton())
  const again = within(await screen.findByRole('dialog', { name: 'Sales channel Online Shop' }))
  await user.click(again.getByRole('button', { name: 'Create project room' }))
  await waitFor(() => expect(bodiesOf('createRoom')).toMatchObject([{ productType: 'online-shop' }]))
})
