import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '../format.ts'
import classes from './Pager.module.css'

export interface PagerProps {
  /** Counted from 1. */
  page: number
  size: number
  /** The sizes to choose from; omit them for a fixed size. */
  sizes?: readonly number[]
  /** Null while it is being counted: then there is a next page. */
  totalElements: number | null
  totalPages: number | null
  /** The totals follow after the rows. Their place has a fixed width, so that nothing moves when they come. */
  isTotalLate?: boolean
  onPage: (page: number) => void
  /** The operator seems to want this page next: the pointer rests, or the focus is, on the button that leads to it. */
  onAim?: ((page: number) => void) | undefined
  onSize?: (size: number) => void
}

/** Shows which rows of how many are shown, and leads to other pages. */
export function Pager({ page, size, sizes, totalElements, totalPages, isTotalLate, ...on }: PagerProps) {
  const { onPage, onAim, onSize } = on
  const { t } = useTranslation('app')
  const number = useNumberFormat()
  const from = totalElements === 0 ? 0 : (page - 1) * size + 1
  const to = Math.min(page * size, totalElements ?? page * size)
  const total = totalElements === null ? '…' : number.format(totalElements)
  const isLast = totalPages !== null && page >= totalPages
  const rows = { from: number.format(from), to: number.format(to), total }
  return (
    <nav className={classes.root} aria-label={t('table.pages')} data-late={isTotalLate || undefined}>
      {sizes !== undefined && (
        <NativeSelect
          size="xs"
          className={classes.size ?? ''}
          aria-label={t('table.rowsPerPage')}
          value={size}
          data={sizes.map((each) => ({ value: String(each), label: t('table.rows', { count: each }) }))}
          onChange={(event) => onSize?.(Number(event.currentTarget.value))}
        />
      )}
      <span data-paper-only>{t('table.rangeOnPaper', rows)}</span>
      <span className={classes.range} role="status">
        {t('table.range', rows)}
      </span>
      <Step label={t('table.first')} icon={IconChevronLeftPipe} to={1} isOff={page <= 1} {...{ onPage, onAim }} />
      <Step label={t('table.previous')} icon={IconChevronLeft} to={page - 1} isOff={page <= 1} {...{ onPage, onAim }} />
      <PageNumber page={page} pages={totalPages === null ? null : Math.max(1, totalPages)} onPage={onPage} />
      <Step label={t('table.next')} icon={IconChevronRight} to={page + 1} isOff={isLast} {...{ onPage, onAim }} />
      <Step
        label={t('table.last')}
        icon={IconChevronRightPipe}
        to={totalPages ?? page}
        isOff={isLast || totalPages === null}
        {...{ onPage, onAim }}
      />
    </nav>
  )
}

interface PageNumberProps {
  page: number
  /** Null: not known yet. */
  pages: number | null
  onPage: (page: number) => void
}

/** The number of the page; a click on it takes another one. A page that does not exist stays typed, marked as wrong. */
function PageNumber({ page, pages, onPage }: PageNumberProps) {
  const { t } = useTranslation('app')
  const number = useNumberFormat()
  const [typed, setTyped] = useState<string | null>(null)
  // The field goes with Enter and Escape, and the focus must not go with it.
  const isDoneByKey = useRef(false)
  const text = t('table.page', { page: number.format(page), pages: pages === null ? '…' : number.format(pages) })
  if (pages === 1) return <span className={classes.page}>{text}</span>
  if (typed === null) {
    return (
      <button
        ref={(button) => {
          if (button !== null && isDoneByKey.current) button.focus()
          isDoneByKey.current = false
        }}
        type="button"
        className={classes.page}
        title={t('table.goToPage')}
        onClick={() => setTyped(String(page))}
      >
        {text}
      </button>
    )
  }
  const isPage = /^[1-9]\d{0,9}$/.test(typed.trim()) && Number(typed) <= (pages ?? Number(typed))
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || !isPage)) return
    // The same key would press the button that gets the focus now.
    event.preventDefault()
    isDoneByKey.current = true
    setTyped(null)
    if (event.key === 'Enter') onPage(Number(typed))
  }
  return (
    <input
      className={classes.typed}
      ref={(input) => input?.focus()}
      inputMode="numeric"
      aria-label={t('table.goToPage')}
      aria-invalid={!isPage}
      value={typed}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKey}
      onBlur={() => setTyped(null)}
    />
  )
}

