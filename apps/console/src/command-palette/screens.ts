/** The pages of the console, for the navigation, the palette and the menus of the header. */
import type { Access, Role } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'

const screens = [
  { id: 'overview', access: 'all', to: '/project/overview' },
  { id: 'rooms', access: 'all', to: '/project/administration' },
  { id: 'customers', access: 'all', to: '/project/customers' },
  { id: 'create', access: 'edit', to: '/project/create_project_room' },
  { id: 'import', access: 'edit', to: '/project/import_project_room' },
  { id: 'statistics', access: 'all', to: '/project/statistics' },
  { id: 'notifications', access: 'admin', to: '/project/set_notification' },
  { id: 'maintenance', access: 'admin', to: '/project/maintenance_mode' },
  { id: 'bulks', access: 'all', to: '/project/bulk' },
  { id: 'activity', access: 'all', to: '/project/activity' },
  { id: 'audit', access: 'admin', to: '/project/audit' },
  { id: 'consistency', access: 'admin', to: '/project/consistency' },
  { id: 'deleted', access: 'admin', to: '/project/deleted' },
  { id: 'tokens', access: 'all', to: '/project/tokens' },
  { id: 'webhooks', access: 'admin', to: '/project/webhooks/{-$id}' },
  { id: 'operators', access: 'super', to: '/project/operators' },
  { id: 'changePassword', access: 'all', to: '/project/change_operator_password' },
  // The tabs of the Manage Cloud dialog, which the palette opens there.
  { id: 'configuration', access: 'admin', to: '/project/configuration', isCloudTab: true },
  { id: 'regions', access: 'admin', to: '/project/regions', isCloudTab: true },
  { id: 'migration', access: 'admin', to: '/project/migrations', isCloudTab: true },
  { id: 'backups', access: 'admin', to: '/project/backups', isCloudTab: true },
  { id: 'monitoring', access: 'admin', to: '/project/monitoring', isCloudTab: true },
] as const satisfies readonly { id: string; access: Access; to: string; isCloudTab?: true }[]

export type Screen = (typeof screens)[number]

/** The pages in the row below the header, and those in its menu Settings. */
export const rowScreens = [
  'overview',
  'rooms',
  'customers',
  'regions',
  'migration',
  'backups',
  'activity',
  'monitoring',
  'statistics',
  'deleted',
] as const satisfies readonly Screen['id'][]
export const settingsScreens = [
  'operators',
  'tokens',
  'webhooks',
  'notifications',
  'maintenance',
  'configuration',
  'consistency',
  'audit',
  'bulks',
] as const satisfies readonly Screen['id'][]

/** The pages that the role may open: all, or those among the named ones, in their order. */
export function screensOf(role: Role): Screen[]
export function screensOf<Id extends Screen['id']>(role: Role, ids: readonly Id[]): Extract<Screen, { id: Id }>[]
export function screensOf(role: Role, ids: readonly string[] = screens.map(({ id }) => id)): Screen[] {
  return ids.flatMap((id) => screens.filter((each) => each.id === id && roleAllows(role, each.access)))
}

/** The page to which an address belongs. The pages of a room belong to the list. */
export function screenAt(path: string): Screen['id'] | undefined {
  if (path.includes('_project_room')) return 'rooms'
  return screens.find(({ to }) => path.startsWith(to.replace('/{-$id}', '')))?.id
}
