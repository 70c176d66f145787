import { type Bulk, type BulkParameters, bulkParameters } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { formatDay } from '#ui/day.ts'
import { formatMoment } from '#ui/format.ts'
import classes from './Bulks.module.css'

/** With what a bulk was started, by whom and when, and when it ended. */
export function BulkFacts({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation('bulks')
  const { action, startedBy: who, startedAt, endedAt } = bulk
  const wishes = useWishes(bulk)
  const mail = action === 'notify' ? parametersOf<'notify'>(bulk).text : null
  const facts = [
    ...wishes,
    t('startedBy', { who, when: formatMoment(startedAt) }),
    ...(endedAt === null ? [] : [t('ended', { when: formatMoment(endedAt) })]),
  ]
  return (
    <>
      <p className={`${classes.facts} ${classes.start}`}>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {mail !== null && (
        <details className={classes.mail}>
          <summary>{t('with.text')}</summary>
          <p>{mail}</p>
        </details>
      )}
    </>
  )
}

/** What was chosen that is not so by itself. */
function useWishes(bulk: Bulk): string[] {
  const { t } = useTranslation('bulks')
  const { data: regions = [] } = useQuery({ ...regionsQuery, enabled: bulk.action === 'move' })
  switch (bulk.action) {
    case 'suspend':
    case 'resume':
      return parametersOf<'suspend'>(bulk).userNotification ? [] : [t('with.silently')]
    case 'delete':
      return parametersOf<'delete'>(bulk).withoutBackup ? [t('fields.withoutBackup')] : []
    case 'move': {
      const { targetRegion, skipActiveSessions } = parametersOf<'move'>(bulk)
      const region = regions.find(({ regionId }) => regionId === targetRegion)?.regionName ?? String(targetRegion)
      return [t('with.to', { region }), ...(skipActiveSessions ? [t('with.inUseToo')] : [])]
    }
    case 'extend': {
      const { expirationDate, unlimitedToo } = parametersOf<'extend'>(bulk)
      return [t('with.until', { day: formatDay(expirationDate) }), ...(unlimitedToo ? [t('with.unlimitedToo')] : [])]
    }
    case 'notify': {
      const { subject } = parametersOf<'notify'>(bulk)
      return subject === '' ? [] : [t('with.subject', { subject })]
    }
    default:
      return []
  }
}

/** As the contract reads them. */
function parametersOf<Action extends Bulk['action']>({ action, parameters }: Bulk): BulkParameters<Action> {
  return bulkParameters[action].parse(parameters) as BulkParameters<Action>
}
