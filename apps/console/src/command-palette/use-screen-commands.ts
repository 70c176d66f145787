import type { Access } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import {
  IconBarrierBlock,
  IconBell,
  IconChartBar,
  IconCloudCog,
  IconDoor,
  IconFileImport,
  IconHistory,
  IconKey,
  IconLogout,
  IconPlus,
  IconStethoscope,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import type { Command } from './command.ts'

const screens = [
  { id: 'rooms', access: 'all', to: '/project/administration', icon: IconDoor },
  { id: 'create', access: 'edit', to: '/project/create_project_room', icon: IconPlus },
  { id: 'import', access: 'edit', to: '/project/import_project_room', icon: IconFileImport },
  { id: 'statistics', access: 'all', to: '/project/statistics', icon: IconChartBar },
  { id: 'notifications', access: 'admin', to: '/project/set_notification', icon: IconBell },
  { id: 'maintenance', access: 'admin', to: '/project/maintenance_mode', icon: IconBarrierBlock },
  { id: 'audit', access: 'admin', to: '/project/audit', icon: IconHistory },
  { id: 'consistency', access: 'admin', to: '/project/consistency', icon: IconStethoscope },
  { id: 'operators', access: 'super', to: '/project/operators', icon: IconUsersGroup },
  { id: 'changePassword', access: 'all', to: '/project/change_operator_password', icon: IconKey },
] as const satisfies readonly { id: string; access: Access; to: string; icon: unknown }[]

/** What the header opens. */
export interface Panels {
  openCustomers: () => void
  /** Absent: the role may not. */
  openConfiguration?: () => void
  logOut: () => void
}

/** The screens and panels that the role may open. */
export function useScreenCommands({ openCustomers, openConfiguration, logOut }: Panels): Command[] {
  const { t } = useTranslation('commands')
  const { role } = useOperator()
  const navigate = useNavigate()
  const panel = (name: 'customers' | 'configuration', icon: typeof IconUsers, run: () => void): Command => ({
    id: `panel:${name}`,
    group: 'screens',
    label: t(`screens.${name}`),
    icon,
    run,
  })
  const opened = screens.filter(({ access }) => roleAllows(role, access))
  return [
    ...opened.map(
      ({ id, to, icon }): Command => ({
        id: `screen:${id}`,
        group: id === 'create' || id === 'import' ? 'actions' : 'screens',
        label: t(`screens.${id}`),
        icon,
        run: () => void navigate({ to }),
      }),
    ),
    panel('customers', IconUsers, openCustomers),
    ...(openConfiguration === undefined ? [] : [panel('configuration', IconCloudCog, openConfiguration)]),
    { id: 'log-out', group: 'actions', label: t('screens.logOut'), icon: IconLogout, run: logOut },
  ]
}
