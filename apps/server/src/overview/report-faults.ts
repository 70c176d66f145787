/** Each process reports what is wrong with itself: its clock, and the backup store as it sees it. */
import { hostname } from 'node:os'
import { type Db, queryRows } from '#platform/database.ts'
import { type ProcessClock, tolerableSeconds } from '#platform/process-clock.ts'
import type { Scheduler } from '#platform/recurring.ts'
import type { StoreProbe, StoreState } from '#platform/store-probe.ts'

interface ReportParts {
  db: Db
  clock: ProcessClock
  probeStore: StoreProbe
  isWorker: boolean
}

interface Fault {
  fault: 'clock-off' | 'store-missing'
  severity: 'error' | 'warning'
  params: Record<string, string | number>
}

/** Nothing is written as long as nothing is wrong. A report that is not repeated is soon ignored. */
export function startReportingFaults(scheduler: Scheduler, { db, clock, probeStore, isWorker }: ReportParts): void {
  const name = `${isWorker ? 'worker' : 'server'} ${process.pid} on ${hostname()}`
  let reported = 0
  scheduler.start({
    name: 'report of faults of this process',
    everySeconds: 5,
    scope: 'process',
    ignoresClock: true,
    async run() {
      const faults = [...faultsOfClock(clock), ...faultsOfStore(await probeStore())]
      if (faults.length === 0 && reported === 0) return
      await queryRows(db, report, [name, JSON.stringify(faults)])
      reported = faults.length
    },
  })
}

const report = `
  with faults as (select * from jsonb_to_recordset($2::jsonb) as given (fault text, severity text, params jsonb)),
       gone as (delete from process_faults where process = $1 and fault not in (select fault from faults))
  insert into process_faults (process, fault, severity, params) select $1, fault, severity, params from faults
  on conflict (process, fault) do update
    set severity = excluded.severity, params = excluded.params, seen_at = now()`

function faultsOfClock(clock: ProcessClock): Fault[] {
  const seconds = Math.round(clock.secondsAhead() ?? 0)
  if (Math.abs(seconds) <= tolerableSeconds) return []
  return [{ fault: 'clock-off', severity: clock.isRight() ? 'warning' : 'error', params: { seconds } }]
}

function faultsOfStore(state: StoreState): Fault[] {
  return state === 'ok' || state === 'unknown' ? [] : [{ fault: 'store-missing', severity: 'error', params: { state } }]
}
