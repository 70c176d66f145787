import { Button } from '@mantine/core'
import type { LiveMigration, LiveMigrationState } from '@roomkeeper/contract'
import { IconAlertCircle, IconCircleCheck, IconCircleHalf2, IconPlayerStop, IconProgress } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRegionName } from '#api/queries.ts'
import { ButtonWithReason } from '#ui/ActionButtons.tsx'
import { formatMoment } from '#ui/format.ts'
import { type Look, Pill } from '#ui/Pill.tsx'
import type { Pages } from '#ui/table/paging.ts'
import type { Selection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'
import classes from './LiveMigrations.module.css'

export const rowActions = ['start', 'stop', 'state', 'resetPriority'] as const
export type RowAction = (typeof rowActions)[number]

interface MigrationsTableProps {
  pages: Pages<LiveMigration>
  selection: Selection<LiveMigration>
  empty: ReactNode
  onAction: (action: RowAction, migration: LiveMigration) => void
}

export function MigrationsTable({ pages, selection, empty, onAction }: MigrationsTableProps) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionName()
  return (
    <Table
      label={t('title')}
      {...pages}
      rowId={({ id }) => id}
      orderKey={pages.pages?.page ?? 1}
      empty={empty}
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ sourceRegion, targetRegion }) =>
          t('columns.selectOf', { source: nameOf(sourceRegion), target: nameOf(targetRegion) }),
      }}
      columns={[
        {
          id: 'sourceRegion',
          title: t('columns.sourceRegion'),
          isName: true,
          cell: ({ sourceRegion }) => nameOf(sourceRegion),
        },
        { id: 'targetRegion', title: t('columns.targetRegion'), cell: ({ targetRegion }) => nameOf(targetRegion) },
        { id: 'state', title: t('columns.state'), cell: ({ state }) => <MigrationStatePill state={state} /> },
        { id: 'routing', title: t('columns.routing'), cell: ({ routing }) => (routing ? t('on') : t('off')) },
        {
          id: 'startDate',
          title: t('columns.startDate'),
          text: 'whole',
          cell: ({ startDate }) => (startDate === null ? t('notStarted') : formatMoment(startDate)),
        },
        {
          id: 'actions',
          title: t('columns.actions'),
          isActions: true,
          cell: (migration) => <RowActions migration={migration} onAction={onAction} />,
        },
      ]}
    />
  )
}

interface RowActionsProps extends Pick<MigrationsTableProps, 'onAction'> {
  migration: LiveMigration
}

/** While a run may still be touching rooms, Start is red and disabled until a refresh has found that none does. */
function RowActions({ migration, onAction }: RowActionsProps) {
  const { t } = useTranslation('migrations')
  const hasWarning = migration.isWarningEnabled
  return (
    <Button.Group className={classes.actions}>
      <ButtonWithReason
        size="compact-xs"
        variant="default"
        className={hasWarning ? classes.warned : undefined}
        why={hasWarning ? t('reasons.migration-warning') : null}
        onClick={() => onAction('start', migration)}
      >
        {t('rowActions.start')}
      </ButtonWithReason>
      {rowActions.slice(1).map((action) => (
        <Button key={action} size="compact-xs" variant="default" onClick={() => onAction(action, migration)}>
          {t(`rowActions.${action}`)}
        </Button>
      ))}
    </Button.Group>
  )
}

const looks = {
  STOPPED: { tone: 'quiet', icon: IconPlayerStop },
  RUNNING: { tone: 'busy', icon: IconProgress },
  FAILED: { tone: 'bad', icon: IconAlertCircle },
  COMPLETED: { tone: 'good', icon: IconCircleCheck },
  PARTIALLY_COMPLETED: { tone: 'warn', icon: IconCircleHalf2 },
} as const satisfies Record<LiveMigrationState, Look>

/** A state that this console does not know is shown as Undefined. */
export function MigrationStatePill({ state }: { state: LiveMigrationState }) {
  const { t } = useTranslation('migrations')
  return <Pill {...looks[state]}>{state in looks ? t(`states.${state}`) : t('states.undefined')}</Pill>
}
