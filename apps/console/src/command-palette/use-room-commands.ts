import type { ProjectRoom } from '@roomkeeper/contract'
import { IconDoor } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { mayAct, type RoomAction, roomActions, useActOnRoom, whyNotAct } from '#room-actions/index.ts'
import { filtersIn, type RoomFilters, roomQueryOf } from '#rooms/index.ts'
import { type Command, requestedActionOf } from './command.ts'
import { recentFirst } from './recent-commands.ts'

const verbs = Object.keys(roomActions) as RoomAction[]

interface RoomCommandsOptions {
  query: string
  /** The query after a pause in typing. */
  settledQuery: string
  setQuery: (query: string) => void
}

/** The rooms that match the query, and the actions that are possible on them. */
export function useRoomCommands({ query, settledQuery, setQuery }: RoomCommandsOptions) {
  const { t } = useTranslation(['commands', 'room-actions'])
  const { role } = useOperator()
  const openRoom = useOpenRoom()
  const allowed = verbs.filter((verb) => mayAct(verb, role))
  const words = Object.fromEntries(allowed.map((verb) => [verb, t(`room-actions:${verb}`)])) as Record<
    RoomAction,
    string
  >
  const { verb, text } = requestedActionOf(settledQuery, words)
  const { data, isFetching, isPending, isPlaceholderData, error } = useQuery({
    ...foundRoomsQuery(text, useFiltersOfList()),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const exact = text.toLowerCase()
  const found = recentFirst(text === '' ? [] : (data ?? []), ({ room }) => `room:${room.tenantName}`)
    .toSorted((one, other) => Number(other.room.tenantName === exact) - Number(one.room.tenantName === exact))
    .toSorted((one, other) => Number(other.isInFilters) - Number(one.isInFilters))
  const rooms = found.map(({ room }) => room)
  const actionsOf = useActionsOf()
  const [best] = rooms
  const commands =
    verb === null
      ? [
          ...found.map((each) => roomCommand(each, openRoom)),
          ...(best === undefined ? [] : actionsOf(best, allowed, 'possible')),
        ]
      : rooms.flatMap((room) => actionsOf(room, [verb], 'all'))
  const starters = allowed.map(
    (each): Command => ({
      id: `verb:${each}`,
      group: 'actions',
      label: t('starters', { verb: words[each] }),
      keywords: words[each],
      icon: roomActions[each].icon,
      staysOpen: true,
      run: () => setQuery(`${words[each]} `),
    }),
  )
  return {
    commands,
    /** Shown while the query names no action. */
    starters: requestedActionOf(query, words).verb === null ? starters : [],
    asksForVerb: requestedActionOf(query, words).verb !== null,
    /** Whether the commands are those of a former query. */
    isOutdated: settledQuery !== query || (text !== '' && (isPending || isPlaceholderData)),
    isSearching: text !== '' && isFetching,
    error: text === '' ? null : error,
  }
}

/** A command that opens a room, made from its name alone, because recent commands are stored by name. */
export function namedRoomCommand(name: string, open: (name: string) => void): Command {
  return { id: `room:${name}`, group: 'rooms', label: name, icon: IconDoor, run: () => open(name) }
}

function roomCommand({ room, isInFilters }: FoundRoom, open: (name: string) => void): Command {
  const command = namedRoomCommand(room.tenantName, open)
  return {
    ...command,
    group: isInFilters ? 'filteredRooms' : 'rooms',
    detail: `${room.companyName} · ${room.regionName}`,
  }
}

export function useOpenRoom(): (name: string) => void {
  const navigate = useNavigate()
  return (id) => void navigate({ to: '/project/edit_project_room/$id', params: { id } })
}

/** @returns a function that gives a room's commands; `possible` omits those that are not possible now */
function useActionsOf() {
  const { t } = useTranslation(['commands', 'room-actions', 'rooms'])
  const { role } = useOperator()
  const act = useActOnRoom()
  return (room: ProjectRoom, requested: readonly RoomAction[], which: 'possible' | 'all'): Command[] => {
    const name = room.tenantName
    const commands = requested.map((verb): Command => {
      const reason = whyNotAct(verb, room, role)
      return {
        id: `room:${name}:${verb}`,
        group: 'roomActions',
        label: t('commands:roomAction', { verb: t(`room-actions:${verb}`), name }),
        why: reason === null ? null : t(`rooms:reasons.${reason}`),
        icon: roomActions[verb].icon,
        run: () => act(verb, room),
      }
    })
    return which === 'all' ? commands : commands.filter(({ why }) => why === null)
  }
}

const maxRoomsPerSearch = 6

interface FoundRoom {
  room: ProjectRoom
  /** Whether the room is one of those to which the filters of the list lead. Without filters, none is. */
  isInFilters: boolean
}

/** The filters in use, while the list is on the screen. */
function useFiltersOfList(): RoomFilters | null {
  const filters = useLocation({
    select: ({ pathname, search }) => (pathname === '/project/administration' ? filtersIn(search) : {}),
    structuralSharing: true,
  })
  return Object.keys(filters).length === 0 ? null : filters
}

/** The first rooms found by a text: those within the filters, then others, because a search may mean any room. */
function foundRoomsQuery(text: string, filters: RoomFilters | null) {
  const first = async (narrowed: RoomFilters, signal: AbortSignal): Promise<readonly ProjectRoom[]> => {
    const search = { ...narrowed, q: text, sort: 'tenantName', dir: 'asc' } as const
    const query = { ...roomQueryOf(search), page: 0, size: maxRoomsPerSearch, totals: 'if-quick' } as const
    return (await client.call('listRooms', { query, signal })).body.data
  }
  return queryOptions({
    queryKey: ['rooms', 'found', text, filters],
    queryFn: async ({ signal }): Promise<readonly FoundRoom[]> => {
      const [inFilters, all] = await Promise.all([filters === null ? [] : first(filters, signal), first({}, signal)])
      const names = new Set(inFilters.map(({ tenantName }) => tenantName))
      const others = all.filter(({ tenantName }) => !names.has(tenantName))
      return [
        ...inFilters.map((room) => ({ room, isInFilters: true })),
        ...others.map((room) => ({ room, isInFilters: false })),
      ]
    },
  })
}
