import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '../use-number-format.ts'
import classes from './Pager.module.css'

export interface PagerProps {
  /** From 1. */
  page: number
  size: number
  /** What `size` may be; without a choice it is fixed. */
  sizes?: readonly number[]
  totalElements: number
  totalPages: number
  onPage: (page: number) => void
  onSize?: (size: number) => void
}

/** Which part of the whole is shown, how much of it, and the way to the other parts. */
export function Pager({ page, size, sizes, totalElements, totalPages, onPage, onSize }: PagerProps) {
  const { t } = useTranslation('app')
  const number = useNumberFormat()
  const from = totalElements === 0 ? 0 : (page - 1) * size + 1
  const to = Math.min(page * size, totalElements)
  return (
    <nav className={classes.root} aria-label={t('table.pages')}>
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
      <span className={classes.range} role="status">
        {t('table.range', { from: number.format(from), to: number.format(to), total: number.format(totalElements) })}
      </span>
      <Step label={t('table.first')} icon={IconChevronLeftPipe} to={1} isOff={page <= 1} onPage={onPage} />
      <Step label={t('table.previous')} icon={IconChevronLeft} to={page - 1} isOff={page <= 1} onPage={onPage} />
      <span className={classes.page}>
        {t('table.page', { page: number.format(page), pages: number.format(Math.max(1, totalPages)) })}
      </span>
      <Step label={t('table.next')} icon={IconChevronRight} to={page + 1} isOff={page >= totalPages} onPage={onPage} />
      <Step
        label={t('table.last')}
        icon={IconChevronRightPipe}
        to={totalPages}
        isOff={page >= totalPages}
        onPage={onPage}
      />
    </nav>
  )
}

interface StepProps {
  label: string
  icon: typeof IconChevronLeft
  to: number
  isOff: boolean
  onPage: (page: number) => void
}

function Step({ label, icon: Icon, to, isOff, onPage }: StepProps) {
  return (
    <ActionIcon
      size={28}
      className={classes.step ?? ''}
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={() => onPage(to)}
    >
      <Icon size={16} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
}
