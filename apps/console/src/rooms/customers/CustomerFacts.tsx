/** What the list of customers and the page of one both show. */
import { type Customer, projectRoomStates } from '@roomkeeper/contract'
import { IconClock, IconClockOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '#ui/day.ts'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { daysUntil } from '../days-until.ts'
import { StatePill, useRoomLabels } from '../room-labels.tsx'

/** How many rooms are in each state; those that no room is in are left out. */
export function RoomStates({ states }: Pick<Customer, 'states'>) {
  const labels = useRoomLabels()
  const number = useNumberFormat()
  return (
    <span className="rk-row">
      {projectRoomStates
        .filter((state) => states[state] > 0)
        .map((state) => (
          <StatePill key={state} isSmall state={state} labels={labels} count={number.format(states[state])} />
        ))}
    </span>
  )
}

const soonDays = 30

/** The day, and in words that it is near or over. A room is valid through the end of the day in UTC. */
export function NextExpiry({ day }: { day: string | null }) {
  const { t } = useTranslation(['room-customers', 'rooms'])
  if (day === null) return <span className="rk-dimmed">{t('rooms:unlimited')}</span>
  const days = daysUntil(day)
  return (
    <span className="rk-line">
      {formatDay(day)}
      {days < 0 && (
        <Pill tone="bad" icon={IconClockOff} isSmall>
          {t('rooms:expired')}
        </Pill>
      )}
      {days >= 0 && days <= soonDays && (
        <Pill tone="warn" icon={IconClock} isSmall>
          {days === 0 ? t('soon.today') : t('soon.days', { count: days })}
        </Pill>
      )}
    </span>
  )
}
