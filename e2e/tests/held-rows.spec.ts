/** What can be clicked does not move. That rows hold their places is in RoomsPage.test.tsx. */
import { expect, test } from '../fixtures.ts'
import { insertRooms } from '../insert-rooms.ts'

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
