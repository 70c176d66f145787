/** The calls that list, add, change, test and delete regions. */
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { addRegion, changeRegion, type RegionParts } from './change-region.ts'
import { deleteRegion } from './delete-region.ts'
import { listRegions, listSourceRegions } from './stored-region.ts'
import { testRegion } from './test-region.ts'

type RegionCalls = 'regions' | 'sourceRegions' | 'createRegion' | 'changeRegion' | 'deleteRegion' | 'testRegion'

export function regionHandlers(parts: RegionParts): Pick<Handlers, RegionCalls> {
  const { db } = parts.database
  return {
    regions: async () => ok(await listRegions(db)),
    sourceRegions: async () => ok(await listSourceRegions(db)),
    createRegion: async ({ body, caller, requestId }) =>
      ok(await addRegion(parts, body, { actor: caller.actor, requestId })),
    changeRegion: async ({ body, caller, requestId }) =>
      ok(await changeRegion(parts, body, { actor: caller.actor, requestId })),
    async deleteRegion({ body, caller, requestId }) {
      await deleteRegion(parts.database, body.id, { actor: caller.actor, requestId })
      return noContent
    },
    testRegion: async ({ body }) => ok(await testRegion(parts, body)),
  }
}
