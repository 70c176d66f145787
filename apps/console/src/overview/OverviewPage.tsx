import { Button } from '@mantine/core'
import type { AttentionAct, AttentionFact } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery, loadStateOf, queryClient } from '#api/queries.ts'
import { useRunDoctor } from '#consistency/index.ts'
import { operatorsQuery } from '#operators/index.ts'
import { FailedByCause, failedRoomsKey } from '#rooms/index.ts'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { formatTime } from '#ui/format.ts'
import { ListPage } from '#ui/ListPage.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { Panel } from '#ui/Page.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { Capacity } from './Capacity.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { FactLink, FactSince, keyOfFact, textOfFact } from './facts.tsx'
import { agingMilliseconds, attentionQuery } from './Health.tsx'
import classes from './Overview.module.css'
import { calmMilliseconds, Today } from './Today.tsx'

const BackupPolicyDialog = onDemand(() => import('#backup-policies/BackupPolicyDialog.tsx'), 'BackupPolicyDialog')

const capacityQuery = apiQuery(['overview', 'capacity'], 'capacity', {}, { background: 'refetch' })

/** Below this, an installation is new. */
const fewRooms = 10

/** What is wrong now, what was done today, and how full the regions are. */
export function OverviewPage() {
  // The facts are said by the texts of errors.
  const { t } = useTranslation(['overview', 'capacity', 'errors', 'rooms', 'consistency'])
  const { role } = useOperator()
  const attention = useQuery({ ...attentionQuery, refetchInterval: agingMilliseconds })
  const capacity = useQuery({ ...capacityQuery, refetchInterval: usePollInterval() })
  const rooms = capacity.data?.reduce((sum, each) => sum + each.rooms, 0) ?? fewRooms
  const { data: operators } = useQuery({ ...operatorsQuery, enabled: roleAllows(role, 'super') && rooms < fewRooms })
  const regions = capacity.data?.length ?? 0
  const isNew = operators !== undefined && rooms < fewRooms && (regions === 0 || rooms === 0 || operators.length < 2)
  useRefetchOnEvents(capacityQuery.queryKey, ({ type }) => type === 'region' || type === 'room', calmMilliseconds)
  useRefetchOnEvents(failedRoomsKey, ({ type }) => type === 'room', calmMilliseconds)
  return (
    <ListPage title={t('title')} onRefresh={() => queryClient.invalidateQueries({ queryKey: ['overview'] })}>
      <div className="rk-panels">
        <div className="rk-column">
          <Panel title={t('attention.title')}>
            {attention.data === undefined ? (
              <NotLoaded {...loadStateOf(attention, t('attention.failed'))} />
            ) : (
              <Facts facts={attention.data} at={attention.dataUpdatedAt} />
            )}
          </Panel>
          {isNew && <FirstSteps regions={regions} rooms={rooms} operators={operators.length} />}
        </div>
        <div className="rk-column">
          <Panel title={t('today.title')}>
            <Today />
          </Panel>
          <Panel title={t('capacity.title')}>
            {capacity.data === undefined ? (
              <NotLoaded {...loadStateOf(capacity, t('capacity.failed'))} />
            ) : (
              <Capacity regions={capacity.data} />
            )}
          </Panel>
        </div>
      </div>
    </ListPage>
  )
}

/** @param at when they were read */
function Facts({ facts, at }: { facts: readonly AttentionFact[]; at: number }) {
  const { t } = useTranslation('overview')
  if (facts.length === 0) {
    return (
      <p className="rk-line rk-text" role="status">
        <IconCircleCheck size={18} color="var(--rk-good)" aria-hidden />
        {t('attention.none')}
        <span className="rk-note">{t('attention.lookedAt', { at: formatTime(new Date(at).toISOString()) })}</span>
      </p>
    )
  }
  return (
    <ul className={`rk-list ${classes.facts}`}>
      {facts.map((fact) => (
        <li key={keyOfFact(fact)}>
          <FactLine fact={fact} at={at} />
        </li>
      ))}
    </ul>
  )
}

const icons = { error: IconAlertCircle, warning: IconAlertTriangle }

function FactLine({ fact, at }: { fact: AttentionFact; at: number }) {
  const { t } = useTranslation('overview')
  const { severity, link } = fact
  const Icon = icons[severity]
  return (
    <>
      <Icon size={18} data-severity={severity} role="img" aria-label={t(`attention.severities.${severity}`)} />
      <FactLink link={link}>{textOfFact(fact)}</FactLink>
      <span className={`rk-row ${classes.beside}`}>
        {fact.act !== null && <Act act={fact.act} />}
        <FactSince fact={fact} at={at} />
      </span>
      {fact.kind === 'rooms-failed' && (
        <div className={classes.more}>
          <FailedByCause search={{ status: 'ERROR' }} />
        </div>
      )}
    </>
  )
}

/** What helps at once. */
function Act({ act }: { act: AttentionAct }) {
  const { t } = useTranslation('overview')
  const doctor = useRunDoctor()
  const run = { 'run-doctor': () => doctor.mutate(), protect: () => openDialog(<BackupPolicyDialog policy={null} />) }
  return (
    <Button variant="default" size="compact-xs" loading={doctor.isPending} onClick={run[act]}>
      {t(`attention.acts.${act}`)}
    </Button>
  )
}
