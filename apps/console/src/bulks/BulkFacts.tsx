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
  const mail = action === 'notify' ? (parametersOf<'notify'>(bulk)?.text ?? null) : null
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
      return parametersOf<'suspend'>(bulk)?.userNotification === false ? [t('with.silently')] : []
    case 'delete':
      return parametersOf<'delete'>(bulk)?.withoutBackup === true ? [t('fields.withoutBackup')] : []
    case 'move': {
      const move = parametersOf<'move'>(bulk)
      const region = regions.find(({ regionId }) => regionId === move?.targetRegion)?.regionName
      return [
        ...(region === undefined ? [] : [t('with.to', { region })]),
        ...(move?.skipActiveSessions === true ? [t('with.inUseToo')] : []),
      ]
    }
    case 'extend': {
      const extension = parametersOf<'extend'>(bulk)
      if (extension === undefined) return []
      const until = t('with.until', { day: formatDay(extension.expirationDate) })
      return [until, ...(extension.unlimitedToo ? [t('with.unlimitedToo')] : [])]
    }
    case 'notify': {
      const { subject = '' } = parametersOf<'notify'>(bulk) ?? {}
      return subject === '' ? [] : [t('with.subject', { subject })]
    }
    default:
      return []
  }
}

/** As the contract reads them; undefined: they are of a later release. */
function parametersOf<Action extends Bulk['action']>({ action, parameters }: Bulk): BulkParameters<Action> | undefined {
  return bulkParameters[action].safeParse(parameters).data as BulkParameters<Action> | undefined
}
