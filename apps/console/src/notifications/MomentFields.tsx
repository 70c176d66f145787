import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#ui/DayInput.tsx'
import { useCalendarArrows } from '#ui/use-calendar-arrows.ts'
import classes from './NotificationEditor.module.css'
import { tidyDay } from './notification-form.ts'
import type { Entry } from './use-entry.ts'

interface MomentFieldsProps {
  which: 'start' | 'end'
  entry: Entry
  error: string | null
  onLeave: () => void
}

/** A notification may be entered for a time that is past, such as that it began this morning. */
const earliest = '2000-01-01'

/** Day and time of the start or of the end, with one message for both. */
export function MomentFields({ which, entry: { form, set }, error, onLeave }: MomentFieldsProps) {
  const { t } = useTranslation('notifications')
  const arrowLabels = useCalendarArrows()
  const problemId = useId()
  const [day, time] = which === 'start' ? (['startDay', 'startTime'] as const) : (['endDay', 'endTime'] as const)
  const common = {
    withAsterisk: true,
    error: error !== null,
    'aria-describedby': error === null ? undefined : problemId,
  }
  return (
    <div className={classes.moment}>
      <DayInput
        {...common}
        label={t(day)}
        placeholder={t('dayPlaceholder')}
        value={form[day]}
        onChange={(typed) => set({ [day]: typed })}
        onBlur={() => {
          set({ [day]: tidyDay(form[day]) })
          if (form[day] !== '') onLeave()
        }}
        earliest={earliest}
        openLabel={t(which === 'start' ? 'openStart' : 'openEnd')}
        calendarLabel={t(which === 'start' ? 'startCalendar' : 'endCalendar')}
        arrowLabels={arrowLabels}
      />
      <TextInput
        {...common}
        type="time"
        label={t(time)}
        value={form[time]}
        onChange={(event) => set({ [time]: event.currentTarget.value })}
        onBlur={onLeave}
      />
      {error !== null && (
        <div id={problemId} data-problem>
          {error}
        </div>
      )}
    </div>
  )
}
