import type { ProjectRoom } from '@roomkeeper/contract'
import { createContext, Suspense, use } from 'react'
import { useTranslation } from 'react-i18next'
import { Boundary } from '#ui/Boundary.tsx'
import { onDemand, tellPartFailed } from '#ui/on-demand.tsx'
import { countOf } from './room-selection.ts'
import { useRun } from './run-state.ts'
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

/** The bar of the selection, loaded with the first selected room. */
export function SelectionSlot({ selection, total }: { selection: RoomSelectionState; total: number }) {
  const { t } = useTranslation('app')
  const isNeeded = useRun() !== null || countOf(selection.selected) > 0
  return (
    isNeeded && (
      <Boundary
        onError={tellPartFailed}
        fallback={(again) => (
          <button type="button" onClick={again}>
            {t('tryAgain')}
          </button>
        )}
      >
        <Suspense>
          <SelectionBar selection={selection} total={total} />
        </Suspense>
      </Boundary>
    )
  )
}
