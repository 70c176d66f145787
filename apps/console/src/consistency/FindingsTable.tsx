import { Button } from '@mantine/core'
import type { Finding, FindingSeverity } from '@roomkeeper/contract'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { OperationLog } from '#operations/index.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatMoment } from '#ui/format.ts'
import { Pill, type Tone } from '#ui/Pill.tsx'
import type { Column, Details } from '#ui/table/column.ts'
import type { LoadState } from '#ui/table/NotLoaded.tsx'
import type { PagerProps } from '#ui/table/Pager.tsx'
import { Table } from '#ui/table/Table.tsx'
import { usePageKeys } from '#ui/table/use-page-keys.ts'
import classes from './Consistency.module.css'
import type { ConsistencySearch } from './consistency-search.ts'
import { FindingText, useFindingText } from './FindingText.tsx'
import { RepairDialog } from './RepairDialog.tsx'

const tones: Readonly<Record<FindingSeverity, { tone: Tone; icon: typeof IconAlertCircle }>> = {
  error: { tone: 'bad', icon: IconAlertCircle },
  warning: { tone: 'warn', icon: IconAlertTriangle },
  info: { tone: 'quiet', icon: IconInfoCircle },
}

interface FindingsTableProps {
  findings: readonly Finding[] | undefined
  areClosed: boolean
  /** What the findings answer. */
  heldFor: ConsistencySearch
  load: LoadState
  empty: ReactNode
  pages: PagerProps | undefined
}

export function FindingsTable({ findings, areClosed, ...rest }: FindingsTableProps) {
  const { t } = useTranslation('consistency')
  usePageKeys(rest)
  const columns: Column<Finding>[] = [
    {
      id: 'severity',
      title: t('columns.severity'),
      text: 'whole',
      size: 120,
      cell: (finding) => <Severity finding={finding} />,
    },
    {
      id: 'text',
      title: t('columns.text'),
      text: 'wrapped',
      size: { share: 1, atLeast: 240 },
      cell: (finding, details) => <FindingCell finding={finding} details={details} />,
    },
    {
      id: 'since',
      title: t('columns.since'),
      text: 'whole',
      size: 150,
      cell: ({ since }) => <time dateTime={since}>{formatMoment(since)}</time>,
    },
    areClosed
      ? { id: 'closedAt', title: t('columns.closedAt'), text: 'whole', size: 190, cell: closedAtOf }
      : {
          id: 'actions',
          title: t('columns.actions'),
          isActions: true,
          size: 190,
          cell: (finding) => <Repairs finding={finding} />,
        },
  ]
  return (
    <Table
      label={t('title')}
      layout="page"
      remembered="findings"
      hasFocusableRows
      {...rest}
      columns={columns}
      rows={findings}
      rowId={({ id }) => id}
      expectedRows={8}
      details={({ operationId }) => operationId !== null && <OperationLog operationId={operationId} />}
    />
  )
}

const closedAtOf = ({ closedAt }: Finding) =>
  closedAt !== null && <time dateTime={closedAt}>{formatMoment(closedAt)}</time>

function Severity({ finding: { severity } }: { finding: Finding }) {
  const { t } = useTranslation('consistency')
  const { tone, icon } = tones[severity]
  return (
    <Pill tone={tone} icon={icon}>
      {t(`severities.${severity}`)}
    </Pill>
  )
}

function FindingCell({ finding, details }: { finding: Finding; details: Details }) {
  const { t } = useTranslation('consistency')
  const { help } = useFindingText()(finding)
  return (
    <>
      <span className={classes.what}>
        <FindingText finding={finding} isLinked />
      </span>
      {finding.closedAt === null && <span className={classes.help}>{help}</span>}
      {finding.operationId !== null && (
        <Button variant="subtle" size="compact-xs" aria-expanded={details.isOpen} onClick={details.toggle}>
          {details.isOpen ? t('hideLog') : t('log')}
        </Button>
      )}
    </>
  )
}

function Repairs({ finding }: { finding: Finding }) {
  const { t } = useTranslation('consistency')
  const { text } = useFindingText()(finding)
  return (
    <div className={classes.actions}>
      {finding.repairs.map((repair) => (
        <Button
          key={repair}
          size="compact-xs"
          variant="default"
          aria-label={t('repairLabel', { repair: t(`repairs.${repair}`), text })}
          onClick={() => openDialog(<RepairDialog finding={finding} repair={repair} />)}
        >
          {t(`repairs.${repair}`)}
        </Button>
      ))}
    </div>
  )
}
