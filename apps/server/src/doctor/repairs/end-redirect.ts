/** Ends a redirect of a room's visitors. */
import { because } from '@roomkeeper/contract'
import { queryRows } from '#platform/database.ts'
import { type RepairKind, regionOf } from './repair-kind.ts'

export const endRedirect: RepairKind = {
  async preview(_, { facts }) {
    return [{ field: 'target', from: facts.target ?? null, to: null }]
  },
  async run(call, parts, { roomName, regionId }) {
    const { client, name } = await regionOf(parts, regionId)
    await client.deleteRoute(roomName ?? '', call.mark)
    await call.transaction((tx) =>
      queryRows(tx, 'delete from redirects where room_name = $1 and region_id = $2', [roomName, regionId]),
    )
    await call.log([because('log-redirect-ended', { region: name })])
  },
}
