/** Moments, bytes and numbers as people write them. */
import { useTranslation } from 'react-i18next'
import { intlTag, numberFormat } from '#locales/number-format.ts'

/** `2026-11-20T10:00:00Z` → `20.11.2026 11:00:00`, in the time zone of the browser. */
export function formatMoment(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
}

/** Without the seconds: `20.11.2026 11:00`. */
export function formatMinute(iso: string): string {
  return formatMoment(iso).slice(0, -':00'.length)
}

/** `2026-11-20T10:00:00Z` → `20.11.2026`, in the time zone of the browser. */
export function formatDate(iso: string): string {
  const at = new Date(iso)
  return `${two(at.getDate())}.${two(at.getMonth() + 1)}.${at.getFullYear()}`
}

/** The day after so many days, such as `20.12.2026`. */
export function formatDayIn(days: number): string {
  const at = new Date()
  at.setDate(at.getDate() + days)
  return formatDate(at.toISOString())
}

/** `2026-11-20T10:00:00Z` → `11:00:00`, in the time zone of the browser. */
export function formatTime(iso: string): string {
  const at = new Date(iso)
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/** The time, with the date unless it is today. */
export function formatRecent(iso: string): string {
  return formatDate(iso) === formatDate(new Date().toISOString()) ? formatTime(iso) : formatMoment(iso)
}

/** The same without the seconds. */
export function formatRecentMinute(iso: string): string {
  return formatRecent(iso).slice(0, -':00'.length)
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function formatDuration(milliseconds: number, language = 'en'): string {
  if (milliseconds < 9_950) {
    const number = new Intl.NumberFormat(intlTag(language), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    return `${number.format(Math.max(0, milliseconds) / 1000)} s`
  }
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `820 B`, `1.4 kB`, `35 MB`, `2.0 GB`: decimal units, as disks and object stores count. */
export function formatBytes(bytes: number, language = 'en'): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  const digits = power > 0 && value < 9.95 ? 1 : 0
  const number = new Intl.NumberFormat(intlTag(language), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Avoids 1,000 kB for 999,600 B.
  if (value >= 999.5 && power < units.length - 1) return formatBytes(1000 ** (power + 1), language)
  return `${number.format(value)} ${units[power]}`
}

/** Numbers as the chosen language writes them. */
export function useNumberFormat(): Intl.NumberFormat {
  return numberFormat(useTranslation().i18n.language)
}

/** @returns a function that writes a month, such as `2026-03`, as the chosen language does: `Mar 2026` */
export function useMonthFormat(): (month: string) => string {
  const { language } = useTranslation().i18n
  const format = new Intl.DateTimeFormat(intlTag(language), { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return (month) => format.format(new Date(month))
}
