/** Moments, bytes and numbers as people write them. */
import { useTranslation } from 'react-i18next'
import { numberFormat } from './number-format.ts'

/** `2026-11-20T10:00:00Z` → `20.11.2026 11:00:00`, in the time zone of the browser. */
export function formatMoment(iso: string): string {
  return `${formatDate(iso)} ${formatTime(iso)}`
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

function two(number: number): string {
  return String(number).padStart(2, '0')
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `820 B`, `1.4 kB`, `35 MB`, `2.0 GB`: decimal units, as disks and object stores count. */
export function formatBytes(bytes: number, language = 'en'): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  const digits = power > 0 && value < 9.95 ? 1 : 0
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  // Avoids 1,000 kB for 999,600 B.
  if (value >= 999.5 && power < units.length - 1) return formatBytes(1000 ** (power + 1), language)
  return `${number.format(value)} ${units[power]}`
}

/** Numbers as the chosen language writes them. */
export function useNumberFormat(): Intl.NumberFormat {
  return numberFormat(useTranslation().i18n.language)
}
