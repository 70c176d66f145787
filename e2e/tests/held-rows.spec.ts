/** What can be clicked does not move: the order of rows holds while the pointer or the focus is among them. */
import { editPath } from '../edit-room.ts'
import { expect, test } from '../fixtures.ts'
import { insertRooms, regionKnowsNothing } from '../insert-rooms.ts'
import { changeRooms } from '../live-changes.ts'
import { rowOf, shownRooms } from '../room-list.ts'

test('rows keep their places under the pointer, and the new order comes when it leaves or when it is asked for', async ({
  openAs,
  network,
  troubles,
}) => {
  // The console asks for the room that is gone.
  troubles.expect(/^GET \/api\/operator\/room 404$/)
  await insertRooms(network, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  await expect(rowOf(page, 'c')).toBeVisible()
  await rowOf(page, 'b').hover()
  await insertRooms(network, [{ name: 'd' }])
  await changeRooms(network, ['d', 'c'], 'Changed')
  await expect(rowOf(page, 'c')).toContainText('Changed')
  const notice = page.getByRole('button', { name: '4 changes', exact: true })
  await expect(notice).toBeVisible()
  expect(await shownRooms(page)).toEqual(['c', 'b', 'a'])
  // By keyboard: a pointer that goes there leaves the rows, and that alone shows the new order.
  await notice.press('Enter')
  await page.mouse.move(0, 0)
  expect(await shownRooms(page)).toEqual(['d', 'c', 'b', 'a'])
  await expect(notice).toHaveCount(0)

  // The place of a row that is gone stays empty. The focus holds, too.
  await page.keyboard.press('j')
  const place = await rowOf(page, 'b').boundingBox()
  await network.database.rows(`delete from rooms where name = 'c'`)
  await changeRooms(network, ['c'], '')
  await expect(rowOf(page, 'c')).toHaveCount(0)
  expect(await rowOf(page, 'b').boundingBox()).toEqual(place)
  await page.getByRole('searchbox', { name: 'Search' }).focus()
  await expect.poll(async () => (await rowOf(page, 'b').boundingBox())?.y).toBeLessThan(place?.y ?? 0)
})

test('a backup that comes while the pointer is among the others moves none of them', async ({
  openAs,
  network,
  troubles,
}) => {
  troubles.expect(regionKnowsNothing)
  await insertRooms(network, [{ name: 'kept', state: 'SUSPENDED' }])
  const addBackup = (days: number) =>
    network.database.rows(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
       select gen_random_uuid(), id, name, 'classic', name, 1, '', now() - $1 * interval '1 day' from rooms`,
      [days],
    )
  await addBackup(3)
  await addBackup(2)
  const page = await openAs('CLOUD_ADMINISTRATOR', editPath('kept', 'backups'))
  const rows = page.getByRole('table', { name: 'Backups' }).getByRole('rowheader')
  await expect(rows).toHaveCount(2)
  const [newest = ''] = await rows.allTextContents()
  await rows.first().hover()
  await addBackup(1)
  await network.database.rows(
    `insert into events (payload) values (jsonb_build_object(
       'type', 'operation', 'room', 'kept', 'operationId', gen_random_uuid()))`,
  )
  const notice = page.getByRole('button', { name: '3 changes', exact: true })
  await expect(notice).toBeVisible()
  await expect(rows.first()).toHaveText(newest)
  await notice.press('Enter')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toHaveText(newest)
})

test('an action of a row never takes the place of another', async ({ openAs, network }) => {
  await insertRooms(network, [
    { name: 'fine' },
    { name: 'failed', state: 'ERROR' },
    { name: 'busy', state: 'IN_PROGRESS' },
  ])
  const page = await openAs('CLOUD_ADMINISTRATOR')
  const leftOf = async (label: string) =>
    Math.round((await page.getByRole('button', { name: new RegExp(`^${label}`) }).boundingBox())?.x ?? 0)
  const places = {
    edit: await leftOf('Edit fine'),
    delete: await leftOf('Delete fine'),
    info: await leftOf('Show error messages of failed'),
  }
  expect(await leftOf('Edit failed')).toBe(places.edit)
  expect(await leftOf('Delete failed')).toBe(places.delete)
  expect(await leftOf('Check whether the operation of busy')).toBe(places.info)
  expect(places.info).toBeLessThan(places.edit)
})
