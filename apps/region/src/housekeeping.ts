/** Removes what a region no longer needs: unused files, former contents of rooms, jobs that ended long ago, and fences of old operations. */
import type { RegionServices } from '#http/server.ts'
import { removeOldKept } from '#rooms/kept-content.ts'

const everyMilliseconds = 3_600_000
const fencesAreKeptDays = 90

/**
 * Runs every hour, first an hour after the start: the clock of a machine that has just started may be far ahead until
 * it is set, and everything would count as old. @returns a function that stops it
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
    await removeOldKept(region)
  }
  const timer = setInterval(() => void clean().catch(reportFailure), everyMilliseconds)
  return () => clearInterval(timer)
}
