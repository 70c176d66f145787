import type { DatePickerProps } from '@mantine/dates'
import { useTranslation } from 'react-i18next'

/** The names of a calendar's arrows. */
export function useCalendarArrows(): NonNullable<DatePickerProps['ariaLabels']> {
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
