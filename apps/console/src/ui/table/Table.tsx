import { Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuOnDemand } from '../MenuOnDemand.tsx'
import { onDemand } from '../on-demand.tsx'
import type { ColumnChoices } from './ColumnsMenu.tsx'
import type { Column } from './column.ts'
import { type LoadState, NotLoaded, NotRefreshed } from './NotLoaded.tsx'
import { Pager, type PagerProps } from './Pager.tsx'
import { PageSelectionContext, useSelectColumn } from './row-selection.tsx'
import classes from './Table.module.css'
import { TableGrid, type TableGridProps } from './TableGrid.tsx'
import { useColumnLayout } from './use-column-layout.ts'
import { useStableOrder } from './use-stable-order.ts'

export interface TableProps<Row extends object, Id extends string, SortId extends Id = Id>
  extends TableGridProps<Row, Id, SortId> {
  /** Undefined while not loaded. */
  rows: readonly Row[] | undefined
  load?: LoadState
  /**
   * What the rows answer: page, order, search. While it is the same, the order of live rows holds as long as the
   * pointer or the focus is among them.
   */
  orderKey?: unknown
  /** Shows a thin progress bar while something is fetched. */
  isWaiting?: boolean
  /** Shown if there are no rows. */
  empty?: ReactNode
  /** Shown below the rows. */
  summary?: ReactNode
  pages?: PagerProps | undefined
  /** Lies over the rows, at their end; null: nothing does now. */
  beside?: ReactNode
  /** Shown in the foot, beside the pager. */
  foot?: ReactNode
  /** `page`: a panel that takes the rest of the page's height; its head stays in view, also without rows. */
  layout?: 'inline' | 'page'
  /** Shows the pager even if nothing was found. */
  keepsPager?: boolean
  /** The likely number of rows, so that little moves when they arrive. */
  expectedRows?: number | undefined
}

const loaded: LoadState = { failure: null, onAgain: () => undefined, isOutdated: false }

/** A table defined by a list of columns, with what is shown instead while there are no rows. */
export function Table<Row extends object, Id extends string, SortId extends Id = Id>(
  props: TableProps<Row, Id, SortId>,
) {
  const { rowId, selection, remembered, load = loaded, layout = 'inline', pages } = props
  const held = useStableOrder({ rows: props.rows, rowId, orderKey: props.orderKey, isOutdated: load.isOutdated })
  const { rows } = held
  const present = rows?.filter((row) => !held.gone.has(String(rowId(row)))) ?? []
  const { columns, page } = useSelectColumn(props.columns as readonly Column<Row>[], selection, present, rowId)
  const frame = useRef<HTMLDivElement>(null)
  const grid = useColumnLayout({ columns, remembered, narrower: props.narrower, frame })
  const isEmpty = rows?.length === 0 && (pages?.totalElements ?? 0) === 0
  const hasFoot = (!isEmpty || props.keepsPager === true) && (pages !== undefined || remembered !== undefined)
  return (
    <div className={classes[layout]}>
      {props.isWaiting !== undefined && <div className={classes.bar} data-busy={props.isWaiting || undefined} />}
      {rows === undefined && <NotLoaded {...load} expectedRows={props.expectedRows} />}
      {rows !== undefined && (!isEmpty || layout === 'page') && (
        <PageSelectionContext value={page}>
          <Beside content={props.beside}>
            <TableGrid
              {...props}
              rows={rows}
              frame={frame}
              grid={grid}
              isOutdated={load.isOutdated}
              gone={held.gone}
              onHold={props.orderKey === undefined ? undefined : held.hold}
            />
          </Beside>
        </PageSelectionContext>
      )}
      {isEmpty && props.empty}
      {rows !== undefined && load.failure !== null && <NotRefreshed {...load.failure} onAgain={load.onAgain} />}
      {rows !== undefined && props.summary}
      {rows !== undefined && (hasFoot || held.changes > 0) && (
        <footer className={classes.foot}>
          {remembered !== undefined && <ColumnsButton choices={grid.choices} onReset={grid.reset} />}
          {held.changes > 0 && <HeldChanges count={held.changes} onShow={held.release} />}
          {props.foot}
          {pages !== undefined && <Pager {...pages} />}
        </footer>
      )}
    </div>
  )
}

function Beside({ content, children }: { content: ReactNode; children: ReactNode }) {
  if (content === undefined) return children
  return (
    <div className={classes.beside}>
      {children}
      {content}
    </div>
  )
}

/** Says that rows have changed places. Pressing it shows the new order; so does leaving the rows. */
function HeldChanges({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation('app')
  return (
    <button type="button" className={classes.changes} title={t('table.showChanges')} onClick={onShow}>
      {t('table.changes', { count })}
    </button>
  )
}

const columnsClasses = { root: classes.columns, section: classes.columnsIcon, label: classes.columnsLabel }
const ColumnsMenu = onDemand(() => import('./ColumnsMenu.tsx'), 'ColumnsMenu')

/** Opens the menu that shows, hides, moves and resizes columns. */
function ColumnsButton(props: ColumnChoices) {
  const { t } = useTranslation('app')
  const label = t('table.columns')
  return (
    <MenuOnDemand
      button={
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          fw={500}
          classNames={columnsClasses}
          leftSection={<IconColumns3 size={16} stroke={1.8} aria-hidden />}
          aria-label={label}
        >
          {label}
        </Button>
      }
      menu={(menu) => <ColumnsMenu {...menu} {...props} />}
    />
  )
}
