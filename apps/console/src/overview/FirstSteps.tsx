import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '#ui/Page.tsx'

interface FirstStepsProps {
  regions: number
  rooms: number
  operators: number
}

/** What a new installation needs; each step ticks itself. */
export function FirstSteps({ regions, rooms, operators }: FirstStepsProps) {
  const { t } = useTranslation('overview')
  return (
    <Panel title={t('first.title')}>
      <ol className="rk-list rk-column rk-gap-xs">
        <Step isDone={regions > 0}>
          <Link to="." search={(search) => ({ ...search, cloud: 'regions' as const })}>
            {t('first.region')}
          </Link>
        </Step>
        <Step isDone={rooms > 0}>
          <Link to="/project/create_project_room">{t('first.room')}</Link>
        </Step>
        <Step isDone={operators > 1}>
          <Link to="/project/operators">{t('first.colleague')}</Link>
        </Step>
      </ol>
    </Panel>
  )
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('overview')
  return (
    <li className="rk-line">
      {isDone ? (
        <IconCircleCheck size={18} color="var(--rk-good)" role="img" aria-label={t('first.done')} />
      ) : (
        <IconCircle size={18} color="var(--rk-dimmed)" role="img" aria-label={t('first.open')} />
      )}
      {children}
    </li>
  )
}
