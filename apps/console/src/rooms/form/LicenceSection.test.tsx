// @vitest-environment jsdom
/** The licences of the create form, by product and edition, and the delegate that depends on them. */
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { address, blur, expectToast, field, fill, fillAndBlur, optionsOf, select, user } from '#testing/console.tsx'
import {
  chooseProduct,
  createPath,
  fillInRoom,
  openCreateForm,
  submitButton,
  submitByKeys,
} from './create-form.test-support.ts'

const obsolete = 'This license is obsolete and will not be supported in the future.'
const sameAsOwner = 'The E-mail address of the delegate and owner has to be different.'
const takesLicence =
  'There is no free licence for the delegate. It will be taken from a user who is not the cloud owner.'
const delegate = () => field('Delegate e-mail')
const hasDelegate = () => screen.queryByRole('textbox', { name: 'Delegate e-mail' }) !== null

test('ARIS: editions, licences, and the designers that are needed', async () => {
  await openCreateForm()
  await fillInRoom('goodname')
  expect(await optionsOf('Edition')).toEqual(['Basic', 'Advanced', 'Advanced incl. Base Extension'])
  expectLicences({ Viewer: '0', Designer: '1' })

  const designer = field('Designer')
  const tooFew = 'Designer license must be more or equal to 1 and less then 2147483647'
  for (const wrong of ['0', '2147483647']) {
    fill(designer, wrong)
    expect(designer, wrong).toHaveAccessibleDescription(tooFew)
    expect(submitButton()).toBeDisabled()
  }
  fill(designer, '2147483646')
  expect(submitButton()).toBeEnabled()
  fill(designer, '0')
  await submitByKeys()
  await expectToast('Warning', 'Please add minimum one designer licence')
  expect(address()).toBe(createPath)
  expect(designer).toHaveFocus()

  // An empty field means 0, or 1 for a mandatory licence.
  fillAndBlur(designer, '')
  expect(designer).toHaveValue('1')
  fillAndBlur(field('Viewer'), '')
  expect(field('Viewer')).toHaveValue('0')
})

// shows: licence-obsolete
test('ARIS Advanced: obsolete licences say so above 0, and some need an architect', async () => {
  await openCreateForm()
  await select('Edition', 'Advanced')
  expectLicences({
    Viewer: '0',
    Designer: '1',
    Architect: '0',
    'Designer SAP': '0',
    'EP business strategy': '0',
    'EP EAM': '0',
    'Architect SAP': '0',
  })
  const dependent = ['EP business strategy', 'EP EAM', 'Architect SAP'].map(field)
  const expectNotices = (count: number) => expect(screen.queryAllByText(obsolete)).toHaveLength(count)
  for (const input of dependent) expect(input).toBeDisabled()
  expectNotices(0)
  fill(field('Designer SAP'), '1')
  expectNotices(1)
  fill(field('Architect'), '2')
  expectNotices(2)
  for (const input of dependent) {
    expect(input).toBeEnabled()
    fill(input, '3')
  }
  expectNotices(5)
  fill(field('Architect'), '0')
  for (const input of dependent) {
    expect(input).toBeDisabled()
    expect(input).toHaveValue('0')
  }
})

// shows: delegate-aris
test('ARIS: a delegate is possible from two designers on, differs from the owner, and keeps the designers at two', async () => {
  await openCreateForm()
  await fillInRoom('goodname')
  expect(hasDelegate()).toBe(false)
  fill(field('Designer'), '2')
  expect(delegate()).toBeVisible()
  fill(field('Designer'), '1')
  expect(hasDelegate()).toBe(false)

  fill(field('Designer'), '2')
  fillAndBlur(delegate(), ' OWNER@example.com ')
  expect(delegate()).toHaveAccessibleDescription(sameAsOwner)
  expect(submitButton()).toBeDisabled()
  fillAndBlur(delegate(), 'nobody')
  expect(delegate()).toHaveAccessibleDescription('Please enter a valid e-mail address.')
  fillAndBlur(delegate(), 'delegate@example.com')
  expect(submitButton()).toBeEnabled()
  expect(screen.queryByText(takesLicence)).toBeNull()

  fill(field('Designer'), '1')
  expect(screen.getByText(takesLicence)).toBeVisible()
  blur(field('Designer'))
  expect(field('Designer')).toHaveValue('2')
  expect(delegate()).toHaveValue('delegate@example.com')
})

// shows: licence-mining
test('MINING: editions, licences, data volume and process size', async () => {
  await openCreateForm()
  await chooseProduct('MINING')
  expect(await optionsOf('Edition')).toEqual(['Basic', 'Advanced', 'Enterprise'])
  expectLicences({ Analyst: '1', 'Data volume (GB)': '10' })
  expect(screen.queryByRole('radiogroup', { name: 'Process type' })).toBeNull()
  fill(field('Data volume (GB)'), '0')
  expect(field('Data volume (GB)')).toHaveAccessibleDescription('Data volume must be more or equal to 1')

  await select('Edition', 'Advanced')
  fill(field('Data volume (GB)'), '10')
  expectLicences({ Analyst: '1', Engineer: '0', Viewer: '0', 'Data volume (GB)': '10' })
  await user.click(screen.getByText('Living'))
  expect(await optionsOf('Process size')).toEqual(['Living Process S'])
  await user.click(screen.getByText('Flex'))
  expect(screen.queryByRole('combobox', { name: 'Process size' })).toBeNull()

  await select('Edition', 'Enterprise')
  expectLicences({ Analyst: '1', Engineer: '0', Viewer: '0', 'Data volume (GB)': '20' })
  await user.click(screen.getByText('Living'))
  expect(await optionsOf('Process size')).toEqual(
    ['S', 'M', 'L', 'XL', '2XL', '3XL', '4XL'].map((size) => `Living ${size}`),
  )
})

