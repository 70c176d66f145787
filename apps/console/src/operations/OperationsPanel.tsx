import type { OperationSummary } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { SidePanel } from '#ui/dialog/SidePanel.tsx'
import { OperationCard } from './OperationCard.tsx'
import classes from './OperationsPanel.module.css'
import { runningOperationsQuery } from './queries.ts'

/** What runs now: the operator's own operations first, then those of colleagues. */
export function OperationsPanel() {
  const { t } = useTranslation('operations')
  return (
    <SidePanel title={t('title')} width={420}>
      <Operations />
    </SidePanel>
  )
}

function Operations() {
  const { t } = useTranslation(['operations', 'app'])
  const { email } = useOperator()
  const { data = [] } = useQuery(runningOperationsQuery)
  const own = data.filter((each) => each.startedBy === email)
  const others = data.filter((each) => each.startedBy !== email)
  if (data.length === 0) return <p className={classes.none}>{t('none')}</p>
  return (
    <>
      <Group title={t('own')} operations={own} />
      <Group title={t('others')} operations={others} />
    </>
  )
}

interface GroupProps {
  title: string
  operations: readonly OperationSummary[]
}

function Group({ title, operations }: GroupProps) {
  if (operations.length === 0) return null
  return (
    <section className={classes.group}>
      <h3>{`${title} (${operations.length})`}</h3>
      <ul>
        {operations.map((each) => (
          <OperationCard key={each.operationId} operation={each} />
        ))}
      </ul>
    </section>
  )
}
