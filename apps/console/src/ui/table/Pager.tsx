import { ActionIcon, NativeSelect } from '@mantine/core'
import {
  type Icon,
  IconChevronLeft,
  IconChevronLeftPipe,
  IconChevronRight,
  IconChevronRightPipe,
} from '@tabler/icons-react'
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
  onPrefetch?: ((page: number) => void) | undefined
  onSize?: (size: number) => void
}

/** Shows which rows of how many are shown, and leads to other pages. */
export function Pager({ page, size, sizes, totalElements, totalPages, isTotalLate, ...on }: PagerProps) {
  const { onPage, onPrefetch, onSize } = on
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
          className={classes.size}
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
      <PageButton
        label={t('table.first')}
        icon={IconChevronLeftPipe}
        to={1}
        isDisabled={page <= 1}
        {...{ onPage, onPrefetch }}
      />
      <PageButton
        label={t('table.previous')}
        icon={IconChevronLeft}
        to={page - 1}
        isDisabled={page <= 1}
        {...{ onPage, onPrefetch }}
      />
      <PageNumber page={page} pages={totalPages === null ? null : Math.max(1, totalPages)} onPage={onPage} />
      <PageButton
        label={t('table.next')}
        icon={IconChevronRight}
        to={page + 1}
        isDisabled={isLast}
        {...{ onPage, onPrefetch }}
      />
      <PageButton
        label={t('table.last')}
        icon={IconChevronRightPipe}
        to={totalPages ?? page}
        isDisabled={isLast || totalPages === null}
        {...{ onPage, onPrefetch }}
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

interface PageButtonProps {
  label: string
  icon: Icon
  to: number
  isDisabled: boolean
  onPage: (page: number) => void
  onPrefetch: PagerProps['onPrefetch']
}

/** Shorter than the pause before a click, longer than the pointer takes to pass over the button. */
const aimMilliseconds = 60

function PageButton({ label, icon: Icon, to, isDisabled, onPage, onPrefetch }: PageButtonProps) {
  const [isAimedAt, setIsAimedAt] = useState(false)
  // After a click the pointer stays on the button, and the next click leads to another page.
  useEffect(() => {
    if (!isAimedAt || isDisabled || onPrefetch === undefined) return
    const timer = setTimeout(onPrefetch, aimMilliseconds, to)
    return () => clearTimeout(timer)
  }, [isAimedAt, isDisabled, onPrefetch, to])
  return (
    <ActionIcon
      size={28}
      className={classes.step}
      aria-label={label}
      title={label}
      disabled={isDisabled}
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
