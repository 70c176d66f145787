/**
 * A time as PostgreSQL writes it, such as `2026-05-01 10:20:30.45+00`, in ISO form with milliseconds. Times in UTC, with
 * years of four digits, are only put together anew: a page of a list has many, and Date takes ten times as long.
 * @throws RangeError if it is no time, such as `infinity`
 */
export function isoTimeOf(text: string): string {
  if (text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text[19] === '.' ? text.slice(20, -3) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}