interface StepProps {
  label: string
  icon: typeof IconChevronLeft
  to: number
  isOff: boolean
  onPage: (page: number) => void
  onAim: PagerProps['onAim']
}

/** Shorter than the pause before a click, longer than the pointer takes to pass over the button. */
const aimMilliseconds = 60

function Step({ label, icon: Icon, to, isOff, onPage, onAim }: StepProps) {
  const [isAimedAt, setIsAimedAt] = useState(false)
  // After a click the pointer stays on the button, and the next click leads to another page.
  useEffect(() => {
    if (!isAimedAt || isOff || onAim === undefined) return
    const timer = setTimeout(onAim, aimMilliseconds, to)
    return () => clearTimeout(timer)
  }, [isAimedAt, isOff, onAim, to])
  return (
    <ActionIcon
      size={28}
      className={classes.step ?? ''}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={() => onPage(to)}
      onPointerEnter={() => setIsAimedAt(true)}
      onPointerLeave={() => setIsAimedAt(false)}
      onFocus={() => setIsAimedAt(true)}
      onBlur={() => setIsAimedAt(false)}
    >
      <Icon size={16} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
}

interface Found {
  totalElements: number
  totalPages: number
}

/** @param found a page from the server */
export function pagesOf(found: Found | undefined, shown: Omit<PagerProps, keyof Found>): PagerProps | undefined {
  return found && { ...shown, totalElements: found.totalElements, totalPages: found.totalPages }
}

interface PagedSearch {
  page?: number | undefined
  size?: number | undefined
}

interface SearchPages<Search extends PagedSearch> {
  /** The page size is remembered under this name. */
  table: string
  search: Search
  onSearch: (search: Search) => void
  size: number
  sizes: readonly number[]
}

/** Like `pagesOf`, with page and size in the URL. */
export function pagesOfSearch<Search extends PagedSearch>(found: Found | undefined, options: SearchPages<Search>) {
  const { table, search, onSearch, size, sizes } = options
  return pagesOf(found, {
    page: search.page ?? 1,
    size,
    sizes,
    onPage: (page) => onSearch({ ...search, page }),
    onSize: (chosen) => {
      rememberPageSize(table, chosen)
      onSearch({ ...search, size: chosen, page: undefined })
    },
  })
}

export interface Pages<Row> {
  /** The rows of the page; undefined while the rows are not loaded. */
  rows: readonly Row[] | undefined
  /** The pager, if there is more than one page. */
  pages: PagerProps | undefined
}

/** Pages of rows that are all loaded. */
export function usePages<Row>(all: readonly Row[] | undefined, size: number): Pages<Row> {
  const [requested, setRequested] = useState(1)
  const totalPages = Math.max(1, Math.ceil((all?.length ?? 0) / size))
  const page = Math.min(requested, totalPages)
  const pages = { page, size, totalElements: all?.length ?? 0, totalPages, onPage: setRequested }
  return { rows: all?.slice((page - 1) * size, page * size), pages: totalPages > 1 ? pages : undefined }
}

/** The key in local storage for a table's rows per page. */
const keyOf = (table: string) => `roomkeeper.rows.${table}`

export function rememberedPageSize<Size extends number>(table: string, sizes: readonly Size[], fallback: Size): Size {
  const saved = Number(localStorage.getItem(keyOf(table)))
  return sizes.find((each) => each === saved) ?? fallback
}

export function rememberPageSize(table: string, size: number): void {
  localStorage.setItem(keyOf(table), String(size))
}
