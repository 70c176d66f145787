/**
 * Compares the clock of this process with that of the database. A difference of more than 5 s is logged; a
 * process that is more than a minute off takes no work until its clock is right again.
 */
import type { Database } from './database.ts'
import { queryRows } from './database.ts'
import type { Log } from './log.ts'

export interface ProcessClock {
  /** By how many seconds the clock of this process is ahead of the database's; negative: behind. null: not yet known. */
  secondsAhead(): number | null
  /** Whether the clock is right enough to take work. True as long as nothing is known. */
  isRight(): boolean
  /** @throws when the database does not answer */
  compare(): Promise<void>
}

/** More is logged and needs attention. */
export const tolerableSeconds = 5
const stoppedSeconds = 60

export function createProcessClock(database: Database, log: Log): ProcessClock {
  let secondsAhead: number | null = null
  return {
    secondsAhead: () => secondsAhead,
    isRight: () => Math.abs(secondsAhead ?? 0) <= stoppedSeconds,
    async compare() {
      const measured = await measure(database)
      tellChange(log, secondsAhead ?? 0, measured)
      secondsAhead = measured
    },
  }
}

/** The database tells its time somewhere between question and answer: the difference is at least this. */
async function measure({ db }: Database): Promise<number> {
  const [asked, began] = [Date.now(), performance.now()]
  const [row] = await queryRows<{ at: number }>(db, 'select extract(epoch from clock_timestamp())::float8 as at')
  if (row === undefined) throw new Error('The database did not tell its time.')
  const took = (performance.now() - began) / 1000
  const ahead = asked / 1000 + took / 2 - row.at
  return Math.sign(ahead) * Math.max(0, Math.abs(ahead) - took / 2)
}

function tellChange(log: Log, before: number, now: number): void {
  const [was, is] = [levelOf(before), levelOf(now)]
  if (was === is) return
  const fields = { secondsAhead: Math.round(now * 10) / 10 }
  if (is === 'right') log.info(fields, 'the clock of this process agrees with the database again')
  else if (is === 'told') log.warn(fields, 'the clock of this process differs from the database')
  else log.error(fields, 'the clock of this process differs from the database: it takes no work until it is right')
}

function levelOf(secondsAhead: number): 'right' | 'told' | 'stopped' {
  const off = Math.abs(secondsAhead)
  return off > stoppedSeconds ? 'stopped' : off > tolerableSeconds ? 'told' : 'right'
}
