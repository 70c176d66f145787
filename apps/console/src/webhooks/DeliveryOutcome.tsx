import type { WebhookDelivery } from '@roomkeeper/contract'
import { IconAlertCircle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'

const looks = {
  waiting: { tone: 'busy', icon: IconClock },
  late: { tone: 'warn', icon: IconClock },
  delivered: { tone: 'good', icon: IconCircleCheck },
  ended: { tone: 'bad', icon: IconAlertCircle },
} as const

/** What became of a delivery. One that waits after a failure stands out. */
export function DeliveryStatePill({ state, failure }: Pick<WebhookDelivery, 'state' | 'failure'>) {
  const { t } = useTranslation('webhooks')
  const isLate = state === 'waiting' && failure !== null
  return <Pill {...looks[isLate ? 'late' : state]}>{t(`deliveries.states.${state}`)}</Pill>
}

/** How the last try went, as a state and a sentence. */
export function DeliveryOutcome({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks')
  const answer = useAnswerText()(delivery)
  const { lastTryAt, failure } = delivery
  const outcome = failure === null ? t('outcome.taken', { answer }) : t('outcome.failed', { answer })
  return (
    <p role="status" className="rk-row rk-gap-sm rk-text">
      <DeliveryStatePill {...delivery} />
      <span>{lastTryAt === null ? answer : outcome}</span>
    </p>
  )
}

/** @returns a function that says what was answered to the last try, or why nothing was */
export function useAnswerText(): (delivery: WebhookDelivery) => string {
  const { t } = useTranslation('webhooks')
  const number = useNumberFormat()
  const answered = ({ status, milliseconds }: NonNullable<WebhookDelivery['answer']>) =>
    t('deliveries.answered', { status: String(status), n: number.format(milliseconds) })
  return ({ answer, failure, lastTryAt }) => {
    if (lastTryAt === null) return t('deliveries.notTried')
    const said = answer === null || answer.status === 0 ? answer?.body : answered(answer)
    // A status says already that it was refused.
    const why = failure === null || (failure === 'refused' && answer !== null) ? null : t(`failures.${failure}`)
    return [said, why].filter(Boolean).join(' · ')
  }
}
