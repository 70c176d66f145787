import type { ApiToken, TokenState } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconClock, IconClockOff, IconShieldX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatMoment, useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { isSuspicious } from './found-tokens.ts'
import classes from './Tokens.module.css'

const pills = {
  active: { tone: 'good', icon: IconCircleCheck },
  expired: { tone: 'quiet', icon: IconClockOff },
  revoked: { tone: 'quiet', icon: IconBan },
} as const satisfies Record<TokenState, object>

export function TokenStatePill({ state }: { state: TokenState }) {
  const { t } = useTranslation('tokens')
  return <Pill {...pills[state]}>{t(`states.${state}`)}</Pill>
}

const soonDays = 7
const dayMilliseconds = 24 * 60 * 60 * 1000

/** The day, and below it that it is near. */
export function Expiry({ token: { state, expiresAt } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  const days = Math.floor((Date.parse(expiresAt) - Date.now()) / dayMilliseconds)
  return (
    <>
      <time dateTime={expiresAt} title={formatMoment(expiresAt)}>
        {formatDate(expiresAt)}
      </time>
      {state === 'active' && days < soonDays && (
        <Pill tone="warn" icon={IconClock} isSmall>
          {days < 1 ? t('soon.today') : t('soon.days', { count: days })}
        </Pill>
      )}
    </>
  )
}

/** Without the seconds: the last use is known to the minute. */
function formatMinute(iso: string): string {
  return formatMoment(iso).slice(0, -':00'.length)
}

export function LastUse({ token: { lastUsedAt, lastUsedFrom } }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  if (lastUsedAt === null) return <span className={classes.none}>{t('never')}</span>
  return (
    <>
      <time dateTime={lastUsedAt}>{formatMinute(lastUsedAt)}</time>
      {lastUsedFrom !== null && <div className={classes.note}>{t('from', { address: lastUsedFrom })}</div>}
    </>
  )
}

/** How many calls were refused, and below it the last of them. */
export function RefusedCalls({ refused }: Pick<ApiToken, 'refused'>) {
  const { t } = useTranslation('tokens')
  const number = useNumberFormat()
  if (refused === null) return <span className={classes.none}>{t('notRefused')}</span>
  const { times, why, lastAt, lastFrom } = refused
  const isBad = isSuspicious({ refused })
  return (
    <>
      <Pill tone={isBad ? 'bad' : 'warn'} icon={isBad ? IconShieldX : IconAlertTriangle} isSmall>
        {t('refused.times', { count: times, n: number.format(times) })}
      </Pill>
      <div className={classes.note} title={formatMoment(lastAt)}>
        {t('refused.last', { at: formatMinute(lastAt), address: lastFrom, why: t(`refused.${why}`) })}
      </div>
    </>
  )
}
