/** How long a move takes: what every move costs, and what each byte adds, as earlier moves have shown. */

/** A move that was done. */
export interface EarlierMove {
  bytes: number
  seconds: number
}

/** Of a move: `seconds` whatever its size, and `secondsPerByte` besides. */
export interface Pace {
  seconds: number
  secondsPerByte: number
}

/** Until enough moves were measured: five seconds a room, and 20 MiB a second. */
export const usualPace: Pace = { seconds: 5, secondsPerByte: 1 / (20 * 1024 * 1024) }
const enough = 5

/**
 * A line through the earlier moves. When they do not tell what a byte adds, because they were of one size or the
 * smaller took longer, a byte is taken to add what it usually does.
 */
export function paceOf(moves: readonly EarlierMove[]): Pace {
  if (moves.length < enough) return usualPace
  const bytes = average(moves.map((each) => each.bytes))
  const seconds = average(moves.map((each) => each.seconds))
  const spread = sum(moves.map((each) => (each.bytes - bytes) ** 2))
  const together = sum(moves.map((each) => (each.bytes - bytes) * (each.seconds - seconds)))
  const measured = spread === 0 ? 0 : together / spread
  // Rooms that hardly differ in size say nothing about large ones.
  const tells = measured > 0 && Math.max(...moves.map((each) => each.bytes)) >= tellingBytes
  const secondsPerByte = tells ? measured : usualPace.secondsPerByte
  return { seconds: Math.max(seconds - secondsPerByte * bytes, 0), secondsPerByte }
}

const tellingBytes = 10 * 1024 * 1024

/** Whole seconds. */
export function estimateSeconds(pace: Pace, bytes: number): number {
  return Math.ceil(pace.seconds + pace.secondsPerByte * bytes)
}

function average(values: readonly number[]): number {
  return sum(values) / values.length
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
