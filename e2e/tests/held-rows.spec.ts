/** What can be clicked does not move. How long rows hold their places is in RoomsPage.test.tsx. */
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'
import { changeRooms } from '../live-changes.ts'
import { rowOf } from '../room-list.ts'

test('an action of a row never takes the place of another, and under the pointer the place of a row that is gone stays empty', async ({
  openAs,
  network,
}) => {
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

  await rowOf(page, 'fine').hover()
  const place = await rowOf(page, 'busy').boundingBox()
  await network.database.rows(`delete from rooms where name = 'failed'`)
  await changeRooms(network, ['failed'], '')
  await expect(rowOf(page, 'failed')).toHaveCount(0)
  expect(await rowOf(page, 'busy').boundingBox()).toEqual(place)
  await page.mouse.move(0, 0)
  await expect.poll(async () => (await rowOf(page, 'busy').boundingBox())?.y).toBeLessThan(place?.y ?? 0)
})
