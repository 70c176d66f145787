/** The protocol's calls about rooms that moved to another region. */
import type { Handlers } from '#http/handlers.ts'
import { inTurn, type Region } from '#region.ts'
import { forgetRoute, setRoute } from './room-routes.ts'

export function routeHandlers(region: Region) {
  return {
    putRoute: ({ params: { name }, body, fence }) =>
      inTurn(region, name, fence, async () => setRoute(region, name, body.targetUrl)),
    deleteRoute: ({ params: { name }, fence }) => inTurn(region, name, fence, async () => forgetRoute(region, name)),
  } satisfies Partial<Handlers>
}
