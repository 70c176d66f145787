/** What a region removes with time: files that nobody fetched, jobs that ended long ago, fences of old operations. */
import type { RegionServices } from '#http/server.ts'

const everyMilliseconds = 3_600_000
const fencesAreKeptDays = 90

/**
 * Every hour, for the first time an hour after the start: a machine that has just been started may have a clock that is
 * far ahead until it is set, and then everything would count as old. @returns how to stop it
 */
export function startHousekeeping(
  { region, files, jobs }: RegionServices,
  reportFailure: (error: unknown) => void,
): () => void {
  const clean = async () => {
    region.reserve.keep()
    jobs.forgetOld()
    region.fences.forgetOlderThan(fencesAreKeptDays)
    await files.removeUnused()
  }
  const timer = setInterval(() => void clean().catch(reportFailure), everyMilliseconds)
  return () => clearInterval(timer)
}
