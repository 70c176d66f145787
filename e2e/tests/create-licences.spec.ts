/** The licences of the create form, by product and edition, and the delegate that depends on them. */
import type { Locator, Page } from '@playwright/test'
import {
  chooseProduct,
  createPath,
  field,
  fillAndBlur,
  fillInRoom,
  optionsOf,
  select,
  submitButton,
} from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { toast } from '../toasts.ts'

const obsolete = 'This license is obsolete and will not be supported in the future.'
const sameAsOwner = 'The E-mail address of the delegate and owner has to be different.'
const takesLicence =
  'There is no free licence for the delegate. It will be taken from a user who is not the cloud owner.'
const delegate = (page: Page) => field(page, 'Delegate e-mail')

test('ARIS: editions, licences, and the designers that are needed', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, 'goodname')
  expect(await optionsOf(page, 'Edition')).toEqual(['Basic', 'Advanced', 'Advanced incl. Base Extension'])
  await expectLicences(page, { Viewer: '0', Designer: '1' })

  const designer = field(page, 'Designer')
  const tooFew = 'Designer license must be more or equal to 1 and less then 2147483647'
  for (const wrong of ['0', '2147483647']) {
    await designer.fill(wrong)
    await expect(designer, wrong).toHaveAccessibleDescription(tooFew)
    await expect(submitButton(page)).toBeDisabled()
  }
  await designer.fill('2147483646')
  await expect(submitButton(page)).toBeEnabled()
  await designer.fill('0')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Warning', 'Please add minimum one designer licence')).toBeVisible()
  await expect(page).toHaveURL(createPath)
  await expect(designer).toBeFocused()

  // An empty field means 0, or 1 for a mandatory licence.
  await fillAndBlur(designer, '')
  await expect(designer).toHaveValue('1')
  await fillAndBlur(field(page, 'Viewer'), '')
  await expect(field(page, 'Viewer')).toHaveValue('0')
})

// shows: licence-obsolete
test('ARIS Advanced: obsolete licences say so above 0, and some need an architect', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await select(page, 'Edition', 'Advanced')
  await expectLicences(page, {
    Viewer: '0',
    Designer: '1',
    Architect: '0',
    'Designer SAP': '0',
    'EP business strategy': '0',
    'EP EAM': '0',
    'Architect SAP': '0',
  })
  const dependent = ['EP business strategy', 'EP EAM', 'Architect SAP'].map((label) => field(page, label))
  const notice = page.getByText(obsolete, { exact: true })
  for (const input of dependent) await expect(input).toBeDisabled()
  await expect(notice).toHaveCount(0)
  await field(page, 'Designer SAP').fill('1')
  await expect(notice).toHaveCount(1)
  await field(page, 'Architect').fill('2')
  await expect(notice).toHaveCount(2)
  for (const input of dependent) {
    await expect(input).toBeEnabled()
    await input.fill('3')
  }
  await expect(notice).toHaveCount(5)
  await field(page, 'Architect').fill('0')
  for (const input of dependent) {
    await expect(input).toBeDisabled()
    await expect(input).toHaveValue('0')
  }
})

// shows: delegate-aris
test('ARIS: a delegate is possible from two designers on, differs from the owner, and keeps the designers at two', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, 'goodname')
  await expect(delegate(page)).toHaveCount(0)
  await field(page, 'Designer').fill('2')
  await expect(delegate(page)).toBeVisible()
  await field(page, 'Designer').fill('1')
  await expect(delegate(page)).toHaveCount(0)

  await field(page, 'Designer').fill('2')
  await fillAndBlur(delegate(page), ' OWNER@example.com ')
  await expect(delegate(page)).toHaveAccessibleDescription(sameAsOwner)
  await expect(submitButton(page)).toBeDisabled()
  await fillAndBlur(delegate(page), 'nobody')
  await expect(delegate(page)).toHaveAccessibleDescription('Please enter a valid e-mail address.')
  await fillAndBlur(delegate(page), 'delegate@example.com')
  await expect(submitButton(page)).toBeEnabled()
  await expect(page.getByText(takesLicence)).toHaveCount(0)

  await field(page, 'Designer').fill('1')
  await expect(page.getByText(takesLicence)).toBeVisible()
  await field(page, 'Designer').blur()
  await expect(field(page, 'Designer')).toHaveValue('2')
  await expect(delegate(page)).toHaveValue('delegate@example.com')
})

