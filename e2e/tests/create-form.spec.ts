/** The form that creates a project room: its fields, their messages, and sending it. */
import { uniqueRoomName } from '@roomkeeper/dev-env'
import {
  chooseProduct,
  createPath,
  field,
  fillAndBlur,
  fillInRoom,
  optionsOf,
  select,
  submitButton,
  submitCreation,
} from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

const required = {
  'Original SAP contract number': 'Please enter the original SAP contract number.',
  'Sales contact e-mail': 'Please enter the sales contact e-mail.',
  'Company name': 'Please enter the company name.',
  'Customer contact first name': 'Please enter the customer contact first name.',
  'Customer contact last name': 'Please enter the customer contact last name.',
  'Owner e-mail': 'Please enter the owner e-mail.',
}

// shows: create-name
test('an invalid project room name says so once the field was left, and a tooltip tells the rules', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  const name = field(page, 'Project room name')
  const invalid = page.getByText('Project room name invalid', { exact: true })
  await name.click()
  await expect(invalid).toHaveCount(0)
  await name.blur()
  await expect(invalid).toBeVisible()
  for (const wrong of ['ab', '1abc', 'Abc', 'ab c', 'ab-c', 'aäc', 'a'.repeat(25)]) {
    await name.fill(wrong)
    await expect(name, wrong).toHaveAccessibleDescription('Project room name invalid')
  }
  for (const right of ['abc', 'a12', ' abc ', 'a'.repeat(24)]) {
    await name.fill(right)
    await expect(invalid, right).toHaveCount(0)
  }
  const rules = 'all lowercase, cannot start with a number, minimum 3 and maximum 24'
  await page.getByRole('button', { name: rules }).hover()
  await expect(page.getByRole('tooltip', { name: rules })).toBeVisible()
})

// shows: create-required
test('required fields and e-mail addresses are checked when they are left; until all is right nothing can be sent', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await expect(submitButton(page)).toBeDisabled()
  for (const label of ['Sales contact', 'Contact details']) {
    await fillAndBlur(field(page, label), '')
    await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true')
  }
  for (const [label, message] of Object.entries(required)) {
    await fillAndBlur(field(page, label), '  ')
    await expect(field(page, label)).toHaveAccessibleDescription(message)
  }
  await fillInRoom(page, 'goodname')
  await expect(submitButton(page)).toBeEnabled()
  for (const label of ['Owner e-mail', 'Sales contact e-mail']) {
    await fillAndBlur(field(page, label), 'nobody')
    await expect(field(page, label)).toHaveAccessibleDescription('Please enter a valid e-mail address.')
    await expect(submitButton(page)).toBeDisabled()
    await field(page, label).fill('some@body')
    await expect(submitButton(page)).toBeEnabled()
  }
})

test('sending by Ctrl+Enter marks what is missing and goes to the first of it', async ({ openAs, page }) => {
  // The regions are still on their way when the form is sent.
  let letRegionsCome: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letRegionsCome = resolve
  })
  await page.route('**/api/operator/regions', async (route) => {
    await held
    await route.continue()
  })
  await openAs('CLOUD_SALES', createPath)
  await field(page, 'Project room name').fill('goodname')
  await field(page, 'Company name').fill('Example, Inc.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('combobox', { name: 'Region' })).toBeFocused()
  letRegionsCome()
  await expect(page.getByRole('combobox', { name: 'Region' })).toHaveAccessibleDescription('Please select a region.')
  const { 'Company name': _, ...missing } = required
  for (const [label, message] of Object.entries(missing)) {
    await expect(field(page, label)).toHaveAccessibleDescription(message)
  }
  await expect(page).toHaveURL(createPath)
})

// shows: create-regions
test('only enabled regions that serve the product are offered, with their capacity', async ({ openAs, network }) => {
  await network.database.rows(`update regions set products = '{ARIS}', max_rooms = 7 where id = 2`)
  const page = await openAs('CLOUD_SALES', createPath)
  expect(await optionsOf(page, 'Region')).toEqual(['region-10 / unlimited', 'region-20 of 7'])
  await select(page, 'Region', 'region-2')
  await expect(page.getByText('0 of 7', { exact: true })).toBeVisible()
  await chooseProduct(page, 'MINING')
  await expect(page.getByRole('combobox', { name: 'Region' })).toHaveValue('')
  expect(await optionsOf(page, 'Region')).toEqual(['region-10 / unlimited'])

  await network.database.rows(`update regions set state = 'disabled' where id = 1`)
  await page.reload()
  expect(await optionsOf(page, 'Region')).toEqual(['region-20 of 7'])
})

