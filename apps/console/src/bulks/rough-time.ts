import { useTranslation } from 'react-i18next'
import { formatDuration } from '#ui/format.ts'

const leastSeconds = 10

/** Words an estimate no more exactly than it can be known. @returns a function of seconds */
export function useRoughTime(): (seconds: number) => string {
  const { t, i18n } = useTranslation('bulks')
  return (seconds) => {
    if (seconds < 60 || seconds >= 3600) return formatDuration(Math.max(leastSeconds, seconds) * 1000, i18n.language)
    return t('minutes', { count: Math.round(seconds / 60) })
  }
}
