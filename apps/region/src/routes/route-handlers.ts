/** The protocol's calls about the redirects of rooms that moved to another region. */
import type { Handlers } from '#http/handlers.ts'
import { type Region, runExclusively } from '#region.ts'
import { forgetRoute, routesAfter, setRoute } from './room-routes.ts'

export function routeHandlers(region: Region) {
  return {
    routes: async ({ query: { after, limit } }) => {
      const found = routesAfter(region, after, limit + 1)
      const page = found.slice(0, limit)
      return { routes: page, next: found.length > limit ? (page.at(-1)?.name ?? null) : null }
    },
    putRoute: ({ params: { name }, body, fence }) =>
      runExclusively(region, name, fence, async () => setRoute(region, name, body.targetUrl)),
    deleteRoute: ({ params: { name }, fence }) =>
      runExclusively(region, name, fence, async () => forgetRoute(region, name)),
  } satisfies Partial<Handlers>
}
