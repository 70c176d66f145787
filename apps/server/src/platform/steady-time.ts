/**
 * Whether the clock of the database has jumped. Housekeeping looks each minute: if the time is more than a day after
 * the last look, or more than a minute before it, the clock may be wrong, and what housekeeping removes by it would be
 * lost. A day without a worker, or the restore of a dump, has the same effect: then waiting does no harm.
 */
import { type Db, queryRows, type Tx } from './database.ts'

export interface Jump {
  from: string
  to: string
  /** From then on housekeeping removes again what cannot be brought back. */
  until: string
  /** It was just found. */
  isNew: boolean
}

const isJump = `now() - t.looked_at > interval '1 day' or now() < t.looked_at - interval '1 minute'`

/**
 * SQL: the time at the last look; null while the time is not steady, also if it has jumped since the look. Records are
 * removed for good by their age at this time and not at now().
 */
export const steadyTime = `(select t.looked_at from time_looks t where t.jumped_at is null and not (${isJump}))`

/** SQL: whether a time is longer ago than an interval, as far as the steady time says. For what still protects until then. */
export function isLongerAgo(time: string, interval: string): string {
  return `coalesce(${time} < ${steadyTime} - interval '${interval}', false)`
}

/** SQL: a time that no record has been written after, also if the clock was ahead of what is now its time. */
export const latestTime = 'greatest(steady_now(), (select jumped_from from time_looks))'

/** @returns null while the time is not steady */
export async function readSteadyTime(db: Db): Promise<Date | null> {
  const [row] = await queryRows<{ now: string | null }>(db, `select ${steadyTime} as now`)
  return row === undefined || row.now === null ? null : new Date(row.now)
}

/** @returns the last jump, while it is less than a day ago and no administrator has said that the time is right */
export async function lookAtTime(db: Db): Promise<Jump | null> {
  return jumpIn(await queryRows<Look>(db, look))
}

/** The same, without recording a look. */
export async function openJump(db: Db): Promise<Jump | null> {
  return jumpIn(await queryRows<Look>(db, `select ${jump} from (select ${looked} from time_looks t) as looked`))
}

export async function trustTime(tx: Tx): Promise<void> {
  await queryRows(tx, 'update time_looks set looked_at = now(), jumped_from = null, jumped_at = null')
}

const isOver = `t.jumped_at <= now() - interval '1 day'`

interface Look {
  from: string | null
  to: string | null
  until: string | null
  isNew: boolean | null
}

function jumpIn([look]: readonly Look[]): Jump | null {
  if (look === undefined) return null
  const { from, to, until, isNew } = look
  return from === null || to === null || until === null ? null : { from, to, until, isNew: isNew === true }
}

const jump = `jumped_from as "from", jumped_at as "to", jumped_at + interval '1 day' as until, jumped_at = now() as is_new`

const jumpedFrom = `case when ${isJump} then t.looked_at when ${isOver} then null else t.jumped_from end`
const jumpedAt = `case when ${isJump} then now() when ${isOver} then null else t.jumped_at end`
const looked = `${jumpedFrom} as jumped_from, ${jumpedAt} as jumped_at`

const look = `
  insert into time_looks as t (looked_at) values (now())
  on conflict (id) do update set looked_at = now(), jumped_from = ${jumpedFrom}, jumped_at = ${jumpedAt}
  returning ${jump}`
