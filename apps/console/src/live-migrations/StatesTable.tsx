import { Button, Checkbox } from '@mantine/core'
import type { MigrationStateEntry } from '@roomkeeper/contract'
import { IconCircleCheck, IconCircleX, IconClockPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format-moment.ts'
import { Pill } from '#ui/Pill.tsx'
import classes from '#ui/Table.module.css'
import type { Selection } from '#ui/table/use-selection.ts'

interface StatesTableProps {
  entries: readonly MigrationStateEntry[]
  selection: Selection<MigrationStateEntry>
  /** Without it there is no button for the log. */
  onLogs?: (entry: MigrationStateEntry) => void
}

export function StatesTable({ entries, selection, onLogs }: StatesTableProps) {
  const { t } = useTranslation('migrations')
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('state.table')}>
        <thead>
          <tr>
            <th scope="col" className={classes.check}>
              <span className={classes.hidden}>{t('columns.select')}</span>
            </th>
            <th scope="col">{t('state.columns.name')}</th>
            <th scope="col">{t('state.columns.state')}</th>
            <th scope="col">{t('state.columns.date')}</th>
            {onLogs !== undefined && (
              <th scope="col" className={classes.right}>
                {t('state.columns.logs')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id} data-selected={selection.has(entry) || undefined}>
              <td className={classes.check}>
                <Checkbox
                  size="xs"
                  aria-label={t('pick.room', { name: entry.projectRoomName })}
                  checked={selection.has(entry)}
                  onChange={() => selection.toggle(entry)}
                />
              </td>
              <th scope="row">{entry.projectRoomName}</th>
              <td>
                <EntryState entry={entry} />
              </td>
              <td className={classes.noWrap}>{formatMoment(entry.liveMigrationDate)}</td>
              {onLogs !== undefined && (
                <td className={classes.right}>
                  <Button size="compact-xs" variant="default" onClick={() => onLogs(entry)}>
                    {t('state.logs')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What was not migrated is postponed; whether it failed is told with it. */
function EntryState({ entry: { state, isLiveMigrationError } }: { entry: MigrationStateEntry }) {
  const { t } = useTranslation('migrations')
  if (state) {
    return (
      <Pill tone="good" icon={IconCircleCheck}>
        {t('state.migrated')}
      </Pill>
    )
  }
  return (
    <Pill tone={isLiveMigrationError ? 'bad' : 'warn'} icon={isLiveMigrationError ? IconCircleX : IconClockPause}>
      {isLiveMigrationError ? t('state.failed') : t('state.postponed')}
    </Pill>
  )
}
