import { Box } from '@mantine/core'
import { type Icon, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, NoMatch } from './EmptyState.tsx'
import { BackButton, Page } from './Page.tsx'
import { ToolbarButton } from './Toolbar.tsx'
import { type FoundPage, pagesOf } from './table/paging.ts'
import { Table, type TableProps } from './table/Table.tsx'
import { type ChoiceFilter, TableFilter } from './table/TableFilter.tsx'
import { usePageKeys } from './table/use-page-keys.tsx'
import { pageSizes } from './url-search.ts'
import type { PagedSearch } from './use-paged-search.ts'

interface ListPageProps {
  title: string
  /** If absent, Back leads to the list of rooms. */
  onBack?: () => void
  /** Shown after the title, such as a state pill. */
  beside?: ReactNode
  /** What the list contains, said above it. */
  hint?: ReactNode
  /** Undefined while there is nothing to act on. */
  onRefresh: (() => unknown) | undefined
  /** The actions behind Refresh. */
  actions?: ReactNode
  children: ReactNode
}

/** The page of a list: its title, the way back, and its actions, of which Refresh is the first. */
export function ListPage({ title, onBack, beside, hint, onRefresh, actions, children }: ListPageProps) {
  const { t } = useTranslation('app')
  return (
    <Page
      title={title}
      before={<BackButton onClick={onBack} />}
      beside={beside}
      actions={
        onRefresh !== undefined && (
          <>
            <ToolbarButton icon={IconRefresh} onClick={() => void onRefresh()}>
              {t('refresh')}
            </ToolbarButton>
            {actions}
          </>
        )
      }
    >
      {/* Its place is kept while it loads. */}
      {hint !== undefined && (
        <Box component="p" className="rk-hint" mih={20}>
          {hint}
        </Box>
      )}
      {children}
    </Page>
  )
}

interface PagedTableParts<Row extends object, Id extends string, SortId extends Id>
  extends Pick<
    TableProps<Row, Id, SortId>,
    'columns' | 'narrower' | 'rowId' | 'details' | 'remembered' | 'load' | 'expectedRows' | 'sort' | 'onSort'
  > {
  /** The caption: what the table contains. */
  label: string
  list: PagedSearch
  found: FoundPage<Row> | undefined
  /** What is shown if there is nothing. */
  none: { icon: Icon; title: string; text: string }
  /** Stands between the filter and the table. */
  children?: ReactNode
}

/** @property filter above the table, if it is not a `ListFilter` of the page */
type Narrowing<Value extends string> =
  | { filter: FilterFields<Value>; noMatch: NoMatchTexts }
  | { filter?: undefined; noMatch?: NoMatchTexts }

/** What is shown if nothing matches the filter. */
interface NoMatchTexts {
  title: string
  text: string
}

interface FilterFields<Value extends string> {
  /** The label of the field for the parameter `search`, if there is one. */
  search?: string
  choice?: ChoiceFilter<Value>
  /** What else narrows the table. */
  more?: ReactNode
}

/** A table whose page and filter are in the URL, below its filter. It has the keys of the page. */
export function PagedTable<Row extends object, Id extends string, Value extends string = never, SortId extends Id = Id>(
  props: PagedTableParts<Row, Id, SortId> & Narrowing<Value>,
) {
  const { list, found, filter: _, none, noMatch, children, ...table } = props
  const { search, wanted, isNarrowed } = list
  const pages = pagesOf(found, {
    page: found?.page ?? search.page ?? 1,
    size: wanted.size,
    sizes: pageSizes,
    onPage: list.goToPage,
    onSize: list.chooseSize,
  })
  usePageKeys({ pages })
  return (
    <>
      {props.filter !== undefined && (
        <ListFilter list={list} isOutdated={table.load?.isOutdated === true} {...props.filter} />
      )}
      {children}
      <Table
        layout="page"
        remembered={list.name}
        hasFocusableRows
        orderKey={search}
        expectedRows={8}
        {...table}
        rows={found?.data}
        empty={
          noMatch !== undefined && isNarrowed ? <NoMatch {...noMatch} onReset={list.reset} /> : <EmptyState {...none} />
        }
        pages={pages}
      />
    </>
  )
}

interface ListFilterProps<Value extends string> extends FilterFields<Value> {
  list: PagedSearch
  /** The rows are still those of a former search. */
  isOutdated: boolean
}

/** What narrows a list. */
export function ListFilter<Value extends string = never>(props: ListFilterProps<Value>) {
  const { list, isOutdated, search: label, choice, more } = props
  const onText = (search: string | undefined) => list.change({ search })
  return (
    <TableFilter
      text={label === undefined ? undefined : { label, text: list.search.search, isOutdated, onText }}
      choice={choice}
      isNarrowed={list.isNarrowed}
      onReset={list.reset}
    >
      {more}
    </TableFilter>
  )
}
