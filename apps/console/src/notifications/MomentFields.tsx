import { TextInput } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#ui/DayInput.tsx'
import classes from './NotificationEditor.module.css'
import { tidyDay } from './notification-form.ts'
import type { Entry } from './use-entry.ts'

interface MomentFieldsProps extends Pick<Entry, 'form'> {
  which: 'start' | 'end'
}

/** A notification may be entered for a time that is past, such as that it began this morning. */
const earliest = '2000-01-01'

/** Day and time of the start or of the end, with one message for both. */
export function MomentFields({ which, form }: MomentFieldsProps) {
  const { t } = useTranslation('notifications')
  const problemId = useId()
  const [day, time] = which === 'start' ? (['startDay', 'startTime'] as const) : (['endDay', 'endTime'] as const)
  const error = form.errorAt(which)
  const common = {
    'data-path': which,
    withAsterisk: true,
    error: error !== undefined,
    'aria-describedby': error === undefined ? undefined : problemId,
  }
  const leaveDay = () => {
    const typed = form.values[day]
    const tidy = tidyDay(typed)
    if (tidy !== typed) form.set({ [day]: tidy })
    if (typed !== '') form.leave(which)
  }
  return (
    <div className={classes.moment}>
      <DayInput
        {...common}
        label={t(day)}
        placeholder={t('dayPlaceholder')}
        value={form.values[day]}
        onChange={(typed) => form.set({ [day]: typed })}
        onBlur={leaveDay}
        earliest={earliest}
        openLabel={t(which === 'start' ? 'openStart' : 'openEnd')}
        calendarLabel={t(which === 'start' ? 'startCalendar' : 'endCalendar')}
      />
      <TextInput
        {...common}
        type="time"
        label={t(time)}
        value={form.values[time]}
        onChange={(event) => form.set({ [time]: event.currentTarget.value })}
        onBlur={() => form.leave(which)}
      />
      {error !== undefined && (
        <div id={problemId} data-problem>
          {error}
        </div>
      )}
    </div>
  )
}
