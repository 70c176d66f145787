import type { ProjectRoomState } from '@roomkeeper/contract'
import {
  IconAlertCircle,
  IconBan,
  IconCircleCheck,
  IconHelpCircle,
  IconPlayerPause,
  IconProgress,
  IconTrash,
} from '@tabler/icons-react'
import { Pill, type Tone } from '#ui/Pill.tsx'
import type { RoomLabels } from './room-labels.ts'

const looks: Record<ProjectRoomState, { icon: typeof IconTrash; tone: Tone }> = {
  DEFAULT: { icon: IconCircleCheck, tone: 'good' },
  MARKED_FOR_DELETION: { icon: IconTrash, tone: 'quiet' },
  ERROR: { icon: IconAlertCircle, tone: 'bad' },
  DISABLED_REGION: { icon: IconBan, tone: 'quiet' },
  SUSPENDED: { icon: IconPlayerPause, tone: 'warn' },
  IN_PROGRESS: { icon: IconProgress, tone: 'busy' },
}

interface StatePillProps {
  state: ProjectRoomState
  labels: RoomLabels
  isSmall?: boolean
}

/** A room's state. One that this console does not know is Undefined. */
export function StatePill({ state, labels, isSmall = false }: StatePillProps) {
  const { icon, tone } = looks[state] ?? { icon: IconHelpCircle, tone: 'quiet' }
  return (
    <Pill tone={tone} icon={icon} isSmall={isSmall}>
      {labels.state[state] ?? labels.undefinedState}
    </Pill>
  )
}
