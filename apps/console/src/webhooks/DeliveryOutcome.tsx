import type { WebhookDelivery } from '@roomkeeper/contract'
import { IconAlertCircle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import classes from './Webhooks.module.css'

const pills = {
  waiting: { tone: 'busy', icon: IconClock },
  delivered: { tone: 'good', icon: IconCircleCheck },
  ended: { tone: 'bad', icon: IconAlertCircle },
} as const

/** What became of a delivery. One that waits after a failure stands out. */
export function DeliveryStatePill({ state, failure }: Pick<WebhookDelivery, 'state' | 'failure'>) {
  const { t } = useTranslation('webhooks')
  const { tone, icon } = pills[state]
  return (
    <Pill tone={state === 'waiting' && failure !== null ? 'warn' : tone} icon={icon}>
      {t(`deliveries.states.${state}`)}
    </Pill>
  )
}

/** How the last try went, as a state and a sentence. */
export function DeliveryOutcome({ delivery }: { delivery: WebhookDelivery }) {
  const outcomeOf = useOutcome()
  return (
    <p role="status" className={classes.outcome}>
      <DeliveryStatePill {...delivery} />
      <span>{outcomeOf(delivery)}</span>
    </p>
  )
}

/** @returns a function that says how the last try of a delivery went */
function useOutcome(): (delivery: WebhookDelivery) => string {
  const { t } = useTranslation('webhooks')
  const answerOf = useAnswerText()
  return (delivery) => {
    const { lastTryAt, failure } = delivery
    const answer = answerOf(delivery)
    if (lastTryAt === null) return answer
    return failure === null ? t('outcome.taken', { answer }) : t('outcome.failed', { answer })
  }
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
