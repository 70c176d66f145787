import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { lazy, useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { Page } from '#ui/Page.tsx'
import { focusedRow, focusRow, useTableKeys } from '#ui/table/use-table-keys.ts'
import { checkRunning } from './check-running.ts'
import { LicenceTotals } from './LicenceTotals.tsx'
import { NoRooms } from './NoRooms.tsx'
import { isBusy, type RoomAction } from './RoomActions.tsx'
import { RoomsPageActions } from './RoomsPageActions.tsx'
import { RoomsTable } from './RoomsTable.tsx'
import { RoomsToolbar } from './RoomsToolbar.tsx'
import type { RoomsSearch } from './search.ts'
import { useDeleteRoom } from './use-delete-room.ts'
import { useRoomList } from './use-room-list.ts'
import { type ChangeSearch, useShownSearch } from './use-shown-search.ts'

const RoomErrorDialog = lazy(async () => ({ default: (await import('../RoomErrorDialog.tsx')).RoomErrorDialog }))
const KeysDialog = lazy(async () => ({ default: (await import('./KeysDialog.tsx')).KeysDialog }))

interface RoomsPageProps {
  search: RoomsSearch
  onSearch: ChangeSearch
  /** Opens the edit screen of a room. */
  onOpen: (name: string) => void
}

/** All project rooms: search, filter, sort, page, export, and what can be done with one of them. */
export function RoomsPage({ search: inUrl, onSearch: changeUrl, onOpen }: RoomsPageProps) {
  const [search, onSearch] = useShownSearch(inUrl, changeUrl)
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const list = useRoomList(search, onSearch)
  const searchRef = useRef<HTMLInputElement>(null)
  const act = useRowActions(onOpen, list.refetch)
  useTableKeys({
    onSearch: () => searchRef.current?.focus(),
    onMove: focusRow,
    onOpen: () => openFocused(act, list.rooms, role),
    onPage: list.turnPage,
    onHelp: showKeys,
  })
  if (list.isFirstLoad) return <FullScreenSpinner />
  return (
    <Page title={t('title')} actions={<RoomsPageActions search={search} list={list} onHelp={showKeys} />}>
      <RoomsToolbar search={search} searchRef={searchRef} onNarrow={list.narrow} />
      <RoomsTable
        list={list}
        role={role}
        onAction={act}
        empty={<NoRooms list={list} />}
        summary={list.answer !== undefined && <LicenceTotals totals={list.answer.licenses} />}
      />
    </Page>
  )
}

function showKeys(): void {
  openDialog(<KeysDialog />)
}

/** What happens when a row asks for something; stable, so that rows need not be drawn again. */
function useRowActions(onOpen: (name: string) => void, refetch: () => void) {
  const deleteRoom = useDeleteRoom()
  return useCallback(
    (action: RoomAction, room: ProjectRoom) => {
      switch (action) {
        case 'edit':
          return onOpen(room.tenantName)
        case 'delete':
          return void deleteRoom(room.tenantName)
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

function openFocused(act: (action: RoomAction, room: ProjectRoom) => void, rooms: readonly ProjectRoom[], role: Role) {
  const name = focusedRow()
  const room = rooms.find((each) => each.tenantName === name)
  if (room === undefined || isBusy(room) || whyNotOpenEdit(room, role) !== null) return false
  act('edit', room)
  return true
}
