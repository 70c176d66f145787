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
import type { RoomLabels } from './room-labels.ts'
import classes from './StatePill.module.css'

const icons = {
  DEFAULT: IconCircleCheck,
  MARKED_FOR_DELETION: IconTrash,
  ERROR: IconAlertCircle,
  DISABLED_REGION: IconBan,
  SUSPENDED: IconPlayerPause,
  IN_PROGRESS: IconProgress,
} as const satisfies Record<ProjectRoomState, unknown>

interface StatePillProps {
  state: ProjectRoomState
  labels: RoomLabels
  isSmall?: boolean
}

/** A room's state by icon, colour and word. A state that this console does not know is Undefined. */
export function StatePill({ state, labels, isSmall = false }: StatePillProps) {
  const Icon = icons[state] ?? IconHelpCircle
  return (
    <span className={classes.pill} data-state={state} data-small={isSmall || undefined}>
      <Icon size={14} stroke={2} aria-hidden />
      {labels.state[state] ?? labels.undefinedState}
    </span>
  )
}
