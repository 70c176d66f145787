import { Skeleton } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { IconArrowsExchange, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { liveMigrationsQuery } from '#api/live-migrations.ts'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { TryAgain } from '#ui/TryAgain.tsx'
import { DialogPager } from '#ui/table/DialogPager.tsx'
import { usePages } from '#ui/table/use-pages.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { MigrationsTable } from './MigrationsTable.tsx'
import { MigrationsToolbar } from './MigrationsToolbar.tsx'
import { RunProgress } from './RunProgress.tsx'
import { useMigrationActions } from './use-migration-actions.tsx'

const icon = { size: 36, stroke: 1.3, 'aria-hidden': true } as const
const pageSize = 10

/** Between which regions rooms are moved, what can be done about it, and how far it is. */
export function LiveMigrationTab() {
  const { t } = useTranslation('migrations')
  const { data, error, refetch } = useQuery(liveMigrationsQuery)
  if (data !== undefined) return <Migrations migrations={data} />
  if (error === null || isSessionEnd(error)) return <Skeleton height={180} />
  return (
    <EmptyState
      isError
      icon={<IconPlugConnectedX {...icon} />}
      title={t('loadFailed')}
      text={textOf(error)}
      action={<TryAgain onClick={() => void refetch()} />}
    />
  )
}

function Migrations({ migrations }: { migrations: readonly LiveMigration[] }) {
  const { t } = useTranslation('migrations')
  const selection = useSelection(migrations, (each) => each.id)
  const pages = usePages(migrations, pageSize)
  const actions = useMigrationActions(selection.rows)
  const running = migrations.filter((each) => each.state === 'RUNNING' || each.isWarningEnabled)
  return (
    <>
      <MigrationsToolbar busy={actions.busy} onAction={actions.run} />
      {migrations.length === 0 ? (
        <EmptyState icon={<IconArrowsExchange {...icon} />} title={t('none.title')} text={t('none.text')} />
      ) : (
        <MigrationsTable migrations={pages.rows} selection={selection} onAction={actions.runOnRow} />
      )}
      {pages.totalPages > 1 && <DialogPager {...pages} />}
      {running.map((each) => (
        <RunProgress key={each.id} migration={each} heading="h4" />
      ))}
    </>
  )
}
