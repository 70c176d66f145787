/** A region that stops answering while a finding is checked again is named, instead of something being 'under way'. */
import { RegionUnreachable } from '@roomkeeper/region-protocol'
import { expect, it } from 'vitest'
import { settleRedirect } from '#doctor/checks/check-redirects.ts'
import { settleSuspect } from '#doctor/walk/settle-suspect.ts'
import { insertRegion, insertRooms } from '../room-rows.ts'
import { createTestDatabase } from '../test-database.ts'

const { db } = await createTestDatabase()

const silent = () => Promise.reject(new RegionUnreachable('ECONNREFUSED'))
function region(client: object) {
  return { id: 1, name: 'north', url: 'http://127.0.0.1:1', lost: null, damaged: new Map(), client } as never
}
const route = { suspect: { name: 'alpha', targetUrl: 'http://127.0.0.1:2' }, after: '' }

it('when its redirects are listed again', async () => {
  expect(await settleRedirect(db, [], region({ routes: silent }), route)).toEqual({
    lost: { code: 'region-unreachable', params: { error: 'ECONNREFUSED' } },
  })
  // It has listed redirects a moment before, and does not know the call any more.
  expect(await settleRedirect(db, [], region({ routes: async () => null }), route)).toEqual({
    lost: { code: 'stopped-answering', params: {} },
  })
})

it('when its room is asked for again', async () => {
  await insertRegion(db, { id: 1, name: 'north', url: 'http://127.0.0.1:1' })
  const [name = ''] = await insertRooms(db, [{ regionId: 1 }])
  const regions = new Map([[1, region({ room: silent, status: silent })]])
  const suspect = { name, room: null, copies: [], damaged: [] }
  const settled = await settleSuspect(db, suspect, regions, AbortSignal.timeout(10_000))
  expect(settled).toEqual({ found: null, silent: [1] })
})
