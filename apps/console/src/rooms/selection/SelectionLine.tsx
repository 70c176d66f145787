import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useHasLatestBulk } from '#bulks/index.ts'
import { ErrorBoundary } from '#ui/ErrorBoundary.tsx'
import { onDemand, toastLoadFailed } from '#ui/on-demand.tsx'
import { countOf } from '#ui/table/selected-rows.ts'
import type { RoomSelection } from './room-selection.ts'
import classes from './SelectionBar.module.css'

const LatestBulkButton = onDemand(() => import('#bulks/LatestBulkButton.tsx'), 'LatestBulkButton')
const SelectionBar = onDemand(() => import('./SelectionBar.tsx'), 'SelectionBar')

interface SelectionLineProps {
  selection: RoomSelection
  total: number
  /** Shown while nothing is selected, and until the bar is loaded. */
  totals: ReactNode
}

/** The bar of the selection, loaded with the first selected room. It takes the line of the totals, so nothing moves. */
export function SelectionLine({ selection, total, totals }: SelectionLineProps) {
  const hasLatest = useHasLatestBulk()
  if (countOf(selection.selected) === 0) return totals
  return (
    <LazyPart fallback={totals}>
      <SelectionBar
        selection={selection}
        total={total}
        latestBulk={
          hasLatest && (
            <Suspense>
              <LatestBulkButton className={classes.link} />
            </Suspense>
          )
        }
      />
    </LazyPart>
  )
}

/** The link to the latest bulk while there is no selection bar. */
export function LatestBulkLink({ selection }: { selection: RoomSelection }) {
  const isNeeded = useHasLatestBulk() && countOf(selection.selected) === 0
  return (
    isNeeded && (
      <LazyPart>
        <LatestBulkButton className={classes.link} />
      </LazyPart>
    )
  )
}

function LazyPart({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('app')
  return (
    <ErrorBoundary
      onError={toastLoadFailed}
      fallback={(again) => (
        <button type="button" onClick={again}>
          {t('tryAgain')}
        </button>
      )}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  )
}
