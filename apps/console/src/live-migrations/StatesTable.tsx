import { Button } from '@mantine/core'
import type { MigrationStateEntry } from '@roomkeeper/contract'
import { IconCircleCheck, IconCircleX, IconClockPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { Pages } from '#ui/table/paging.ts'
import type { Selection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'

interface StatesTableProps {
  pages: Pages<MigrationStateEntry>
  rowId: (entry: MigrationStateEntry) => number | string
  selection: Selection<MigrationStateEntry>
  load?: LoadState
  empty?: ReactNode
  /** If absent, there is no button for the log. */
  onLogs?: (entry: MigrationStateEntry) => void
}

export function StatesTable({ pages, selection, onLogs, ...rest }: StatesTableProps) {
  const { t } = useTranslation('migrations')
  return (
    <Table
      label={t('state.table')}
      remembered="migrationStates"
      expectedRows={10}
      orderKey={pages.pages?.page ?? 1}
      {...pages}
      {...rest}
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ projectRoomName: name }) => t('pick.room', { name }),
      }}
      columns={[
        {
          id: 'name',
          title: t('state.columns.name'),
          isName: true,
          size: { share: 2, atLeast: 120 },
          cell: ({ projectRoomName }) => projectRoomName,
        },
        {
          id: 'state',
          title: t('state.columns.state'),
          text: 'whole',
          size: { share: 3, atLeast: 150 },
          cell: (entry) => <EntryState entry={entry} />,
        },
        {
          id: 'date',
          title: t('state.columns.date'),
          text: 'whole',
          size: { share: 2, atLeast: 150 },
          cell: ({ liveMigrationDate }) => formatMoment(liveMigrationDate),
        },
        ...(onLogs === undefined
          ? []
          : [
              {
                id: 'logs',
                title: t('state.columns.logs'),
                isActions: true,
                size: 90,
                cell: (entry: MigrationStateEntry) => (
                  <Button size="compact-xs" variant="default" onClick={() => onLogs(entry)}>
                    {t('state.logs')}
                  </Button>
                ),
              },
            ]),
      ]}
    />
  )
}

/** A room that was not migrated is postponed; the icon shows whether it failed. */
function EntryState({ entry }: { entry: MigrationStateEntry }) {
  const { t } = useTranslation('migrations')
  const shown = stateOf(entry)
  return <Pill {...looks[shown]}>{t(`state.${shown}`)}</Pill>
}

function stateOf({ state, isLiveMigrationError, isCopyRemoved }: MigrationStateEntry): keyof typeof looks {
  if (state) return 'migrated'
  if (!isLiveMigrationError) return 'postponed'
  return isCopyRemoved ? 'copyRemoved' : 'failed'
}

const looks = {
  migrated: { tone: 'good', icon: IconCircleCheck },
  failed: { tone: 'bad', icon: IconCircleX },
  copyRemoved: { tone: 'quiet', icon: IconCircleX },
  postponed: { tone: 'warn', icon: IconClockPause },
} as const
