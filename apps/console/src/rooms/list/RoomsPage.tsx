import { licenceTotalKeys, type ProjectRoom, type Role, type LicenceTotals as Totals } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { IconDoor } from '@tabler/icons-react'
import { memo, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { EmptyState, NoMatch } from '#ui/EmptyState.tsx'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { loadPatiently, onDemand, tellPartFailed } from '#ui/on-demand.tsx'
import { Page } from '#ui/Page.tsx'
import { showKeys } from '#ui/table/show-keys.tsx'
import { focusedRow, focusRow, useTableKeys } from '#ui/table/use-table-keys.ts'
import { useWayToRows } from '#ui/table/use-way-to-rows.ts'
import { type RoomSelectionState, useRoomSelection } from '../selection/use-room-selection.ts'
import { isBusy, type RoomAction } from './RoomActions.tsx'
import classes from './RoomsPage.module.css'
import { RoomsTable } from './RoomsTable.tsx'
import { RoomsPageActions, RoomsToolbar } from './RoomsToolbar.tsx'
import type { RoomsSearch } from './search.ts'
import { useDeleteRoom } from './use-delete-room.ts'
import { type ChangeSearch, type RoomListState, useRoomList, useShownSearch } from './use-room-list.ts'

const RoomErrorDialog = onDemand(async () => ({ default: (await import('../RoomFailure.tsx')).RoomErrorDialog }))

interface RoomsPageProps {
  search: RoomsSearch
  onSearch: ChangeSearch
  /** Opens the edit screen of a room. */
  onOpen: (name: string) => void
}

/** All project rooms: search, filters, order, pages, export, and the actions on each room. */
export function RoomsPage({ search: inUrl, onSearch: changeUrl, onOpen }: RoomsPageProps) {
  const [search, onSearch] = useShownSearch(inUrl, changeUrl)
  return <ShownRooms search={search} onSearch={onSearch} onOpen={onOpen} />
}

/** Not drawn again when the URL has come to what is shown already. */
const ShownRooms = memo(({ search, onSearch, onOpen }: RoomsPageProps) => {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const list = useRoomList(search, onSearch)
  const searchRef = useRef<HTMLInputElement>(null)
  const act = useRowActions(onOpen, list.refetch)
  const selection = useRoomSelection(list.rooms, list.query)
  const goToRows = useWayToRows({ searchRef, text: search.q ?? '', isOutdated: list.isOutdated })
  useTableKeys({
    onSearch: () => searchRef.current?.focus(),
    onMove: focusRow,
    onOpen: () => openFocused(act, list.rooms, role),
    onSelect: (isRange) => selectFocused(selection, list.rooms, isRange),
    onPage: list.turnPage,
    onHelp: showAllKeys,
  })
  if (list.isFirstLoad) return <FullScreenSpinner />
  return (
    <Page title={t('title')} actions={<RoomsPageActions search={search} list={list} onHelp={showAllKeys} />}>
      <RoomsToolbar
        search={search}
        searchRef={searchRef}
        onNarrow={list.narrow}
        onReset={list.resetFilter}
        onSearch={onSearch}
        onLeave={goToRows}
      />
      <RoomsTable
        list={list}
        role={role}
        onAction={act}
        selection={selection}
        empty={<NoRooms list={list} />}
        summary={list.answer !== undefined && <LicenceTotals totals={list.answer.licenses} />}
      />
    </Page>
  )
})

const showAllKeys = () => showKeys()

/** Runs the actions of rows; stable, so that rows are not rendered again. */
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
          void loadPatiently(() => import('./check-running.ts'))
            .then(({ checkRunning }) => checkRunning(room.tenantName))
            .then((isOutdated) => isOutdated && refetch(), tellPartFailed)
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

function selectFocused(selection: RoomSelectionState, rooms: readonly ProjectRoom[], isRange: boolean): boolean {
  const name = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row
  const room = rooms.find((each) => each.tenantName === name)
  if (room !== undefined) selection.toggle(room, isRange)
  return room !== undefined
}

/** Why there are no rows: nothing matches, or there are no rooms yet. */
export function NoRooms({ list }: { list: RoomListState }) {
  const { t } = useTranslation('rooms')
  if (!list.isNarrowed) return <EmptyState icon={IconDoor} title={t('empty.nothing')} text={t('empty.nothingText')} />
  const noMatch = { title: t('empty.noMatch'), text: t('empty.noMatchText'), reset: t('empty.reset') }
  return <NoMatch {...noMatch} onReset={list.resetFilter} />
}

/** The licence totals of all matching rooms, in one line that unfolds; zeros are omitted. @param totals null: not known yet */
export function LicenceTotals({ totals }: { totals: Totals | null }) {
  const { t } = useTranslation('rooms')
  const number = useNumberFormat()
  const [isOpen, setIsOpen] = useState(false)
  const [isLong, setIsLong] = useState(false)
  const list = useCallback((line: HTMLElement | null) => {
    if (line === null) return
    const observer = new ResizeObserver(() => setIsLong(line.scrollHeight > lineHeight + 4))
    observer.observe(line)
    return () => observer.disconnect()
  }, [])
  const shown = totals && licenceTotalKeys.map((key) => ({ key, count: totals[key] })).filter(({ count }) => count > 0)
  if (shown?.length === 0) return null
  return (
    <section className={classes.root} aria-label={t('totals.title')}>
      <span className={classes.title}>{t('totals.title')}</span>
      <dl ref={list} data-open={isOpen || undefined}>
        {shown === null && <div>…</div>}
        {shown?.map(({ key, count }) => (
          <div key={key}>
            <dt>{t(`totals.${key}`)}</dt>
            <dd>{number.format(count)}</dd>
          </div>
        ))}
      </dl>
      {isLong && (
        <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'totals.less' : 'totals.more')}
        </button>
      )}
    </section>
  )
}

/** In pixels, as in the style. */
const lineHeight = 18
