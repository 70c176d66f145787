/** The settings of a room: what can be changed, which values are accepted, and that they arrive. */
import { enterpriseDraft, miningDraft } from '@roomkeeper/dev-env'
import { field, fillAndBlur, select } from '../create-form.ts'
import { editPath, submitChanges } from '../edit-room.ts'
import { setFaults } from '../faults.ts'
import { expect, test } from '../fixtures.ts'
import { toast } from '../toasts.ts'

const arisAdvanced = { edition: 'advanced', licenses: { YAAD: 2, YAAV: 10, YAAA: 1 } } as const

// shows: edit-submit
test('what was changed arrives here and on the region, trimmed, and the form starts from it', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom(arisAdvanced)
  const page = await openAs('CLOUD_SALES', editPath(name))
  await expect(submitChanges(page)).toBeDisabled()
  await submitChanges(page).hover({ force: true })
  await expect(page.getByRole('tooltip', { name: 'Nothing has been changed yet.' })).toBeVisible()

  await field(page, 'Company name').fill('  New Company  ')
  await submitChanges(page).hover({ force: true })
  const missing = 'Still to be filled in or corrected: New SAP contract number'
  await expect(page.getByRole('tooltip', { name: missing })).toBeVisible()
  const sapNumber = `SAP ${name}`
  await field(page, 'New SAP contract number').fill(sapNumber)
  await field(page, 'Expiration date').fill('31.12.2099')
  await field(page, 'Viewer').fill('25')
  await submitChanges(page).click()
  await expect(toast(page, `${name} saved`, `The changes of ${name} are stored, here and on its region.`)).toBeVisible()
  await expect(submitChanges(page)).toBeDisabled()
  await expect(page.getByText(/^Saved \d\d:\d\d:\d\d · /)).toBeVisible()
  await expect(field(page, 'Company name')).toHaveValue('New Company')

  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room).toMatchObject({
    companyName: 'New Company',
    sapNumberLast: sapNumber,
    expirationDate: '2099-12-31',
    licenses: { YAAV: 25, YAAD: 2 },
  })
  const { body: onRegion } = await network.admin.call('roomLicences', { query: { projectRoom: name } })
  expect(onRegion.find((each) => each.licenseKey === 'YAAV')).toMatchObject({ licenseAmount: 25 })
})

// shows: edit-read-only
test('name, product, edition, region, creation date, original SAP number and sales channel are read only', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom({ sapNumber: '4712-x' })
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  const values: Record<string, string | RegExp> = {
    'Project room name': name,
    'Product type': 'ARIS',
    'Edition type': 'Basic',
    Region: 'region-1',
    'Creation date': /^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/,
    'Original SAP contract number': '4712-x',
    'Sales channel': 'Direct Sales',
  }
  for (const [label, value] of Object.entries(values)) {
    await expect(field(page, label)).toHaveValue(value)
    await expect(field(page, label)).toHaveAttribute('readonly', '')
  }
  await expect(field(page, 'Expiration date')).toHaveAttribute('placeholder', 'Unlimited')
})

// shows: edit-licences
test('each product has its own licences and messages', async ({ openAs, network }) => {
  const aris = await network.newRoom(arisAdvanced)
  const basic = { product: 'MINING', edition: 'basic', licenses: { YPMBA: 1 } } as const
  const miningBasic = await network.newRoom({
    ...basic,
    subLicenses: [{ licenseKey: 'DataVolumeGB', subLicenseAmount: 10, productKey: 'YPMBA' }],
  })
  const mining = await network.newRoom(miningDraft())
  const enterprise = await network.newRoom(enterpriseDraft())

  const page = await openAs('CLOUD_SALES', editPath(aris))
  await fillAndBlur(field(page, 'Designer'), '0')
  await expect(field(page, 'Designer')).toHaveAccessibleDescription('Designer license must be more or equal to 1')
  const obsolete = 'This license is obsolete and will not be supported in the future.'
  await expect(page.getByText(obsolete)).toHaveCount(1)
  await expect(field(page, 'EP EAM')).toBeEnabled()
  await field(page, 'Architect').fill('0')
  await expect(field(page, 'EP EAM')).toBeDisabled()

  await page.goto(editPath(miningBasic))
  await fillAndBlur(field(page, 'Analyst'), '0')
  await expect(field(page, 'Analyst')).toHaveAccessibleDescription('Analyst license must be more or equal to 1')

  await page.goto(editPath(mining))
  await fillAndBlur(field(page, 'Analyst'), '0')
  await expect(field(page, 'Analyst')).toHaveAccessibleDescription(
    'Analyst or engineer license must be more or equal to 1',
  )
  await fillAndBlur(field(page, 'Data volume (GB)'), '0')
  await expect(field(page, 'Data volume (GB)')).toHaveAccessibleDescription('Data volume must be more or equal to 1')

  await page.goto(editPath(enterprise))
  await fillAndBlur(field(page, 'Admin'), '0')
  await expect(field(page, 'Admin')).toHaveAccessibleDescription('Admin license must be more or equal to 1')
  await field(page, 'Admin').fill('1')
  await field(page, 'New SAP contract number').fill(`SAP ${enterprise}`)
  await page.getByRole('radiogroup', { name: 'Type of Viewer pro' }).getByText('Concurrent').click()
  await page.getByRole('radiogroup', { name: 'SAP Calm server' }).getByText('Enabled').click()
  await select(page, 'Sub mining type', 'Mining Enterprise')
  await submitChanges(page).click()
  await expect(page.getByText('are stored, here and on its region')).toBeVisible()
  const { body: room } = await network.admin.call('room', { query: { projectRoom: enterprise } })
  expect(room).toMatchObject({ subMiningType: 'MINING_ENTERPRISE', licenses: { ESSC: 1, ESV: 5 } })
  expect(room.licensesInformation).toContainEqual({ licenseKey: 'ESVP', licenseAmount: 0, licenseType: 'CUC' })
})

