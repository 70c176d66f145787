import { Button, Checkbox } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { ButtonWithReason } from '#ui/ButtonWithReason.tsx'
import { formatMoment } from '#ui/format-moment.ts'
import tableClasses from '#ui/Table.module.css'
import type { Selection } from '#ui/table/use-selection.ts'
import classes from './LiveMigrations.module.css'
import { MigrationStatePill } from './MigrationStatePill.tsx'
import { useRegionNames } from './use-region-names.ts'

export const rowActions = ['start', 'stop', 'state', 'resetPriority'] as const
export type RowAction = (typeof rowActions)[number]

interface MigrationsTableProps {
  migrations: readonly LiveMigration[]
  selection: Selection<LiveMigration>
  onAction: (action: RowAction, migration: LiveMigration) => void
}

export function MigrationsTable({ migrations, selection, onAction }: MigrationsTableProps) {
  const { t } = useTranslation('migrations')
  return (
    <div className={tableClasses.scroll}>
      <table className={tableClasses.table} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col" className={tableClasses.check}>
              <span className={tableClasses.hidden}>{t('columns.select')}</span>
            </th>
            {(['sourceRegion', 'targetRegion', 'state', 'routing', 'startDate'] as const).map((column) => (
              <th key={column} scope="col">
                {t(`columns.${column}`)}
              </th>
            ))}
            <th scope="col" className={tableClasses.right}>
              {t('columns.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {migrations.map((migration) => (
            <MigrationRow key={migration.id} migration={migration} selection={selection} onAction={onAction} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface MigrationRowProps extends Pick<MigrationsTableProps, 'selection' | 'onAction'> {
  migration: LiveMigration
}

function MigrationRow({ migration, selection, onAction }: MigrationRowProps) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionNames()
  const { sourceRegion, targetRegion, state, routing, startDate } = migration
  const isSelected = selection.has(migration)
  const names = { source: nameOf(sourceRegion), target: nameOf(targetRegion) }
  return (
    <tr data-migration={migration.id} data-selected={isSelected || undefined}>
      <td className={tableClasses.check}>
        <Checkbox
          size="xs"
          aria-label={t('columns.selectOf', names)}
          checked={isSelected}
          onChange={() => selection.toggle(migration)}
        />
      </td>
      <th scope="row">{names.source}</th>
      <td>{names.target}</td>
      <td>
        <MigrationStatePill state={state} />
      </td>
      <td>{routing ? t('on') : t('off')}</td>
      <td className={tableClasses.noWrap}>{startDate === null ? t('notStarted') : formatMoment(startDate)}</td>
      <td className={`${tableClasses.right} ${tableClasses.noWrap} ${tableClasses.sticky}`}>
        <RowActions migration={migration} onAction={onAction} />
      </td>
    </tr>
  )
}

/** While a run may still be touching rooms, Start is red and out of use until a refresh has found that none does. */
function RowActions({ migration, onAction }: Pick<MigrationRowProps, 'migration' | 'onAction'>) {
  const { t } = useTranslation('migrations')
  const isInDoubt = migration.isWarningEnabled
  return (
    <Button.Group style={{ justifyContent: 'flex-end' }}>
      <ButtonWithReason
        size="compact-xs"
        variant="default"
        {...(isInDoubt ? { className: classes.inDoubt ?? '' } : {})}
        why={isInDoubt ? t('reasons.migration-warning') : null}
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
