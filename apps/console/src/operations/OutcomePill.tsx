import type { OperationState } from '@roomkeeper/contract'
import {
  type IconTrash as Icon,
  IconBan,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHelpCircle,
  IconLoader2,
  IconRotate,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Pill, type Tone } from '#ui/Pill.tsx'

const looks = {
  waiting: { tone: 'busy', icon: IconClock },
  running: { tone: 'busy', icon: IconLoader2 },
  cancelling: { tone: 'busy', icon: IconRotate },
  done: { tone: 'good', icon: IconCircleCheck },
  failed: { tone: 'bad', icon: IconCircleX },
  cancelled: { tone: 'quiet', icon: IconBan },
} as const satisfies Record<OperationState, { tone: Tone; icon: typeof Icon }>

/** How an operation ended, or that it still runs. */
export function OutcomePill({ state }: { state: OperationState }) {
  const { t } = useTranslation('operations')
  // A newer server may know more states.
  const { tone, icon } = looks[state] ?? { tone: 'quiet', icon: IconHelpCircle }
  return (
    <Pill isSmall tone={tone} icon={icon}>
      {t(`outcomes.${state}`, { defaultValue: state })}
    </Pill>
  )
}