test('a licence row says how many are used, and a failure to count them has its own message', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newRoom(arisAdvanced)
  const page = await openAs('CLOUD_SUPPORT', editPath(name))
  const licences = page.getByRole('region', { name: 'Licences' })
  await expect(licences.getByText(/^\d+ used$/)).toHaveCount(7)

  browserErrors.expect(/^GET \/api\/operator\/room\/licensesInfo 50\d$/)
  // The console retries twice.
  const fault = { method: 'GET', rest: '/licences', action: 'status', status: 400, times: 3 } as const
  await setFaults(network, name, [fault])
  await page.reload()
  const failure = licences
    .getByRole('alert')
    .filter({ hasText: 'The licence types and used licences could not be loaded' })
  await expect(failure).toBeVisible()
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toBeHidden()
  await expect(licences.getByText(/^\d+ used$/)).toHaveCount(7)
})

// shows: delegate-licence
test('a delegate without a free licence takes one from a user who is not the cloud owner', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom({ licenses: { YABD: 1 } })
  const page = await openAs('CLOUD_SALES', editPath(name))
  await expect(field(page, 'Delegate e-mail')).toHaveCount(0)
  await page.route('**/room/licensesInfo**', (route) =>
    route.fulfill({ json: [{ licenseKey: 'YABD', licenseAmount: 2, licenseType: 'NUC', used: 2 }] }),
  )
  await page.reload()
  await expect(page.getByText('2 used')).toBeVisible()
  await field(page, 'Designer').fill('2')
  await fillAndBlur(field(page, 'Delegate e-mail'), 'deputy@example.com')
  await expect(page.getByText('It will be taken from a user who is not the cloud owner.')).toBeVisible()
  await field(page, 'Designer').fill('3')
  await expect(page.getByText('It will be taken from a user who is not the cloud owner.')).toBeHidden()
  await fillAndBlur(field(page, 'Delegate e-mail'), ' OWNER@example.com')
  await expect(field(page, 'Delegate e-mail')).toHaveAccessibleDescription(
    'The E-mail address of the delegate and owner has to be different.',
  )
})

// shows: edit-sap-unique
test('a SAP number that another room has is refused at its field', async ({ openAs, network, browserErrors }) => {
  await network.newRoom({ sapNumber: 'taken-1' })
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  const sapNumber = field(page, 'New SAP contract number')
  await sapNumber.fill(' TAKEN-1 ')
  browserErrors.expect(/^POST \/api\/operator\/edit 409$/)
  await submitChanges(page).click()
  await expect(sapNumber).toBeFocused()
  await expect(sapNumber).toHaveAccessibleDescription(
    'This SAP contract number is already used by another project room.',
  )
  await expect(page.getByRole('alert')).toHaveCount(0)
  await sapNumber.fill(`free ${name}`)
  await expect(sapNumber).toHaveAccessibleDescription('')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('are stored, here and on its region')).toBeVisible()
})

test('when the region refuses, nothing is changed and what was typed stays', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newRoom()
  await setFaults(network, name, [{ method: 'PATCH', action: 'status', status: 400, times: 20 }])
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  await field(page, 'Company name').fill('Never stored')
  browserErrors.expect(/^POST \/api\/operator\/edit 50\d$/)
  await submitChanges(page).click()
  await expect(page.locator('form').getByRole('alert')).toBeFocused()
  await expect(field(page, 'Company name')).toHaveValue('Never stored')
  const { body: room } = await network.admin.call('room', { query: { projectRoom: name } })
  expect(room).toMatchObject({ companyName: 'Example, Inc.', projectRoomState: 'DEFAULT', sapNumberLast: null })
})

test('a failure without words of its own is told in the specification’s', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_OPERATOR', editPath(name))
  await field(page, 'New SAP contract number').fill(`SAP ${name}`)
  browserErrors.expect(/^POST \/api\/operator\/edit 500$/)
  await page.route('**/api/operator/edit', (route) => route.fulfill({ status: 500, body: 'oops' }))
  await submitChanges(page).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Error while edit project room' })).toBeVisible()
})

test('changes survive a look at another tab of the page, and ask before the page is left', async ({
  openAs,
  network,
}) => {
  const name = await network.newRoom()
  const page = await openAs('CLOUD_SALES', editPath(name))
  await field(page, 'Company name').fill('Typed')
  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page).toHaveURL(editPath(name, 'history'))
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expect(field(page, 'Company name')).toHaveValue('Typed')
  await page.getByRole('button', { name: 'Back' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without submitting the changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).last().click()
  await expect(field(page, 'Company name')).toHaveValue('Typed')
  await page.getByRole('button', { name: 'Back' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL('/project/administration')
})
