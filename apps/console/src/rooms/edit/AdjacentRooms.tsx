import { ActionIcon } from '@mantine/core'
import type { ProjectRoom, RoomList, RoomListQuery } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { hashKey, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { rememberedPageSize } from '#ui/table/paging.ts'
import { usePageKeys } from '#ui/table/use-page-keys.tsx'
import { defaultPageSize, pageSizes } from '#ui/url-search.ts'
import { pageQueryOf, roomQueryOf } from '../list/list-request.ts'
import { roomListKey, roomListQuery, roomListsKey } from '../list/queries.ts'
import { lastRoomsSearch, roomsTable } from '../list/search.ts'

const route = getRouteApi('/project/_signed-in/edit_project_room/$id')

/** Leads to the rooms before and after this one in the list that the operator came from, as it was then. */
export function AdjacentRooms({ name }: { name: string }) {
  const queryClient = useQueryClient()
  const [query] = useState(() => pageWith(name, queryClient))
  return query !== undefined && <AdjacentButtons name={name} query={query} />
}

/** The page of the last list that shows the room. */
function pageWith(name: string, queryClient: QueryClient): RoomListQuery | undefined {
  const search = lastRoomsSearch()
  const wanted = pageQueryOf(search, rememberedPageSize(roomsTable, pageSizes, defaultPageSize), roomQueryOf(search))
  const hashOf = (query: RoomListQuery) => hashKey(roomListKey({ ...query, page: 0 }))
  return queryClient
    .getQueriesData<RoomList>({ queryKey: roomListsKey })
    .filter(([, page]) => page?.data.some(({ tenantName }) => tenantName === name))
    .map(([[, , query]]) => query as RoomListQuery)
    .find((query) => hashOf(query) === hashOf(wanted))
}

type Way = 'previous' | 'next'

/** The step that was taken last: its button has the focus on the page of the room to which it led. */
let lastStep: { way: Way; to: string } | null = null

const icon = { size: 16, stroke: 1.8, 'aria-hidden': true } as const

function AdjacentButtons({ name, query }: { name: string; query: RoomListQuery }) {
  const { t } = useTranslation('edit')
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const adjacent = useAdjacentRooms(name, query)
  const group = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (lastStep?.to === name) group.current?.querySelector<HTMLElement>(`[name="${lastStep.way}"]:enabled`)?.focus()
    lastStep = null
  }, [name])
  const go = async (way: Way) => {
    const room = adjacent[way]
    if (room === undefined) return
    lastStep = { way, to: room.tenantName }
    await navigate({ params: { id: room.tenantName }, search: tab === undefined ? {} : { tab } })
  }
  usePageKeys({ onRow: (by) => void go(by === 1 ? 'next' : 'previous') })
  return (
    <ActionIcon.Group ref={group} data-screen-only>
      {(['previous', 'next'] as const).map((way) => (
        <ActionIcon
          key={way}
          name={way}
          variant="default"
          size={30}
          aria-label={t(`adjacent.${way}`)}
          title={adjacent[way] === undefined ? undefined : `${t(`adjacent.${way}`)}: ${adjacent[way].tenantName}`}
          disabled={adjacent[way] === undefined}
          data-keeps-focus
          onClick={() => void go(way)}
        >
          {way === 'previous' ? <IconChevronUp {...icon} /> : <IconChevronDown {...icon} />}
        </ActionIcon>
      ))}
    </ActionIcon.Group>
  )
}

/** Only those that can be opened, also on the page before or after. */
function useAdjacentRooms(name: string, query: RoomListQuery): Record<Way, ProjectRoom | undefined> {
  const { role } = useOperator()
  const canOpen = (room: ProjectRoom) => whyNotOpenEdit(room, role) === null
  const pageOf = (by: number) => roomListQuery({ ...query, page: query.page + by }, roomsTable)
  const rooms = useQuery({ ...pageOf(0), enabled: false }).data?.data ?? []
  const at = rooms.findIndex(({ tenantName }) => tenantName === name)
  const isOnPage = at >= 0
  const above = rooms.slice(0, at).findLast(canOpen)
  const below = rooms.slice(at + 1).find(canOpen)
  const before = useQuery({ ...pageOf(-1), enabled: isOnPage && above === undefined && query.page > 0 })
  const after = useQuery({ ...pageOf(1), enabled: isOnPage && below === undefined && rooms.length === query.size })
  // The page may have been fetched anew, without the room.
  if (!isOnPage) return { previous: undefined, next: undefined }
  return { previous: above ?? before.data?.data.findLast(canOpen), next: below ?? after.data?.data.find(canOpen) }
}
