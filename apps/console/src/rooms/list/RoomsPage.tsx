import { Button, Group } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { IconDoor } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import i18next from 'i18next'
import { memo, Suspense, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd } from '#locales/error-texts.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { Page } from '#ui/Page.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.tsx'
import { toastError, toastSuccess, toastWarning } from '#ui/toast.ts'
import { useRoomSelection } from '../selection/room-selection.ts'
import { useDeleteRoom } from './delete-room.tsx'
import { LicenceTotals } from './LicenceTotals.tsx'
import { canOpen, RoomsTable, type RowAction } from './RoomsTable.tsx'
import { RoomsPageActions, RoomsToolbar } from './RoomsToolbar.tsx'
import type { ChangeSearch, RoomsSearch } from './search.ts'
import { usePeek } from './use-peek.ts'
import { type RoomListState, useRoomList } from './use-room-list.ts'
import { useSearchAhead } from './use-search-ahead.ts'

// Most lists have neither.
const FailedByCause = onDemand(() => import('./FailedByCause.tsx'), 'FailedByCause')
const DeletedMatches = onDemand(() => import('../deleted/DeletedMatches.tsx'), 'DeletedMatches')
const RoomErrorDialog = onDemand(() => import('../RoomFailure.tsx'), 'RoomErrorDialog')

interface RoomsPageProps {
  search: RoomsSearch
  onSearch: ChangeSearch
  /** Opens the edit screen of a room. */
  onOpen: (name: string) => void
}

/** All project rooms: search, filters, order, pages, export, and the actions on each room. */
export function RoomsPage({ search: inUrl, onSearch: changeUrl, onOpen }: RoomsPageProps) {
  const [search, onSearch] = useSearchAhead(inUrl, changeUrl)
  return <ShownRooms search={search} onSearch={onSearch} onOpen={onOpen} />
}

/** Not drawn again when the URL has come to what is shown already. */
const ShownRooms = memo(({ search, onSearch, onOpen }: RoomsPageProps) => {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const list = useRoomList(search, onSearch)
  const act = useRowActions(onOpen, list.refetch)
  const selection = useRoomSelection(list.query)
  const peek = usePeek(list.rooms)
  usePageKeys({
    onPeek: (name) => (name === null || name === peek.room?.tenantName ? peek.close() : peek.open(name)),
    pages: list.pages,
    onOpen: (name) => {
      const room = list.rooms.find((each) => each.tenantName === name)
      if (room !== undefined && canOpen(room, role)) act('edit', room)
    },
  })
  if (list.isFirstLoad) return <FullScreenSpinner />
  return (
    <Page title={t('title')} actions={<RoomsPageActions list={list} />}>
      <RoomsToolbar list={list} />
      <Suspense>
        {(search.status === 'ERROR' || search.cause !== undefined) && <FailedByCause search={search} />}
      </Suspense>
      <RoomsTable
        list={list}
        role={role}
        onAction={act}
        selection={selection}
        peek={peek}
        empty={<NoRooms list={list} searched={search.q ?? ''} />}
        summary={list.answer !== undefined && <LicenceTotals totals={list.answer.licenses} />}
      />
    </Page>
  )
})

/** Runs the actions of rows; stable, so that rows are not rendered again. */
function useRowActions(onOpen: (name: string) => void, refetch: () => void) {
  const deleteRoom = useDeleteRoom()
  return useCallback(
    (action: RowAction, room: ProjectRoom) => {
      switch (action) {
        case 'edit':
          return onOpen(room.tenantName)
        case 'delete':
          return void deleteRoom(room)
        case 'show-error':
          openDialog(<RoomErrorDialog room={room} />)
          return
        case 'check-running':
          void checkRunning(room.tenantName).then((isOutdated) => isOutdated && refetch())
      }
    },
    [onOpen, refetch, deleteRoom],
  )
}

/**
 * Checks whether the room's operation is still running and shows the result in a toast.
 * @returns whether the list may be out of date
 */
async function checkRunning(name: string): Promise<boolean> {
  const title = i18next.t('rooms:running.title', { name })
  try {
    const { body: isRunning } = await client.call('isRunning', { params: { projectRoomName: name } })
    if (isRunning) toastSuccess(title, i18next.t('rooms:running.still'))
    else toastWarning(title, i18next.t('rooms:running.over'))
    return !isRunning
  } catch (error) {
    if (!isSessionEnd(error)) toastError(title, i18next.t('rooms:running.failed'))
    return false
  }
}

/** Why there are no rows: nothing matches, or there are no rooms yet. */
function NoRooms({ list, searched }: { list: RoomListState; searched: string }) {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  if (!list.isNarrowed) {
    return (
      <EmptyState
        icon={IconDoor}
        title={t('empty.nothing')}
        text={t('empty.nothingText')}
        action={roleAllows(role, 'edit') && <FirstRoom />}
      />
    )
  }
  return (
    <NoMatch
      title={t('empty.noMatch')}
      text={t('empty.noMatchText')}
      more={
        <Suspense>
          <DeletedMatches search={searched} />
        </Suspense>
      }
      onReset={list.resetFilter}
    />
  )
}

function FirstRoom() {
  const { t } = useTranslation('rooms')
  return (
    <Group justify="center" gap="xs">
      <Button component={Link} to="/project/create_project_room">
        {t('empty.create')}
      </Button>
      <Button component={Link} to="/project/import_project_room" variant="default">
        {t('empty.import')}
      </Button>
    </Group>
  )
}
