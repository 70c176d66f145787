import type { Region } from '@roomkeeper/contract'
import { IconServer } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { storedList, storeList } from '#api/stored-lists.ts'
import { answersTo, type Command, inOrder } from './command.ts'
import { namedRoomCommand, useOpenRoom, useRoomCommands } from './use-room-commands.ts'
import { type Panels, useScreenCommands } from './use-screen-commands.ts'

interface CommandsOptions {
  query: string
  /** What is typed, once typing pauses. */
  settledQuery: string
  setQuery: (query: string) => void
  panels: Panels
}

/** What the palette offers for what is typed, in its order; without a query what was used last comes first. */
export function useCommands({ panels, ...options }: CommandsOptions) {
  const screens = useScreenCommands(panels)
  const regions = useRegionCommands()
  const rooms = useRoomCommands(options)
  const openRoom = useOpenRoom()
  const isBlank = options.query.trim() === ''
  const fixed = [...rooms.starters, ...screens]
  const matching = rooms.asksForVerb ? [] : [...fixed, ...regions].filter((each) => answersTo(each, options.query))
  const recent = (): Command[] =>
    recentIds().flatMap((id) => {
      const room = /^room:([^:]+)$/.exec(id)?.[1]
      const found = room === undefined ? [...screens, ...regions].find((each) => each.id === id) : undefined
      const command = room === undefined ? found : namedRoomCommand(room, openRoom)
      return command === undefined ? [] : [{ ...command, group: 'recent' as const }]
    })
  return {
    commands: inOrder(isBlank ? [...recent(), ...fixed] : [...matching, ...rooms.commands]),
    isSearching: rooms.isSearching,
    error: isBlank ? null : rooms.error,
  }
}

/** What was chosen in the palette last, newest first. Names of rooms are customers' data: cleared with the session. */
const table = 'recentCommands'
const mostRecent = 6

function recentIds(): readonly string[] {
  const stored = storedList(table, '')
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string').slice(0, mostRecent) : []
}

export function noteRecent(id: string): void {
  storeList(table, '', [id, ...recentIds().filter((each) => each !== id)].slice(0, mostRecent))
}

/** The regions: each leads to its rooms. */
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
      run: () => void navigate({ to: '/project/statistics', search: { region: regionId } }),
    }),
  )
}
