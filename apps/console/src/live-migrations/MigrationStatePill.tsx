import type { LiveMigrationState } from '@roomkeeper/contract'
import {
  IconAlertCircle,
  IconCircleCheck,
  IconCircleHalf2,
  IconHelpCircle,
  IconPlayerStop,
  IconProgress,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Pill } from '#ui/Pill.tsx'

const looks = {
  STOPPED: { tone: 'quiet', icon: IconPlayerStop },
  RUNNING: { tone: 'busy', icon: IconProgress },
  FAILED: { tone: 'bad', icon: IconAlertCircle },
  COMPLETED: { tone: 'good', icon: IconCircleCheck },
  PARTIALLY_COMPLETED: { tone: 'warn', icon: IconCircleHalf2 },
} as const satisfies Record<LiveMigrationState, unknown>

/** A state that this console does not know is Undefined. */
export function MigrationStatePill({ state }: { state: LiveMigrationState }) {
  const { t } = useTranslation('migrations')
  const { tone, icon } = looks[state] ?? { tone: 'quiet', icon: IconHelpCircle }
  return (
    <Pill tone={tone} icon={icon}>
      {state in looks ? t(`states.${state}`) : t('states.undefined')}
    </Pill>
  )
}
