import type { Webhook } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'

const looks = {
  on: { tone: 'good', icon: IconCircleCheck },
  failing: { tone: 'warn', icon: IconAlertTriangle },
  off: { tone: 'quiet', icon: IconBan },
  switchedOff: { tone: 'bad', icon: IconPlugConnectedX },
} as const

/** Whether events are sent, and below it since when they fail or why they are not. */
export function WebhookState({ webhook: { isOn, failingSince, switchedOffAt } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const since = isOn ? failingSince : switchedOffAt
  const state = isOn ? (since === null ? 'on' : 'failing') : since === null ? 'off' : 'switchedOff'
  return (
    <>
      <Pill {...looks[state]} isSmall={since !== null}>
        {t(`states.${state}`)}
      </Pill>
      {since !== null && (
        <div className="rk-note">{t(isOn ? 'since' : 'switchedOffAt', { at: formatMoment(since) })}</div>
      )}
    </>
  )
}
