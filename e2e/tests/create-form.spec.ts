/** Creating a project room, from the form to the region. What needs no server is in CreateRoomPage.test.tsx. */
import { uniqueRoomName } from '@roomkeeper/dev-env'
import { createPath, field, fillAndBlur, fillInRoom, submitCreation } from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'
import { toast } from '../toasts.ts'

// shows: create-trimmed
test('everything that was filled in arrives, trimmed, and the list shows it; a reload before that asks', async ({
  openAs,
  network,
}) => {
  const name = uniqueRoomName()
  const page = await openAs('CLOUD_SALES', createPath)
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await expect(field(page, 'Company name')).toBeVisible()
  await page.reload()
  expect(asked).toEqual([])
  await field(page, 'Company name').fill('Not to be sent')
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await fillInRoom(page, ` ${name} `)
  await field(page, 'Company name').fill('  Example & Söhne  ')
  await field(page, 'Contact details').fill('+47 22 33 44 55\nweekdays')
  await field(page, 'Sales contact').fill(' Sally ')
  await field(page, 'Expiration date').fill('31.12.2031')
  await page.getByText('Online Shop', { exact: true }).click()
  await field(page, 'Designer').fill('2')
  await field(page, 'Delegate e-mail').fill(' delegate@example.com ')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog', { name: 'Sales channel Online Shop' }).getByRole('button', { name: 'Create' }).click()

  const accepted = `The project room ${name} is being created. Its row shows the progress.`
  await expect(toast(page, 'Create project room', accepted)).toBeVisible()
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

test('a name that is taken is refused at its field, keeps what was entered, and another name works', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const taken = uniqueRoomName('taken')
  await insertRooms(network, [{ name: taken }])
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, taken)
  browserErrors.expect(/^POST \/api\/operator\/create 409$/)
  await submitCreation(page)
  const name = field(page, 'Project room name')
  const refusal = `A project room named ${taken} already exists.`
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(refusal)
  await fillAndBlur(field(page, 'Company name'), 'Another company')
  await expect(name).toHaveAccessibleDescription(refusal)

  const free = uniqueRoomName('free')
  await name.fill(free)
  await expect(name).toHaveAccessibleDescription('')
  await submitCreation(page)
  await expect(rowOf(page, free)).toBeVisible()
})

test('after a lost connection the same form can be sent again without making two rooms', async ({
  openAs,
  network,
  browserErrors,
}) => {
  const name = uniqueRoomName()
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, name)
  browserErrors.expect(/^POST \/api\/operator\/create net::ERR_CONNECTION_RESET$/)
  await page.route('**/api/operator/create', async (route) => {
    // The server receives the request, but its answer is lost.
    const answer = await route.fetch()
    expect(answer.status()).toBe(202)
    await route.abort('connectionreset')
  })
  await submitCreation(page)
  const failure = page.getByRole('alert').filter({ hasText: 'Create Project Room Failed' })
  await expect(failure).toBeFocused()
  await expect(failure).toContainText('The server cannot be reached.')
  await expect(failure).toContainText('Trying again with the same entries does not create a second room.')

  await page.unrouteAll()
  await submitCreation(page)
  await expect(page).toHaveURL(listPath)
  await expect(rowOf(page, name).getByText('Active', { exact: true })).toBeVisible()
  const started = await network.database.rows('select from operations where room_name = $1', [name])
  expect(started).toHaveLength(1)
})
