import { Button, Skeleton } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import classes from './PagedPanel.module.css'
import { Pager } from './Pager.tsx'

interface PagedPanelProps {
  isPending: boolean
  /** Why nothing can be shown. */
  failure: { title: string; text: string } | null
  onAgain: () => void
  /** Of everything that is searched for; undefined until it is loaded. */
  total: { totalElements: number; totalPages: number } | undefined
  /** Stands where there is nothing. */
  nothing: ReactNode
  /** From 1. */
  page: number
  size: number
  sizes: readonly number[]
  onPage: (page: number) => void
  onSize: (size: number) => void
  /** The table of this page. */
  children: ReactNode
}

/** A page's list: while it loads, when that failed, when there is nothing, and a table with the way to its other pages. */
export function PagedPanel({ isPending, failure, onAgain, total, nothing, children, ...pager }: PagedPanelProps) {
  const { t } = useTranslation('app')
  return (
    <div className={classes.panel}>
      {isPending && <Skeleton height={320} />}
      {failure !== null && (
        <EmptyState
          isError
          icon={<IconPlugConnectedX size={36} stroke={1.3} aria-hidden />}
          {...failure}
          action={<Button onClick={onAgain}>{t('tryAgain')}</Button>}
        />
      )}
      {failure === null && total?.totalElements === 0 && nothing}
      {failure === null && total !== undefined && total.totalElements > 0 && (
        <>
          {children}
          <footer className={classes.foot}>
            <Pager {...total} {...pager} />
          </footer>
        </>
      )}
    </div>
  )
}