test('MINING: somebody must be able to own the room', async () => {
  await openCreateForm()
  await chooseProduct('MINING')
  fill(field('Analyst'), '0')
  expect(field('Analyst')).toHaveAccessibleDescription('Analyst license must be more or equal to 1')
  await submitByKeys()
  await expectToast('Warning', 'Please add minimum one analyst licence')

  await select('Edition', 'Advanced')
  fill(field('Analyst'), '0')
  expect(field('Analyst')).toHaveAccessibleDescription('Analyst or engineer license must be more or equal to 1')
  await submitByKeys()
  await expectToast('Warning', 'Please add minimum one analyst licence or engineer')
  fill(field('Engineer'), '1')
  expect(field('Analyst')).toHaveAccessibleDescription('')
})

// shows: delegate-mining
test('MINING: a delegate is possible with two analysts, with two engineers, or with one of each', async () => {
  await openCreateForm()
  await chooseProduct('MINING')
  fill(field('Analyst'), '2')
  expect(delegate()).toBeVisible()
  fill(field('Analyst'), '1')
  expect(hasDelegate()).toBe(false)

  await select('Edition', 'Enterprise')
  const counts = [
    ['1', '0', false],
    ['1', '1', true],
    ['0', '1', false],
    ['0', '2', true],
    ['2', '0', true],
  ] as const
  for (const [analysts, engineers, possible] of counts) {
    fill(field('Analyst'), analysts)
    fill(field('Engineer'), engineers)
    expect(hasDelegate(), `${analysts} analysts, ${engineers} engineers`).toBe(possible)
  }
})

test('MINING: a delegate stays when the counts become too few, and what is no whole number is refused as typed', async () => {
  await openCreateForm()
  await fillInRoom('goodname')
  await chooseProduct('MINING')
  const analyst = () => field('Analyst')
  fill(analyst(), '2')
  fillAndBlur(delegate(), 'dora@example.org')
  expect(submitButton()).toBeEnabled()
  fillAndBlur(analyst(), '1')
  expect(delegate()).toHaveValue('dora@example.org')
  expect(analyst()).toHaveAccessibleDescription('Analyst license must be more or equal to 2')
  expect(submitButton()).toBeDisabled()
  await select('Edition', 'Advanced')
  fill(field('Engineer'), '1')
  expect(analyst()).not.toHaveAccessibleDescription(/more or equal/)
  fill(field('Engineer'), '0')
  expect(analyst()).toHaveAccessibleDescription('Analyst or engineer license must be more or equal to 2')
  await chooseProduct('ENTERPRISE')
  expect(screen.getByText('An ENTERPRISE project room has no delegate. This address is not sent.')).toBeVisible()
  await chooseProduct('MINING')
  const wrong = [
    ['Analyst', 'Analyst license must be more or equal to 2'],
    ['Data volume (GB)', 'Data volume must be more or equal to 1'],
  ] as const
  for (const [label, message] of wrong) {
    for (const typed of ['1.5', '1e3', '-5', 'x']) {
      fillAndBlur(field(label), typed)
      expect(field(label)).toHaveValue(typed)
      expect(field(label)).toHaveAccessibleDescription(message)
    }
  }
  fillAndBlur(analyst(), '2')
  await user.type(analyst(), '{ArrowUp}')
  expect(analyst()).toHaveValue('3')
})

// shows: licence-enterprise
test('ENTERPRISE: sub mining type, licences with their types, an admin, and never a delegate', async () => {
  await openCreateForm()
  await chooseProduct('ENTERPRISE')
  await fillInRoom('goodname')
  expect(screen.getByRole('combobox', { name: 'Edition' })).toHaveValue('Enterprise shared')
  expectLicences({ Viewer: '0', 'Viewer pro': '0', Designer: '0', Admin: '1', 'AI credits': '0' })
  expect(submitButton()).toBeDisabled()
  expect(screen.getByText('The owner gets access first.')).toBeVisible()
  expect(await optionsOf('Sub mining type')).toEqual(['Mining Basic', 'Mining Enterprise'])
  await select('Sub mining type', 'Mining Enterprise')
  expect(submitButton()).toBeEnabled()

  for (const licence of ['Viewer', 'Viewer pro', 'Designer']) {
    const types = within(screen.getByRole('radiogroup', { name: `Type of ${licence}` }))
    expect(types.getByRole('radio', { name: 'Named' })).toBeChecked()
    await user.click(types.getByText('Concurrent'))
    expect(types.getByRole('radio', { name: 'Concurrent' })).toBeChecked()
  }
  const calm = within(screen.getByRole('radiogroup', { name: 'SAP Calm server' }))
  expect(calm.getByRole('radio', { name: 'Disabled' })).toBeChecked()
  fill(field('Designer'), '9')
  fill(field('Admin'), '9')
  expect(hasDelegate()).toBe(false)

  for (const wrong of ['-1', '01', '0']) {
    fill(field('Admin'), wrong)
    expect(field('Admin'), wrong).toHaveAccessibleDescription('Admin license must be more or equal to 1')
  }
  await submitByKeys()
  await expectToast('Warning', 'Please add minimum one admin licence')
})

/** Expects exactly these licences, with these counts. */
function expectLicences(counts: Record<string, string>): void {
  const section = within(screen.getByRole('region', { name: 'Licences' }))
  const shown = section.getAllByRole<HTMLInputElement>('textbox')
  expect(shown).toHaveLength(Object.keys(counts).length)
  for (const [label, count] of Object.entries(counts))
    expect(section.getByRole('textbox', { name: label })).toHaveValue(count)
}
