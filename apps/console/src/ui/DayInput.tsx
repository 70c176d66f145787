import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker, type DatePickerProps } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { intlTag } from '#locales/number-format.ts'
import classes from './DayInput.module.css'
import { formatDay, parseDay } from './day.ts'

export interface DayInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection'> {
  /** The typed text, whether it is a valid day or not. */
  value: string
  onChange: (typed: string) => void
  /** `YYYY-MM-DD`; earlier days cannot be chosen in the calendar. */
  earliest: string
  calendarLabel: string
  openLabel?: string
}

/** A day, typed as dd.MM.yyyy or chosen in a calendar that a button opens. */
export function DayInput(props: DayInputProps) {
  const { t, i18n } = useTranslation('form')
  const { value, onChange, earliest, calendarLabel, openLabel = t('calendar.open'), ...rest } = props
  const [opened, calendar] = useDisclosure(false)
  const day = parseDay(value)
  const choose = (chosen: string | null) => {
    onChange(chosen === null ? '' : formatDay(chosen))
    calendar.close()
  }
  const button = (
    <Popover opened={opened} onChange={calendar.close} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon aria-label={openLabel} disabled={rest.disabled ?? false} onClick={calendar.toggle}>
          <IconCalendar size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={calendarLabel} data-mantine-stop-propagation>
        <DatePicker
          value={day}
          onChange={choose}
          // Not at a day in the past, where no day can be chosen.
          defaultDate={day !== null && day > earliest ? day : earliest}
          minDate={earliest}
          allowDeselect
          {...namesIn(i18n.language)}
          ariaLabels={useArrowLabels()}
          classNames={{ day: classes.day }}
        />
      </Popover.Dropdown>
    </Popover>
  )
  return (
    <TextInput
      {...rest}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={button}
    />
  )
}

/** Names of months and weekdays come from Intl, so a new language needs no file here. */
function namesIn(language: string) {
  const tag = intlTag(language)
  // English with the day before the month, as in the field.
  const ordered = tag === 'en' ? 'en-GB' : tag
  const as = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(ordered, { ...options, timeZone: 'UTC' })
    return (day: string) => format.format(Date.parse(`${day.slice(0, 10)}T00:00:00Z`))
  }
  return {
    weekdayFormat: as({ weekday: 'short' }),
    monthLabelFormat: as({ month: 'long', year: 'numeric' }),
    monthsListFormat: as({ month: 'short' }),
    getDayAriaLabel: as({ day: 'numeric', month: 'long', year: 'numeric' }),
  }
}

function useArrowLabels(): NonNullable<DatePickerProps['ariaLabels']> {
  const { t } = useTranslation('form')
  return {
    nextMonth: t('calendar.nextMonth'),
    previousMonth: t('calendar.previousMonth'),
    nextYear: t('calendar.nextYear'),
    previousYear: t('calendar.previousYear'),
    nextDecade: t('calendar.nextDecade'),
    previousDecade: t('calendar.previousDecade'),
  }
}
