import type { ProjectRoom } from '@roomkeeper/contract'
import { createContext, type ReactNode, Suspense, use } from 'react'
import { useTranslation } from 'react-i18next'
import { LatestBulk, useHasLatestBulk } from '#bulks/index.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { onDemand, tellPartFailed } from '#ui/on-demand.tsx'
import { countOf } from './room-selection.ts'
import classes from './SelectionBar.module.css'
import type { RoomSelectionState } from './use-room-selection.ts'

const SelectionBar = onDemand(async () => ({ default: (await import('./SelectionBar.tsx')).SelectionBar }))

interface ListSelection {
  selection: RoomSelectionState
  rooms: readonly ProjectRoom[]
}

/** For the checkbox in the head, so that a click on a row renders neither the columns nor the other rows again. */
export const SelectionContext = createContext<ListSelection | null>(null)

/** Selects the rooms of the page. */
export function PageCheckbox() {
  const { t } = useTranslation('rooms')
  const list = use(SelectionContext)
  const { rooms, selection } = list ?? { rooms: [] }
  const count = rooms.filter((room) => selection?.has(room)).length
  return (
    <input
      type="checkbox"
      ref={(input) => {
        if (input !== null) input.indeterminate = count > 0 && count < rooms.length
      }}
      aria-label={t('select.page')}
      checked={count > 0 && count === rooms.length}
      disabled={rooms.length === 0}
      onChange={() => selection?.togglePage()}
    />
  )
}

interface RoomCheckboxProps {
  label: string
  isSelected: boolean
  onToggle: (isRange: boolean) => void
}

/** A plain element, because there are up to a hundred rows. With Shift it selects all rows since the last one. */
export function RoomCheckbox({ label, isSelected, onToggle }: RoomCheckboxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}

interface SelectionLineProps {
  selection: RoomSelectionState
  total: number
  /** Shown while nothing is selected, and until the bar is loaded. */
  totals: ReactNode
}

/** The bar of the selection, loaded with the first selected room. It takes the line of the totals, so nothing moves. */
export function SelectionLine({ selection, total, totals }: SelectionLineProps) {
  if (countOf(selection.selected) === 0) return totals
  return (
    <Part fallback={totals}>
      <SelectionBar selection={selection} total={total} />
    </Part>
  )
}

/** Leads back to the latest bulk, where no bar of a selection does so. */
export function RunSlot({ selection }: { selection: RoomSelectionState }) {
  const isNeeded = useHasLatestBulk() && countOf(selection.selected) === 0
  return (
    isNeeded && (
      <Part>
        <LatestBulk className={classes.link} />
      </Part>
    )
  )
}

function Part({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('app')
  return (
    <Boundary
      onError={tellPartFailed}
      fallback={(again) => (
        <button type="button" onClick={again}>
          {t('tryAgain')}
        </button>
      )}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  )
}
