/** What keeps a room from being created: a full region, the server's refusals, a lost connection. */
import { uniqueRoomName } from '@roomkeeper/dev-env'
import { createPath, field, fillAndBlur, fillInRoom, submitButton, submitCreation } from '../create-form.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { listPath, rowOf } from '../room-list.ts'

const exceeded = 'The maximum number of tenants for selected region is exceeded'

// shows: create-full
test('a full region is told at once, and nothing can be sent', async ({ openAs, network }) => {
  await network.database.rows('update regions set max_rooms = 1 where id = 1')
  await insertRooms(network, [{ name: 'other' }])
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, 'goodname')
  const region = page.getByRole('combobox', { name: 'Region' })
  await expect(region).toHaveAccessibleDescription(new RegExp(exceeded))
  await expect(submitButton(page)).toBeDisabled()
  await submitButton(page).hover({ force: true })
  await expect(page.getByRole('tooltip', { name: exceeded })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const text = 'Exceeded maximum number of project room on region region-1. Use another region or increase limit.'
  await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
  await expect(page).toHaveURL(createPath)

  await network.database.rows('update regions set max_rooms = -1 where id = 1')
  await page.reload()
  await fillInRoom(page, 'goodname')
  await expect(submitButton(page)).toBeEnabled()
})

test('a region that has become full meanwhile is refused by the server, at its field', async ({
  openAs,
  network,
  troubles,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, uniqueRoomName())
  await network.database.rows('update regions set max_rooms = 0 where id = 1')
  troubles.expect(/^POST \/api\/operator\/create 409$/)
  await submitCreation(page)
  const region = page.getByRole('combobox', { name: 'Region' })
  await expect(region).toBeFocused()
  await expect(region).toHaveAccessibleDescription(
    /Exceeded maximum number of project room on region region-1\. Use another region or increase limit\./,
  )
  await expect(submitButton(page)).toBeDisabled()
})

test('a name that is taken is refused at its field, keeps what was entered, and another name works', async ({
  openAs,
  network,
  troubles,
}) => {
  const taken = uniqueRoomName('taken')
  await insertRooms(network, [{ name: taken }])
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, taken)
  troubles.expect(/^POST \/api\/operator\/create 409$/)
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
  troubles,
}) => {
  const name = uniqueRoomName()
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, name)
  troubles.expect(/^POST \/api\/operator\/create net::ERR_CONNECTION_RESET$/)
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

test('a failure of the server without words of its own is told in the specification’s', async ({
  openAs,
  troubles,
}) => {
  const page = await openAs('CLOUD_SALES', createPath)
  await fillInRoom(page, uniqueRoomName())
  troubles.expect(/^POST \/api\/operator\/create 500$/)
  await page.route('**/api/operator/create', (route) => route.fulfill({ status: 500, body: 'oops' }))
  await submitCreation(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Create Project Room Failed' })).toBeVisible()
  await expect(submitButton(page)).toBeEnabled()
})
