import type { LiveMigration } from '@roomkeeper/contract'
import {
  IconArrowsExchange,
  IconDownload,
  IconFileText,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { liveMigrationsQuery, loadStateOf } from '#api/queries.ts'
import { ActionToolbar } from '#ui/ActionToolbar.tsx'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { usePages } from '#ui/table/paging.ts'
import { useSelection } from '#ui/table/row-selection.tsx'
import { MigrationsTable } from './MigrationsTable.tsx'
import { RunProgress } from './RunProgress.tsx'
import { type ToolbarAction, useMigrationActions } from './use-migration-actions.tsx'

const pageSize = 10

/** The live migration configurations, the actions on them, and the progress of their runs. */
export function LiveMigrationTab() {
  const { t } = useTranslation('migrations')
  const query = useQuery(liveMigrationsQuery)
  if (query.data === undefined) return <NotLoaded {...loadStateOf(query, t('loadFailed'))} />
  return <Migrations migrations={query.data} />
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
      <MigrationsTable
        pages={pages}
        selection={selection}
        empty={<EmptyState icon={IconArrowsExchange} title={t('none.title')} text={t('none.text')} />}
        onAction={actions.runOnRow}
      />
      {running.map((each) => (
        <RunProgress key={each.id} migration={each} order={4} />
      ))}
    </>
  )
}

const icons = {
  new: IconPlus,
  edit: IconPencil,
  delete: IconTrash,
  refresh: IconRefresh,
  exportConfig: IconDownload,
  exportLogs: IconFileText,
} as const satisfies Record<ToolbarAction, unknown>

interface MigrationsToolbarProps {
  /** The action whose request is in progress. */
  busy: ToolbarAction | null
  onAction: (action: ToolbarAction) => void
}

function MigrationsToolbar({ busy, onAction }: MigrationsToolbarProps) {
  const { t } = useTranslation('migrations')
  return (
    <ActionToolbar
      icons={icons}
      label={(action) => t(`actions.${action}`)}
      primary="new"
      busy={busy}
      onAction={onAction}
    >
      <CsvFormatMenu onExport={() => onAction('exportLogs')} />
    </ActionToolbar>
  )
}
