/**
 * Asks the regions that no call has reached lately for their status, so that the list says which of them answer. Nothing
 * is written here: the call notes what it shows, as every other one does (region-health.ts). One worker asks for all.
 */
import { isEldestWorker } from '#operations/index.ts'
import type { Db } from '#platform/database.ts'
import { forEach } from '#platform/for-each.ts'
import type { Log } from '#platform/log.ts'
import type { ConnectRegion } from './connect-region.ts'
import type { HealthNotes } from './region-health.ts'

const answerMilliseconds = 5000
const mostAtOnce = 4

interface CheckParts {
  db: Db
  connectRegion: ConnectRegion
  notes: HealthNotes
  log: Log
  workerId: string
  leaseSeconds: number
  /** 0: never. */
  everySeconds: number
}

/** The first round begins after `everySeconds`. @returns a function that stops it, without waiting for any region */
export function startCheckingRegions(parts: CheckParts): () => Promise<void> {
  const { db, log, workerId, leaseSeconds, everySeconds } = parts
  if (everySeconds === 0) return async () => undefined
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const round = async () => {
    try {
      if (await isEldestWorker(db, workerId, leaseSeconds)) await checkRegions(parts, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) log.info({ err: error }, 'the regions could not be checked')
    }
  }
  const timer = setInterval(() => {
    // The rounds never overlap, however many regions are silent.
    running ??= round().finally(() => {
      running = null
    })
  }, everySeconds * 1000)
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}

async function checkRegions({ db, log, connectRegion, notes, everySeconds }: CheckParts, stopping: AbortSignal) {
  const enabled = await db.selectFrom('regions').select('id').where('state', '=', 'enabled').orderBy('id').execute()
  // Half the interval: what the round before has asked is due again, what a call has reached since is not.
  const due = enabled.filter(({ id }) => notes.millisecondsSince(id) > everySeconds * 500).values()
  const ask = async ({ id }: { id: number }) => {
    if (stopping.aborted) return
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(answerMilliseconds)])
    try {
      const region = await connectRegion(id, signal)
      // What it answers is noted by the call; why it does not is told to whoever needs the region.
      await region.status().catch(() => undefined)
    } catch (error) {
      // Such as a stored password that cannot be opened. It must not end the round before the others have been asked.
      log.info({ err: error, region: id }, 'a region could not be checked')
    }
  }
  // A silent region holds up only one of the concurrent checks.
  await Promise.all(Array.from({ length: mostAtOnce }, () => forEach(due, ask)))
}
