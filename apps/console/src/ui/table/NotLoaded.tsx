import { Button, Skeleton } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import classes from './Table.module.css'

/** The state of the query for a table's rows. */
export interface LoadState {
  /** Why the rows could not be loaded; previous rows may still be shown. */
  failure: { title: string; text: string } | null
  onAgain: () => void
  /** Other rows are loading; the previous ones stay until then, dimmed. */
  isOutdated: boolean
}

interface NotLoadedProps extends LoadState {
  expectedRows?: number | undefined
}

/** Shown instead of a table that is loading or could not be loaded. */
export function NotLoaded({ failure, onAgain, expectedRows = 4 }: NotLoadedProps) {
  if (failure === null) return <Skeleton height={30 + 36 * expectedRows} />
  return <EmptyState isError icon={IconPlugConnectedX} {...failure} action={<TryAgain onClick={onAgain} />} />
}

interface NotRefreshedProps {
  title: string
  text: string
  onAgain: () => void
}

/** Says that the rows above it could not be refreshed. Below them, because it must not move them. */
export function NotRefreshed({ title, text, onAgain }: NotRefreshedProps) {
  const { t } = useTranslation('app')
  return (
    <div role="alert" className={classes.notice}>
      <span>
        {title} {text}
      </span>
      <Button size="compact-xs" variant="default" onClick={onAgain}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}

function TryAgain({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('app')
  return (
    <Button variant="default" size="xs" onClick={onClick}>
      {t('tryAgain')}
    </Button>
  )
}
