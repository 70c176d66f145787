import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ThinProgress } from '#ui/ThinProgress.tsx'
import type { Column } from '#ui/table/column.ts'
import { Table } from '#ui/table/Table.tsx'
import { roomColumns } from '../room-columns.tsx'
import { type RoomLabels, StatePill, useRoomLabels } from '../room-labels.tsx'
import { PageCheckbox, RoomCheckbox, RunSlot, SelectionContext, SelectionLine } from '../selection/SelectCells.tsx'
import type { RoomSelectionState } from '../selection/use-room-selection.ts'
import { lastBackupColumn } from './last-backup-column.tsx'
import { isBusy, type RoomAction, RoomActions } from './RoomActions.tsx'
import classes from './RoomsTable.module.css'
import { type Column as RoomColumn, roomsTable } from './search.ts'
import { type RoomPages, useRoomsLoad } from './use-room-pages.ts'

interface RoomsTableProps {
  list: RoomPages
  role: Role
  /** Must be stable, or every row is rendered again. */
  onAction: (action: RoomAction, room: ProjectRoom) => void
  empty: ReactNode
  /** Gives its line to the bar of a selection. */
  summary: ReactNode
  selection: RoomSelectionState
}

export function RoomsTable({ list, role, onAction, empty, summary, selection }: RoomsTableProps) {
  const { t } = useTranslation('rooms')
  const load = useRoomsLoad(list, t('empty.failed'))
  const { rooms } = list
  return (
    <SelectionContext value={useMemo(() => ({ selection, rooms }), [selection, rooms])}>
      <Table
        label={t('title')}
        layout="page"
        keepsPager
        remembered={roomsTable}
        className={classes.table}
        columns={useColumns(role, onAction, selection.toggle)}
        isSelected={selection.has}
        foot={<RunSlot selection={selection} />}
        rows={list.answer?.data}
        rowId={nameOf}
        rowAttributes={attributesOf}
        reusesRows
        heldFor={list.query}
        hasFocusableRows
        sort={list.sort}
        onSort={list.onSort}
        load={load}
        isWaiting={list.isWaiting}
        empty={empty}
        summary={<SelectionLine selection={selection} total={list.pages?.totalElements ?? 0} totals={summary} />}
        pages={list.pages}
      />
    </SelectionContext>
  )
}

const nameOf = ({ tenantName }: ProjectRoom) => tenantName
const attributesOf = ({ projectRoomState }: ProjectRoom) => ({ 'data-state': projectRoomState })

function useColumns(role: Role, onAction: RoomsTableProps['onAction'], toggle: RoomSelectionState['toggle']) {
  const { t, i18n } = useTranslation('rooms')
  const labels = useRoomLabels()
  return useMemo((): Column<ProjectRoom, RoomColumn | 'actions' | 'select'>[] => {
    const cells: Partial<Record<RoomColumn, (room: ProjectRoom) => ReactNode>> = {
      tenantName: (room) => <RoomName room={room} role={role} />,
      state: (room) => <RoomStatus room={room} labels={labels} />,
    }
    const lastBackup = lastBackupColumn({
      title: t('columns.lastBackup'),
      none: t('lastBackup.none'),
      restored: t('lastBackup.restored'),
      restoredAt: (at) => t('lastBackup.restoredAt', { at }),
      language: i18n.language,
    })
    return [
      {
        id: 'select',
        title: t('select.title'),
        isTitleHidden: true,
        size: 32,
        head: <PageCheckbox />,
        cell: (room, row) => (
          <RoomCheckbox
            label={t('select.row', { name: room.tenantName })}
            isSelected={row.isSelected}
            onToggle={(isRange) => toggle(room, isRange)}
          />
        ),
      },
      ...[...roomColumns(labels, (id) => t(`columns.${id}`)), lastBackup].map((column) => ({
        ...column,
        isSortable: true,
        cell: cells[column.id] ?? column.cell,
      })),
      {
        id: 'actions',
        title: t('columns.actions'),
        isActions: true,
        size: 102,
        cell: (room) => <RoomActions room={room} role={role} labels={labels} onAction={onAction} />,
      },
    ]
  }, [t, i18n.language, labels, role, onAction, toggle])
}

function RoomName({ room, role }: { room: ProjectRoom; role: Role }) {
  if (isBusy(room) || whyNotOpenEdit(room, role) !== null) return room.tenantName
  return (
    <Link to="/project/edit_project_room/$id" params={{ id: room.tenantName }} preload={false}>
      {room.tenantName}
    </Link>
  )
}

function RoomStatus({ room, labels }: { room: ProjectRoom; labels: RoomLabels }) {
  const running = room.runningOperation
  if (running === null) return <StatePill state={room.projectRoomState} labels={labels} />
  return (
    <div className={classes.running}>
      <StatePill isSmall state={room.projectRoomState} labels={labels} />
      <span className={classes.step} data-cut>
        {running.step === null ? labels.waiting : labels.step(running.stepId, running.step)}
      </span>
      <div className={classes.progress}>
        <ThinProgress
          value={running.progress}
          label={`${running.processType ?? labels.operation} ${room.tenantName}`}
        />
      </div>
    </div>
  )
}
