/**
 * Finds the row of the route table for a call. The list of rooms loads only the rows of its own calls: the schemas of all
 * others are a tenth of what it would load, and no page needs them before it is opened.
 */
import {
  eventRoutes,
  maintenanceRoutes,
  operationRoutes,
  type Route,
  type RouteName,
  type RouteOf,
  roomRoutes,
  sessionRoutes,
} from '@roomkeeper/contract'

const first = { ...sessionRoutes, ...roomRoutes, ...operationRoutes, ...eventRoutes, ...maintenanceRoutes }

export const routeOf: RouteOf = (name) => (isIn(first, name) ? first[name] : laterRoute(name))

async function laterRoute(name: Exclude<RouteName, keyof typeof first>): Promise<Route> {
  const { later } = await import('./later-routes.ts')
  if (isIn(later, name)) return later[name]
  const { fleet } = await import('./fleet-routes.ts')
  return fleet[name]
}

function isIn<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return name in table
}
