/** Why a running operation does not get on, in the operator's language. */
import { joinSentences, type RunningOperation, type WaitingStep } from '@roomkeeper/contract'
import i18next from 'i18next'
import { textOfReasons } from '#locales/error-texts.ts'
import { formatRecentMinute } from '#ui/format.ts'
import { stepTitle } from './operation-names.ts'

/** The region that does not answer; null: the step fails for another reason. */
export function silentRegion({ code, params: { region } }: WaitingStep): string | null {
  const isAway = code === 'region-unreachable' || code === 'named-region-unreachable'
  return isAway && typeof region === 'string' ? region : null
}

/** What a running operation does, or why it does not get on; null: it waits in the queue. */
export function runningText({ step, stepId, isBeingPutBack, waiting }: RunningOperation): string | null {
  if (waiting !== null && silentRegion(waiting) !== null && !isBeingPutBack) return waitingText(waiting)
  if (step === null) return null
  const title = stepTitle(stepId, step)
  const doing = isBeingPutBack ? i18next.t('operations:puttingBack', { step: title }) : title
  return waiting === null ? doing : `${doing}: ${waitingText(waiting)}`
}

/** @param secondsToNextTry absent where nothing counts down */
export function waitingText(waiting: WaitingStep, secondsToNextTry?: number): string {
  const { since, tries, givesUpAt, endsAsBefore } = waiting
  const from = formatRecentMinute(since)
  const region = silentRegion(waiting)
  const what =
    region === null
      ? i18next.t('operations:waits.other', {
          why: textOfReasons([waiting], i18next.t('operations:waits.unknown')),
          since: from,
        })
      : i18next.t('operations:waits.away', { region, since: from })
  const end =
    givesUpAt === null
      ? []
      : [
          i18next.t(endsAsBefore ? 'operations:waits.givesUpAsBefore' : 'operations:waits.givesUp', {
            at: formatRecentMinute(givesUpAt),
          }),
        ]
  return joinSentences([what, nextTry(tries, secondsToNextTry), ...end])
}

function nextTry(tries: number, seconds?: number): string {
  if (seconds === undefined) return i18next.t('operations:waits.tries', { tries })
  const n = Math.ceil(seconds)
  return n > 0
    ? i18next.t('operations:waits.next', { tries, n })
    : i18next.t('operations:waits.now', { tries: tries + 1 })
}
