import type { Bulk, BulkItemState, BulkState } from '@roomkeeper/contract'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconLoader2,
  IconPlayerSkipForward,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Look, Pill } from '#ui/Pill.tsx'

/** STOPPING: what is under way ends. */
type Shown = BulkState | BulkItemState | 'STOPPING'

const looks: Readonly<Record<Shown, Look>> = {
  WAITING: { tone: 'quiet', icon: IconClock },
  RUNNING: { tone: 'busy', icon: IconLoader2 },
  DONE: { tone: 'good', icon: IconCircleCheck },
  PARTIALLY_DONE: { tone: 'warn', icon: IconAlertTriangle },
  FAILED: { tone: 'bad', icon: IconCircleX },
  SKIPPED: { tone: 'warn', icon: IconPlayerSkipForward },
  STOPPING: { tone: 'busy', icon: IconHandStop },
  CANCELLED: { tone: 'quiet', icon: IconHandStop },
}

/** The state of a bulk, or of one of its rooms. */
export function BulkStatePill({ state }: { state: Shown }) {
  const { t } = useTranslation('bulks')
  return <Pill {...looks[state]}>{t(`states.${state}`)}</Pill>
}

export function stateShown({ state, isCancelling, waitsFor, counts }: Bulk): Shown {
  if (isCancelling) return 'STOPPING'
  return waitsFor.length > 0 && counts.RUNNING === 0 ? 'WAITING' : state
}
