/**
 * Finds the row of the route table for a call. The list of rooms loads only the rows of its own calls: the schemas of all
 * others are a tenth of what it would load, and no page needs them before it is opened.
 */
import {
  eventRoutes,
  maintenanceRoutes,
  operationRoutes,
  type RouteName,
  type RouteOf,
  roomRoutes,
  sessionRoutes,
} from '@roomkeeper/contract'

const first = { ...sessionRoutes, ...roomRoutes, ...operationRoutes, ...eventRoutes, ...maintenanceRoutes }

export const routeOf: RouteOf = (name) =>
  isFirst(name) ? first[name] : import('./later-routes.ts').then(({ routes }) => routes[name])

function isFirst(name: RouteName): name is keyof typeof first {
  return name in first
}
