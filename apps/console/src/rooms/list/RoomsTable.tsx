import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { whyNotDelete, whyNotOpenEdit } from '@roomkeeper/rules'
import { type Icon, IconInfoCircle, IconPin, IconSettings, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode, Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasLatestBulk } from '#bulks/index.ts'
import { LabelChip } from '#labels/index.ts'
import { runningText } from '#operations/index.ts'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { onDemand, toastLoadFailed } from '#ui/on-demand.tsx'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { roomColumns } from '../room-columns.tsx'
import { type RoomWords, StatePill, useRoomWords } from '../room-words.tsx'
import type { RoomSelection } from '../selection/room-selection.ts'
import { LatestBulkLink, SelectionLine } from '../selection/SelectionLine.tsx'
import { type Matches, matchesOf } from './matches.tsx'
import classes from './RoomsTable.module.css'
import { isSortable, type ListColumn, type RoomColumn, roomsTable } from './search.ts'
import type { Peek } from './use-peek.ts'
import { type RoomListState, useRoomsLoad } from './use-room-list.ts'

const RoomSheet = onDemand(() => import('../facts/RoomSheet.tsx'), 'RoomSheet')

export type RowAction = 'edit' | 'delete' | 'show-error' | 'check-running'

interface RoomsTableProps {
  list: RoomListState
  role: Role
  /** Must be stable, or every row is rendered again. */
  onAction: (action: RowAction, room: ProjectRoom) => void
  empty: ReactNode
  /** Replaced by the selection bar while rooms are selected. */
  summary: ReactNode
  selection: RoomSelection
  peek: Peek
}

export function RoomsTable({ list, role, onAction, empty, summary, selection, peek }: RoomsTableProps) {
  const { t } = useTranslation('rooms')
  const load = useRoomsLoad(list, t('empty.failed'))
  const hasLatestBulk = useHasLatestBulk()
  const labelOf = useCallback(({ tenantName: name }: ProjectRoom) => t('select.row', { name }), [t])
  return (
    <Table
      label={t('title')}
      layout="page"
      keepsPager={list.isNarrowed || hasLatestBulk}
      remembered={roomsTable}
      narrower={narrower}
      className={classes.table}
      columns={useColumns(role, onAction, list)}
      selection={{
        selected: selection.selected,
        onSelect: selection.onSelect,
        title: t('select.title'),
        labelOf,
        pageLabel: t('select.page'),
      }}
      foot={<LatestBulkLink selection={selection} />}
      rows={list.answer?.data}
      rowId={nameOf}
      rowAttributes={attributesOf}
      reusesRows
      orderKey={list.query}
      hasFocusableRows
      onRowClick={peek.open}
      currentRow={peek.room?.tenantName}
      beside={peek.room === null ? null : <SideSheet room={peek.room} onClose={peek.close} />}
      sort={list.sort}
      onSort={list.onSort}
      load={load}
      isWaiting={list.isWaiting}
      empty={empty}
      summary={<SelectionLine selection={selection} total={list.pages?.totalElements ?? 0} totals={summary} />}
      pages={list.pages}
    />
  )
}

function SideSheet(props: { room: ProjectRoom; onClose: () => void }) {
  const giveUp = () => {
    props.onClose()
    toastLoadFailed()
  }
  return (
    <ErrorBoundary onError={giveUp}>
      <Suspense>
        <RoomSheet {...props} />
      </Suspense>
    </ErrorBoundary>
  )
}

const nameOf = ({ tenantName }: ProjectRoom) => tenantName
const attributesOf = ({ projectRoomState }: ProjectRoom) => ({ 'data-state': projectRoomState })

/** From the least important on. The company is beyond the specification, but matters more than they do. */
const giveWay = ['productType', 'creationDate', 'product', 'edition', 'customerContact', 'customerEmail']
const narrower = [[], ['companyName'], ...giveWay.map((_, n) => giveWay.slice(0, n + 1))]

const listColumns = ['labels', 'lastBackup', 'licenses', 'subMiningType', 'error'] as const satisfies ListColumn[]

const ListCell = onDemand(() => import('./ListCell.tsx'), 'ListCell')

function useColumns(role: Role, onAction: RoomsTableProps['onAction'], { shown, search }: RoomListState) {
  const { t } = useTranslation(['rooms', 'operations'])
  const words = useRoomWords()
  // Another page or order of the same search must not render all rows again.
  const searched = [shown.search, ...shown.search_keys, ...shown.search_values].join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what `shown` searches is in `searched`.
  const matches = useMemo(() => matchesOf(shown), [searched])
  const asksForBackups = search.backup !== undefined || search.backupWithin !== undefined
  return useMemo((): Column<ProjectRoom, RoomColumn | 'actions'>[] => {
    const titleOf = (id: RoomColumn) => columns.find((each) => each.id === id)?.title ?? ''
    const cells: Partial<Record<RoomColumn, Column<ProjectRoom>['cell']>> = {
      tenantName: (room, { columns: inRow }) => (
        <RoomName
          room={room}
          role={role}
          shown={matches?.mark('tenantName', room.tenantName)}
          foundIn={matches?.hiddenIn(room, (column) => inRow.some(({ id }) => id === column)).map(titleOf)}
          chips={inRow.some(({ id }) => id === 'labels') ? [] : room.labels}
          mark={matches?.mark}
          words={words}
        />
      ),
      state: (room) => <RoomStatus room={room} words={words} />,
    }
    const ofList = (id: ListColumn): Column<ProjectRoom, RoomColumn> => ({
      id,
      title: t(`columns.${id}`),
      size: { share: 12, atLeast: 132 },
      isHiddenByDefault: id !== 'lastBackup' || !asksForBackups,
      cell: (room) => (
        <Suspense>
          <ListCell column={id} room={room} />
        </Suspense>
      ),
    })
    const columns = [...roomColumns(words, (id) => t(`columns.${id}`)), ...listColumns.map(ofList)]
    return [
      ...columns.map((column) => ({
        ...column,
        isSortable: isSortable[column.id],
        cell:
          cells[column.id] ??
          (matches === null ? column.cell : (room, context) => matches.mark(column.id, column.cell(room, context))),
      })),
      {
        id: 'actions',
        title: t('columns.actions'),
        isActions: true,
        size: 102,
        cell: (room) => <RoomActions room={room} role={role} words={words} onAction={onAction} />,
      },
    ]
  }, [t, words, matches, asksForBackups, role, onAction])
}

