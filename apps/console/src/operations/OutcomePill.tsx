import type { OperationState } from '@roomkeeper/contract'
import { IconBan, IconCircleCheck, IconCircleX, IconClock, IconLoader2, IconRotate } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Look, Pill } from '#ui/Pill.tsx'

const looks = {
  waiting: { tone: 'busy', icon: IconClock },
  running: { tone: 'busy', icon: IconLoader2 },
  cancelling: { tone: 'busy', icon: IconRotate },
  done: { tone: 'good', icon: IconCircleCheck },
  failed: { tone: 'bad', icon: IconCircleX },
  cancelled: { tone: 'quiet', icon: IconBan },
} as const satisfies Record<OperationState, Look>

/** How an operation ended, or that it still runs. */
export function OutcomePill({ state }: { state: OperationState }) {
  const { t } = useTranslation('operations')
  return (
    <Pill isSmall {...looks[state]}>
      {t(`outcomes.${state}`, { defaultValue: state })}
    </Pill>
  )
}
