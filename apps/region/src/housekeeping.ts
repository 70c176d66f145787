/** What a region forgets with time: files nobody fetched, jobs that ended long ago, fences of old operations. */
import type { RegionServices } from '#http/server.ts'

const everyMilliseconds = 3_600_000
const fencesAreKeptDays = 90

/** Begins at once and goes on every hour. @returns how to stop it. */
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
  const run = () => void clean().catch(reportFailure)
  run()
  const timer = setInterval(run, everyMilliseconds)
  return () => clearInterval(timer)
}
