/**
 * Asks the regions that no call has reached lately for their status, so that the list says which of them answer. Nothing
 * is written here: the call notes what it shows, as every other one does (region-health.ts). One worker asks for all.
 */
import { type Db, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import type { Scheduler } from '#platform/recurring.ts'
import type { ConnectRegion } from './connect-region.ts'
import type { HealthNotes } from './region-health.ts'

const answerMilliseconds = 5000
const mostAtOnce = 4

interface CheckParts {
  db: Db
  connectRegion: ConnectRegion
  notes: HealthNotes
  log: Log
  everySeconds: number
}

export function startCheckingRegions(scheduler: Scheduler, parts: CheckParts): void {
  scheduler.start({
    name: 'check of silent regions',
    everySeconds: parts.everySeconds,
    scope: 'cluster',
    ignoresClock: true,
    run: (signal) => checkRegions(parts, signal),
  })
}

async function checkRegions({ db, log, connectRegion, notes, everySeconds }: CheckParts, stopping: AbortSignal) {
  const enabled = await queryRows<{ id: number }>(db, `select id from regions where state = 'enabled' order by id`)
  // Regions that were contacted within half an interval are skipped.
  const due = enabled.filter(({ id }) => notes.millisecondsSince(id) > everySeconds * 500)
  const ask = async ({ id }: { id: number }) => {
    if (stopping.aborted) return
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(answerMilliseconds)])
    try {
      const region = await connectRegion(id, signal)
      // The call notes the answer; a later call that needs the region reports why there is none.
      await region.status().catch(() => undefined)
    } catch (error) {
      // Such as a stored password that cannot be opened. It must not end the round before the others have been asked.
      log.info({ err: error, region: id }, 'a region could not be checked')
    }
  }
  // A silent region holds up only one of the concurrent checks.
  await mapConcurrently(due, mostAtOnce, ask)
}