// shows: create-expiry
test('the expiration date is typed or chosen in a calendar, and is not earlier than today', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  const date = field(page, 'Expiration date')
  await expect(date).toHaveAttribute('placeholder', 'Unlimited')
  await fillAndBlur(date, '31.02.2031')
  await expect(date).toHaveAccessibleDescription('Please enter a date as dd.MM.yyyy.')
  await fillAndBlur(date, '31.12.2020')
  await expect(date).toHaveAccessibleDescription('The expiration date must not be earlier than today.')
  const today = new Date().toISOString().slice(0, 10).split('-').reverse().join('.')
  await fillAndBlur(date, today)
  await expect(date).toHaveAccessibleDescription('')

  await date.fill('15.03.2031')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const calendar = page.getByRole('dialog')
  await calendar.getByRole('button', { name: '20 March 2031' }).click()
  await expect(calendar).toBeHidden()
  await expect(date).toHaveValue('20.03.2031')

  // At a day in the past it opens today, and Escape closes it.
  await date.fill('15.03.2020')
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const inThisYear = new RegExp(`^\\d+ \\w+ ${new Date().getUTCFullYear()}$`)
  await expect(calendar.getByRole('button', { name: inThisYear, disabled: false }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open the calendar' })).toBeFocused()

  await date.fill(today)
  await page.getByRole('button', { name: 'Open the calendar' }).click()
  const before = calendar.getByRole('button', { name: /^\d+ \w+ \d{4}$/, disabled: true })
  const after = calendar.getByRole('button', { name: /^\d+ \w+ \d{4}$/, disabled: false })
  expect((await before.count()) + Number(today.slice(0, 2) === '01')).toBeGreaterThan(0)
  expect(await after.count()).toBeGreaterThan(0)
})

// shows: create-trimmed
test('everything that was filled in arrives, trimmed, and the list shows it', async ({ openAs, network }) => {
  const name = uniqueRoomName()
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, ` ${name} `)
  await field(page, 'Company name').fill('  Example & Söhne  ')
  await field(page, 'Contact details').fill('+47 22 33 44 55\nweekdays')
  await field(page, 'Sales contact').fill(' Sally ')
  await field(page, 'Expiration date').fill('31.12.2031')
  await page.getByText('Online Shop', { exact: true }).click()
  await field(page, 'Designer').fill('2')
  await field(page, 'Delegate e-mail').fill(' delegate@example.com ')
  await page.keyboard.press('Control+Enter')

  const accepted = `The project room ${name} is being created. Its row shows the progress.`
  await expect(toast(page, 'Creation accepted', accepted)).toBeVisible()
  await expect(page).toHaveURL(listPath)
  await expect(rowOf(page, name).getByRole('cell')).toContainText([
    'ARIS',
    'Basic',
    "Øyvind O'Neil",
    'owner@example.com',
    'Online Shop',
    'region-1',
    /^\d\d\.\d\d\.\d{4}$/,
    '31.12.2031',
  ])
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room).toMatchObject({
    companyName: 'Example & Söhne',
    customerContactDetails: '+47 22 33 44 55\nweekdays',
    salesman: 'Sally',
    expirationDate: '2031-12-31',
    additionalEmail: 'delegate@example.com',
    productType: 'online-shop',
    licenses: { YABD: 2, YABV: 0 },
  })
})

test('unsaved changes ask before they are left behind', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  const back = page.getByRole('button', { name: 'Back' })
  const question = page.getByRole('dialog', { name: 'Leave without creating the project room?' })
  await back.click()
  await expect(page).toHaveURL(listPath)

  await page.getByRole('link', { name: 'New project room' }).click()
  await field(page, 'Company name').fill('Example, Inc.')
  await back.click()
  await expect(question.getByText('What you have entered will be lost.')).toBeVisible()
  // The button with the text; the cross has the same accessible name.
  const stay = question.getByRole('button', { name: 'Keep editing' }).filter({ hasText: 'Keep editing' })
  await expect(stay).toBeFocused()
  await stay.click()
  await expect(question).toBeHidden()
  await expect(page).toHaveURL(createPath)
  await expect(field(page, 'Company name')).toHaveValue('Example, Inc.')

  await page.getByRole('link', { name: 'Roomkeeper' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL(listPath)
})

test('closing the tab asks too, but only with unsaved changes', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await expect(field(page, 'Company name')).toBeVisible()
  await page.reload()
  expect(asked).toEqual([])
  await field(page, 'Company name').fill('Example, Inc.')
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
})

test('after an accepted creation nothing is asked', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, uniqueRoomName())
  await submitCreation(page)
  await expect(page).toHaveURL(listPath)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
