/** The pages of the console, for the palette and the menu of the header. */
import type { Access, Role } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import {
  IconAlertCircle,
  IconApi,
  IconBarrierBlock,
  IconBell,
  IconChartBar,
  IconDoor,
  IconFileImport,
  IconHistory,
  IconKey,
  IconPlus,
  IconStack2,
  IconStethoscope,
  IconTrash,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react'

const screens = [
  { id: 'overview', access: 'all', to: '/project/overview', icon: IconAlertCircle },
  { id: 'rooms', access: 'all', to: '/project/administration', icon: IconDoor },
  { id: 'create', access: 'edit', to: '/project/create_project_room', icon: IconPlus },
  { id: 'import', access: 'edit', to: '/project/import_project_room', icon: IconFileImport },
  { id: 'statistics', access: 'all', to: '/project/statistics', icon: IconChartBar },
  { id: 'notifications', access: 'admin', to: '/project/set_notification', icon: IconBell },
  { id: 'maintenance', access: 'admin', to: '/project/maintenance_mode', icon: IconBarrierBlock },
  { id: 'bulks', access: 'all', to: '/project/bulk', icon: IconStack2 },
  { id: 'audit', access: 'admin', to: '/project/audit', icon: IconHistory },
  { id: 'consistency', access: 'admin', to: '/project/consistency', icon: IconStethoscope },
  { id: 'deleted', access: 'admin', to: '/project/deleted', icon: IconTrash },
  { id: 'tokens', access: 'all', to: '/project/tokens', icon: IconApi },
  { id: 'webhooks', access: 'admin', to: '/project/webhooks/{-$id}', icon: IconWebhook },
  { id: 'operators', access: 'super', to: '/project/operators', icon: IconUsersGroup },
  { id: 'changePassword', access: 'all', to: '/project/change_operator_password', icon: IconKey },
] as const satisfies readonly { id: string; access: Access; to: string; icon: unknown }[]

/** The pages that the role may open. */
export function screensOf(role: Role) {
  return screens.filter(({ access }) => roleAllows(role, access))
}

export type Screen = (typeof screens)[number]
