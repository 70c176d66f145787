const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `820 B`, `1.4 kB`, `35 MB`, `2.0 GB`: decimal units, as disks and object stores count. */
export function formatBytes(bytes: number, language = 'en'): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  const digits = power > 0 && value < 9.95 ? 1 : 0
  const number = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  // 999,600 B would be written as 1,000 kB.
  if (value >= 999.5 && power < units.length - 1) return formatBytes(1000 ** (power + 1), language)
  return `${number.format(value)} ${units[power]}`
}
