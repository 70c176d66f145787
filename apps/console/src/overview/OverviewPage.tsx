import { Progress } from '@mantine/core'
import type { AttentionFact, Region } from '@roomkeeper/contract'
import { regionIsFull, whyDown } from '@roomkeeper/rules'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { loadStateOf, regionsQuery } from '#api/queries.ts'
import { formatTime, useNumberFormat } from '#ui/format.ts'
import { ListPage } from '#ui/ListPage.tsx'
import { Panel } from '#ui/Page.tsx'
import { Pill } from '#ui/Pill.tsx'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { FactLink, FactSince, textOfFact } from './facts.tsx'
import { agingMilliseconds, attentionQuery } from './Health.tsx'
import classes from './Overview.module.css'

/** What is wrong now, and how full the regions are. */
export function OverviewPage() {
  // The facts are said by the texts of errors.
  const { t } = useTranslation(['overview', 'errors'])
  const attention = useQuery({ ...attentionQuery, refetchInterval: agingMilliseconds })
  const regions = useQuery(regionsQuery)
  return (
    <ListPage title={t('title')} onRefresh={() => Promise.all([attention.refetch(), regions.refetch()])}>
      <div className={classes.panels}>
        <Panel title={t('attention.title')}>
          {attention.data === undefined ? (
            <NotLoaded {...loadStateOf(attention, t('attention.failed'))} />
          ) : (
            <Facts facts={attention.data} at={attention.dataUpdatedAt} />
          )}
        </Panel>
        <Panel title={t('capacity.title')}>
          {regions.data === undefined ? (
            <NotLoaded {...loadStateOf(regions, t('capacity.failed'))} />
          ) : (
            <Capacity regions={regions.data} />
          )}
        </Panel>
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
        <li key={`${fact.kind} ${fact.text}`}>
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
      <FactSince fact={fact} at={at} />
    </>
  )
}

function Capacity({ regions }: { regions: readonly Region[] }) {
  const { t } = useTranslation('overview')
  if (regions.length === 0) return <p className="rk-hint">{t('capacity.none')}</p>
  return (
    <ul className={`rk-list ${classes.regions}`}>
      {regions.map((region) => (
        <li key={region.regionId}>
          <RegionLine region={region} />
        </li>
      ))}
    </ul>
  )
}

function RegionLine({ region }: { region: Region }) {
  const { t } = useTranslation('overview')
  const number = useNumberFormat()
  const { regionId, regionName, numberOfProjectRooms, maxNumOfTenants: limit, state } = region
  const rooms = number.format(numberOfProjectRooms)
  const down = whyDown(region)
  return (
    <>
      <span className="rk-row">
        <Link to="/project/administration" search={{ region: String(regionId) }} className="rk-text">
          {regionName}
        </Link>
        {down !== null && (
          <Pill tone="bad" icon={IconPlugConnectedX} isSmall>
            {t(`capacity.${down}`)}
          </Pill>
        )}
        {state === 'disabled' && <Pill isSmall>{t('capacity.disabled')}</Pill>}
        <span className="rk-note rk-push">
          {limit === -1
            ? t('capacity.unlimited', { rooms })
            : t('capacity.used', { rooms, limit: number.format(limit) })}
        </span>
      </span>
      {limit !== -1 && (
        <Progress
          value={limit === 0 ? 100 : (numberOfProjectRooms / limit) * 100}
          color={regionIsFull(region) ? 'red' : undefined}
          aria-label={t('capacity.bar', { name: regionName })}
        />
      )}
    </>
  )
}