// shows: licence-mining
test('MINING: editions, licences, data volume and process size', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await chooseProduct(page, 'MINING')
  expect(await optionsOf(page, 'Edition')).toEqual(['Basic', 'Advanced', 'Enterprise'])
  await expectLicences(page, { Analyst: '1', 'Data volume (GB)': '10' })
  await expect(page.getByRole('radiogroup', { name: 'Process type' })).toHaveCount(0)
  const volume = field(page, 'Data volume (GB)')
  await volume.fill('0')
  await expect(volume).toHaveAccessibleDescription('Data volume must be more or equal to 1')

  await select(page, 'Edition', 'Advanced')
  await field(page, 'Data volume (GB)').fill('10')
  await expectLicences(page, { Analyst: '1', Engineer: '0', Viewer: '0', 'Data volume (GB)': '10' })
  await page.getByText('Living', { exact: true }).click()
  expect(await optionsOf(page, 'Process size')).toEqual(['Living Process S'])
  await page.getByText('Flex', { exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Process size' })).toHaveCount(0)

  await select(page, 'Edition', 'Enterprise')
  await expectLicences(page, { Analyst: '1', Engineer: '0', Viewer: '0', 'Data volume (GB)': '20' })
  await page.getByText('Living', { exact: true }).click()
  expect(await optionsOf(page, 'Process size')).toEqual(
    ['S', 'M', 'L', 'XL', '2XL', '3XL', '4XL'].map((size) => `Living ${size}`),
  )
})

test('MINING: somebody must be able to own the room', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await chooseProduct(page, 'MINING')
  const analyst = field(page, 'Analyst')
  await analyst.fill('0')
  await expect(analyst).toHaveAccessibleDescription('Analyst license must be more or equal to 1')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Warning', 'Please add minimum one analyst licence')).toBeVisible()

  await select(page, 'Edition', 'Advanced')
  await analyst.fill('0')
  await expect(analyst).toHaveAccessibleDescription('Analyst or engineer license must be more or equal to 1')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Warning', 'Please add minimum one analyst licence or engineer')).toBeVisible()
  await field(page, 'Engineer').fill('1')
  await expect(analyst).toHaveAccessibleDescription('')
})

// shows: delegate-mining
test('MINING: a delegate is possible with two analysts, with two engineers, or with one of each', async ({
  openAs,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await chooseProduct(page, 'MINING')
  await field(page, 'Analyst').fill('2')
  await expect(delegate(page)).toBeVisible()
  await field(page, 'Analyst').fill('1')
  await expect(delegate(page)).toHaveCount(0)

  await select(page, 'Edition', 'Enterprise')
  const counts = [
    ['1', '0', false],
    ['1', '1', true],
    ['0', '1', false],
    ['0', '2', true],
    ['2', '0', true],
  ] as const
  for (const [analysts, engineers, possible] of counts) {
    await field(page, 'Analyst').fill(analysts)
    await field(page, 'Engineer').fill(engineers)
    await expect(delegate(page), `${analysts} analysts, ${engineers} engineers`).toHaveCount(possible ? 1 : 0)
  }
})

// shows: licence-enterprise
test('ENTERPRISE: sub mining type, licences with their types, an admin, and never a delegate', async ({ openAs }) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await chooseProduct(page, 'ENTERPRISE')
  await fillInRoom(page, 'goodname')
  await expect(page.getByRole('combobox', { name: 'Edition' })).toHaveValue('Enterprise shared')
  await expectLicences(page, { Viewer: '0', 'Viewer pro': '0', Designer: '0', Admin: '1', 'AI credits': '0' })
  await expect(submitButton(page)).toBeDisabled()
  expect(await optionsOf(page, 'Sub mining type')).toEqual(['Mining Basic', 'Mining Enterprise'])
  await select(page, 'Sub mining type', 'Mining Enterprise')
  await expect(submitButton(page)).toBeEnabled()

  for (const licence of ['Viewer', 'Viewer pro', 'Designer']) {
    const types = page.getByRole('radiogroup', { name: `Type of ${licence}`, exact: true })
    await expect(types.getByRole('radio', { name: 'Named' })).toBeChecked()
    await types.getByText('Concurrent').click()
    await expect(types.getByRole('radio', { name: 'Concurrent' })).toBeChecked()
  }
  const calm = page.getByRole('radiogroup', { name: 'SAP Calm server' })
  await expect(calm.getByRole('radio', { name: 'Disabled' })).toBeChecked()
  await field(page, 'Designer').fill('9')
  await field(page, 'Admin').fill('9')
  await expect(delegate(page)).toHaveCount(0)

  await field(page, 'Admin').fill('0')
  await expect(field(page, 'Admin')).toHaveAccessibleDescription('Admin license must be more or equal to 1')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'Warning', 'Please add minimum one admin licence')).toBeVisible()
})

/** Expects exactly these licences, with these counts. */
async function expectLicences(page: Page, counts: Record<string, string>): Promise<void> {
  const section = page.getByRole('region', { name: 'Licences' })
  for (const [label, count] of Object.entries(counts)) {
    await expect(licence(section, label)).toHaveValue(count)
  }
  // Counts number inputs only: the process size is a select.
  await expect(section.getByRole('textbox')).toHaveCount(Object.keys(counts).length)
}

function licence(section: Locator, label: string): Locator {
  return section.getByRole('textbox', { name: label, exact: true })
}
