import type { BackupPolicy } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment, useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import type { Selection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'
import classes from './PoliciesTable.module.css'
import { usePolicyWords } from './use-words.ts'

interface PoliciesTableProps {
  policies: readonly BackupPolicy[]
  selection: Selection<BackupPolicy>
  empty: ReactNode
}

export function PoliciesTable({ policies, selection, empty }: PoliciesTableProps) {
  const { t } = useTranslation('backup-policies')
  const words = usePolicyWords()
  return (
    <Table
      label={t('title')}
      rows={policies}
      rowId={({ id }) => id}
      empty={empty}
      heldFor="backup-policies"
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ name }) => t('columns.selectOf', { name }),
      }}
      columns={[
        { id: 'name', title: t('columns.name'), isName: true, cell: ({ name }) => name },
        { id: 'state', title: t('columns.state'), cell: ({ isOn }) => <StatePill isOn={isOn} /> },
        { id: 'rooms', title: t('columns.rooms'), cell: ({ rooms }) => <Long>{words.rooms(rooms)}</Long> },
        {
          id: 'schedule',
          title: t('columns.schedule'),
          cell: ({ schedule }) => <Long>{words.schedule(schedule)}</Long>,
        },
        { id: 'keep', title: t('columns.keep'), cell: ({ keep }) => <Long>{words.keep(keep)}</Long> },
        { id: 'runs', title: t('columns.runs'), cell: ({ runs }) => <Runs {...runs} /> },
      ]}
    />
  )
}

function Long({ children }: { children: string }) {
  return <span className={classes.long}>{children}</span>
}

function StatePill({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('backup-policies')
  return (
    <Pill tone={isOn ? 'good' : 'quiet'} icon={isOn ? IconCircleCheck : IconBan}>
      {isOn ? t('states.on') : t('states.off')}
    </Pill>
  )
}

/** When the last backup began, and below it how those of the last week have ended. */
function Runs({ lastAt, ...counts }: BackupPolicy['runs']) {
  const { t } = useTranslation('backup-policies')
  const number = useNumberFormat()
  const said = (['done', 'missed', 'failed'] as const).filter((each) => counts[each] > 0)
  const inWords = said.map((each) => t(`runs.${each}`, { count: counts[each], n: number.format(counts[each]) }))
  const isGood = counts.missed + counts.failed === 0
  return (
    <>
      <span className={classes.moment}>{lastAt === null ? t('runs.never') : formatMoment(lastAt)}</span>
      {said.length > 0 && (
        <div className={classes.note}>
          {isGood ? (
            t('runs.week', { runs: inWords.join(', ') })
          ) : (
            <Pill tone="warn" icon={IconAlertTriangle} isSmall>
              {t('runs.week', { runs: inWords.join(', ') })}
            </Pill>
          )}
        </div>
      )}
    </>
  )
}
