import type { Region } from '@roomkeeper/contract'
import {
  type Icon,
  IconActivity,
  IconAlertCircle,
  IconBook,
  IconBookmark,
  IconKeyboard,
  IconLogout,
  IconServer,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { regionsQuery } from '#api/queries.ts'
import { showView, viewsQuery } from '#rooms/index.ts'
import { showKeys } from '#ui/table/use-page-keys.tsx'
import { type Command, matchesQuery, sortCommands } from './command.ts'
import { recentFirst, recentIds } from './recent-commands.ts'
import { screenIcons } from './screen-icons.ts'
import { type Screen, screensOf } from './screens.ts'
import { namedRoomCommand, useOpenRoom, useRoomCommands } from './use-room-commands.ts'

interface CommandsOptions {
  query: string
  /** The query after a pause in typing. */
  settledQuery: string
  setQuery: (query: string) => void
  panels: Panels
}

/** The commands for a query, in the palette's order; without a query, the last used commands come first. */
export function useCommands({ panels, ...options }: CommandsOptions) {
  const screens = useScreenCommands(panels)
  const regions = [...useRegionCommands(), ...useViewCommands()]
  const rooms = useRoomCommands(options)
  const openRoom = useOpenRoom()
  const isBlank = options.query.trim() === ''
  const fixed = [...rooms.starters, ...screens]
  const matching = rooms.asksForVerb ? [] : [...fixed, ...regions].filter((each) => matchesQuery(each, options.query))
  const matchingRecentFirst = recentFirst(matching, ({ id }) => id)
  const recent = (): Command[] =>
    recentIds().flatMap((id) => {
      const room = /^room:([^:]+)$/.exec(id)?.[1]
      const found = room === undefined ? [...screens, ...regions].find((each) => each.id === id) : undefined
      const command = room === undefined ? found : namedRoomCommand(room, openRoom)
      return command === undefined ? [] : [{ ...command, group: 'recent' as const }]
    })
  return {
    commands: sortCommands(isBlank ? [...recent(), ...fixed] : [...matchingRecentFirst, ...rooms.commands]),
    isOutdated: !isBlank && rooms.isOutdated,
    isSearching: rooms.isSearching,
    error: isBlank ? null : rooms.error,
  }
}

/** The regions. Each command leads to the region's rooms. */
function useRegionCommands(): Command[] {
  const { t } = useTranslation('commands')
  const navigate = useNavigate()
  const { data = [] } = useQuery(regionsQuery)
  return data.map(
    ({ regionId, regionName, numberOfProjectRooms }: Region): Command => ({
      id: `region:${regionId}`,
      group: 'regions',
      label: regionName,
      detail: t('regionDetail', { count: numberOfProjectRooms }),
      icon: IconServer,
      run: () => void navigate({ to: '/project/administration', search: { region: String(regionId) } }),
    }),
  )
}

/** The views of the list. */
function useViewCommands(): Command[] {
  const { t } = useTranslation('commands')
  const navigate = useNavigate()
  const { data = [] } = useQuery(viewsQuery)
  return data.map(
    (view): Command => ({
      id: `view:${view.id}`,
      group: 'screens',
      label: t('view', view),
      icon: IconBookmark,
      run: () => void navigate({ to: '/project/administration', search: showView(view) }),
    }),
  )
}

/** What the header can open. */
export interface Panels {
  openCustomers: () => void
  openOperations: () => void
  openCloud: (tab: Extract<Screen, { isCloudTab: true }>['id']) => void
  logOut: () => void
}

/** The screens and panels that the role may open. */
function useScreenCommands({ openCustomers, openOperations, openCloud, logOut }: Panels): Command[] {
  const { t } = useTranslation('commands')
  const { role } = useOperator()
  const navigate = useNavigate()
  const otherWords: Readonly<Record<string, string>> = t('otherWords', { returnObjects: true })
  const named = (name: Screen['id'] | 'failedRooms' | 'customerPanel' | 'operations' | 'keys' | 'apiReference') => {
    const label = t(`screens.${name}`)
    return { label, keywords: `${label} ${otherWords[name] ?? ''}` }
  }
  const panel = (name: Parameters<typeof named>[0], icon: Icon, run: () => void): Command => ({
    id: `panel:${name}`,
    group: 'screens',
    ...named(name),
    icon,
    run,
  })
  return [
    ...screensOf(role).map((screen): Command => {
      const { id, to } = screen
      const icon = screenIcons[id]
      if ('isCloudTab' in screen) return panel(id, icon, () => openCloud(screen.id))
      return {
        id: `screen:${id}`,
        group: id === 'create' || id === 'import' ? 'actions' : 'screens',
        ...named(id),
        icon,
        run: () => void navigate({ to }),
      }
    }),
    panel(
      'failedRooms',
      IconAlertCircle,
      () => void navigate({ to: '/project/administration', search: { status: 'ERROR' } }),
    ),
    panel('customerPanel', IconUsers, openCustomers),
    panel('operations', IconActivity, openOperations),
    panel('keys', IconKeyboard, () => showKeys()),
    panel('apiReference', IconBook, () => window.open('./api/reference', '_blank', 'noopener')),
    { id: 'log-out', group: 'actions', label: t('screens.logOut'), icon: IconLogout, run: logOut },
  ]
}