interface RoomNameProps {
  room: ProjectRoom
  role: Role
  /** The name with its matches marked. */
  shown?: ReactNode
  /** The titles of hidden columns that match. */
  foundIn?: string[] | undefined
  /** Its labels, unless they have a column. */
  chips: readonly string[]
  mark: Matches['mark'] | undefined
  words: RoomWords
}

/** The name, and below it pinned notes, labels and where else the search was found. */
function RoomName({ room, role, shown = room.tenantName, foundIn = [], chips, mark, words }: RoomNameProps) {
  const pinned = room.pinnedNotes.map(({ text }) => text).join(' · ')
  const name = canOpen(room, role) ? (
    <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} preload={false}>
      {shown}
    </Link>
  ) : (
    shown
  )
  if (foundIn.length === 0 && chips.length === 0 && pinned === '') return name
  return (
    <div className={classes.found}>
      <span data-name>{name}</span>
      <span className={classes.below} data-cut>
        {pinned !== '' && <PinnedMark text={words.pinned(pinned)} />}
        {foundIn.length > 0 && `${words.foundIn(foundIn.join(', '))} `}
        {chips.map((label) => (
          <Fragment key={label}>
            <LabelChip label={label}>{mark?.('labels', label)}</LabelChip>{' '}
          </Fragment>
        ))}
      </span>
    </div>
  )
}

/** In characters; the whole text is in the room. */
const longestTip = 300

function PinnedMark({ text }: { text: string }) {
  const tip = text.length > longestTip ? `${text.slice(0, longestTip)} …` : text
  return (
    <span data-tip={tip}>
      <IconPin size={14} stroke={2} role="img" aria-label={tip} />
    </span>
  )
}

function RoomStatus({ room, words }: { room: ProjectRoom; words: RoomWords }) {
  const running = room.runningOperation
  if (running === null) return <StatePill state={room.projectRoomState} words={words} />
  return (
    <div className={classes.running}>
      <StatePill isSmall state={room.projectRoomState} words={words} />
      <span className={classes.step} data-cut>
        {runningText(running) ?? words.waiting}
      </span>
      <div className={classes.progress}>
        <ThinProgress value={running.progress} label={`${running.processType ?? words.operation} ${room.tenantName}`} />
      </div>
    </div>
  )
}

interface RoomActionsProps {
  room: ProjectRoom
  role: Role
  words: RoomWords
  onAction: (action: RowAction, room: ProjectRoom) => void
}

/**
 * A busy room has only Check running; a room in error also shows its error. Each action has a place of its own, which
 * stays empty without it, so that a click never hits another action than the one that was aimed at.
 */
function RoomActions({ room, role, words, onAction }: RoomActionsProps) {
  const { projectRoomState: state, tenantName: name } = room
  // A newer server knows the state, but this console does not know what is possible in it.
  if (!(state in words.state)) return <div className={classes.actions} />
  const act = (action: RowAction) => () => onAction(action, room)
  if (isBusy(room)) {
    return (
      <div className={classes.actions}>
        <RowButton place={1} label={words.checkRunning(name)} icon={IconInfoCircle} onClick={act('check-running')} />
      </div>
    )
  }
  const whyNotEdit = whyNotOpenEdit(room, role)
  const whyNotRemove = whyNotDelete(room, role)
  return (
    <div className={classes.actions}>
      {state === 'ERROR' && (
        <RowButton place={1} label={words.showError(name)} icon={IconInfoCircle} onClick={act('show-error')} danger />
      )}
      <RowButton
        place={2}
        label={words.edit(name)}
        why={whyNotEdit === null ? null : words.reason[whyNotEdit]}
        icon={IconSettings}
        onClick={act('edit')}
      />
      <RowButton
        place={3}
        label={words.delete(name)}
        why={whyNotRemove === null ? null : words.reason[whyNotRemove]}
        icon={IconTrash}
        onClick={act('delete')}
      />
    </div>
  )
}

/** Rooms that are being worked on or deleted have neither edit nor delete. */
function isBusy(room: ProjectRoom): boolean {
  return room.projectRoomState === 'IN_PROGRESS' || room.projectRoomState === 'MARKED_FOR_DELETION'
}

/** Whether the operator can open the room's page. */
export function canOpen(room: ProjectRoom, role: Role): boolean {
  return !isBusy(room) && whyNotOpenEdit(room, role) === null
}

interface RowButtonProps {
  /** Counted from the left. */
  place: 1 | 2 | 3
  label: string
  /** Why the action is not possible now. */
  why?: string | null
  icon: Icon
  danger?: boolean
  onClick: () => void
}

/** Stays focusable while disabled, so that the reason can be read. */
function RowButton({ place, label, why = null, icon: Icon, danger = false, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      style={{ gridColumn: place }}
      aria-label={why === null ? label : `${label}: ${why}`}
      aria-disabled={why !== null}
      data-tip={why ?? label}
      data-danger={danger || undefined}
      onClick={why === null ? onClick : undefined}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
    </button>
  )
}
