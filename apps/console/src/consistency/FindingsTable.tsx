import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Finding, FindingSeverity, Repair } from '@roomkeeper/contract'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { OperationLog } from '#operations/OperationLog.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { Pill, type Tone } from '#ui/Pill.tsx'
import tables from '#ui/Table.module.css'
import paged from '#ui/table/PagedPanel.module.css'
import classes from './Consistency.module.css'
import { FindingText } from './FindingText.tsx'
import { RepairDialog } from './RepairDialog.tsx'
import { useFindingText } from './use-finding-text.ts'

const tones: Readonly<Record<FindingSeverity, { tone: Tone; icon: typeof IconAlertCircle }>> = {
  error: { tone: 'bad', icon: IconAlertCircle },
  warning: { tone: 'warn', icon: IconAlertTriangle },
  info: { tone: 'quiet', icon: IconInfoCircle },
}

interface FindingsTableProps {
  findings: readonly Finding[]
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
  areClosed: boolean
}

export function FindingsTable({ findings, isOutdated, areClosed }: FindingsTableProps) {
  const { t } = useTranslation('consistency')
  return (
    <div className={paged.scroll}>
      <table
        className={`${tables.table} ${paged.table} ${classes.table}`}
        aria-label={t('title')}
        aria-busy={isOutdated}
        data-outdated={isOutdated || undefined}
      >
        <thead>
          <tr>
            <th scope="col">{t('columns.severity')}</th>
            <th scope="col">{t('columns.text')}</th>
            <th scope="col">{t('columns.since')}</th>
            <th scope="col">{t(areClosed ? 'columns.closedAt' : 'columns.actions')}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <Row
              key={finding.id}
              finding={finding}
              onRepair={(repair) => openDialog(<RepairDialog finding={finding} repair={repair} />)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ finding, onRepair }: { finding: Finding; onRepair: (repair: Repair) => void }) {
  const { t } = useTranslation('consistency')
  const { text, help } = useFindingText()(finding)
  const { severity, since, closedAt, repairs, operationId } = finding
  const [isLogOpen, log] = useDisclosure()
  const { tone, icon } = tones[severity]
  return (
    <>
      <tr>
        <td>
          <Pill tone={tone} icon={icon}>
            {t(`severities.${severity}`)}
          </Pill>
        </td>
        <td className={classes.text}>
          <span className={classes.what}>
            <FindingText finding={finding} isLinked />
          </span>
          {closedAt === null && <span className={classes.help}>{help}</span>}
          {operationId !== null && (
            <Button variant="subtle" size="compact-xs" aria-expanded={isLogOpen} onClick={log.toggle}>
              {isLogOpen ? t('hideLog') : t('log')}
            </Button>
          )}
        </td>
        <td className={tables.noWrap}>
          <time dateTime={since}>{formatMoment(since)}</time>
        </td>
        <td className={classes.actions}>
          {closedAt === null ? (
            repairs.map((repair) => (
              <Button
                key={repair}
                size="compact-xs"
                variant="default"
                aria-label={t('repairLabel', { repair: t(`repairs.${repair}`), text })}
                onClick={() => onRepair(repair)}
              >
                {t(`repairs.${repair}`)}
              </Button>
            ))
          ) : (
            <time dateTime={closedAt}>{formatMoment(closedAt)}</time>
          )}
        </td>
      </tr>
      {isLogOpen && operationId !== null && (
        <tr className={paged.opened}>
          <td colSpan={4}>
            <OperationLog operationId={operationId} />
          </td>
        </tr>
      )}
    </>
  )
}
