export interface MonthCount {
  /** Such as `2026-01`. */
  month: string
  rooms: number
}

/** @param counted in chronological order */
export function monthsWithoutGaps(counted: readonly MonthCount[]): MonthCount[] {
  const [first, last] = [counted[0], counted.at(-1)]
  if (first === undefined || last === undefined) return []
  const rooms = new Map(counted.map((each) => [each.month, each.rooms]))
  const months: MonthCount[] = []
  for (let month = first.month; month <= last.month; month = monthAfter(month))
    months.push({ month, rooms: rooms.get(month) ?? 0 })
  return months
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 4)}-${String(number + 1).padStart(2, '0')}`
}
