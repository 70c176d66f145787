import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { SortHeader } from '#ui/table/SortHeader.tsx'
import { TipLayer } from '#ui/table/TipLayer.tsx'
import { useRowSlots } from '#ui/table/use-row-slots.ts'
import { useRoomLabels } from '../room-labels.ts'
import type { RoomAction } from './RoomActions.tsx'
import { RoomRow } from './RoomRow.tsx'
import classes from './RoomsTable.module.css'
import { type Column, columns } from './search.ts'

interface RoomsTableProps {
  rooms: readonly ProjectRoom[]
  role: Role
  sort: { column: Column; dir: 'asc' | 'desc' }
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
  /** Must be stable, or every row is drawn again. */
  onAction: (action: RoomAction, room: ProjectRoom) => void
  onSort: (column: Column, dir: 'asc' | 'desc') => void
}

export function RoomsTable({ rooms, role, sort, isOutdated, onAction, onSort }: RoomsTableProps) {
  const { t } = useTranslation('rooms')
  const labels = useRoomLabels()
  const names = useMemo(() => rooms.map((room) => room.tenantName), [rooms])
  const slots = useRowSlots(names)
  return (
    <TipLayer className={classes.scroll}>
      <table className={classes.table} aria-busy={isOutdated} data-outdated={isOutdated || undefined}>
        <caption className={classes.caption}>{t('title')}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader
                key={column}
                label={t(`columns.${column}`)}
                dir={sort.column === column ? sort.dir : null}
                onSort={(dir) => onSort(column, dir)}
              />
            ))}
            <th scope="col" className={classes.actionsHead}>
              {t('columns.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rooms.map((room) => (
            <RoomRow key={slots.get(room.tenantName)} room={room} role={role} labels={labels} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </TipLayer>
  )
}

/** Moves the focus by rows; from nowhere to the first or last one. */
export function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-room]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

/** The room whose row has the focus itself, not a button in it. */
export function focusedRoom(): string | null {
  const { activeElement } = document
  return activeElement instanceof HTMLTableRowElement ? (activeElement.dataset.room ?? null) : null
}
