/** Estimates how long a move takes, from earlier moves: a fixed time for each move, and a time for each byte. */
import { type Db, queryRows } from '#platform/database.ts'

/** A completed move: the bytes that it carried, and how long it ran. */
interface EarlierMove {
  bytes: number
  seconds: number
}

/** A move of any size takes `seconds`, plus `secondsPerByte` for each byte. */
export interface Pace {
  seconds: number
  secondsPerByte: number
}

/** Used until enough moves have been measured: five seconds a room, and 20 MiB a second. */
export const usualPace: Pace = { seconds: 5, secondsPerByte: 1 / (20 * 1024 * 1024) }
const enough = 5
const mostMoves = 200

/** From the newest successful moves between any regions. */
export async function readPace(db: Db): Promise<Pace> {
  const moves = await queryRows<EarlierMove>(
    db,
    `select bytes::float8 as bytes, extract(epoch from moved.ended_at - began.at)::float8 as seconds
       from (select operation_id, bytes, ended_at from operation_items
              where state = 'done' and bytes is not null order by ended_at desc limit ${mostMoves}) moved
       cross join lateral (select min(started_at) as at from operation_steps where operation_id = moved.operation_id) began
      where began.at is not null`,
  )
  return paceOf(moves)
}

/**
 * Fits a line through the earlier moves. If they do not show what a byte adds, because they were of one size or the
 * smaller ones took longer, the usual time per byte is assumed.
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
