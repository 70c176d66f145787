/** Days without a time: `YYYY-MM-DD` inside, `dd.MM.yyyy` for people. */

/** `2027-01-31` → `31.01.2027`. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-')
  return `${date}.${month}.${year}`
}

/** Parses a typed day, such as `31.1.2027`, `31.01.27` or `2027-01-31`; returns null if there is no such day. */
export function parseDay(text: string): string | null {
  const dotted = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})\s*$/.exec(text)
  const iso = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text)
  const [year, month, date] = dotted === null ? (iso?.slice(1) ?? []) : dotted.slice(1).reverse()
  if (year === undefined || month === undefined || date === undefined) return null
  const day = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = new Date(`${day}T00:00:00Z`)
  // Date rolls the 31st of a short month over instead of refusing it.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? day : null
}
