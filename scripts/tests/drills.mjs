/**
 * Test files in which processes are killed, machines hang, disks fill up, regions lie and time-outs pass. They take
 * long, so a run takes a part of them: see docs/reliability.md.
 */

/** How many consecutive seeds take every drill. */
const parts = 5

/** From the root of the repository, in the order in which they are dealt out. */
export const drills = [
  'apps/cli/test/stops-and-outages.test.ts',
  'apps/region/test/adb.test.ts',
  'apps/region/test/crash.test.ts',
  'apps/region/test/followed-files.test.ts',
  'apps/region/test/full-disk.test.ts',
  'apps/region/test/fuzz.test.ts',
  'apps/region/test/greedy-region.test.ts',
  'apps/region/test/hostile-files.test.ts',
  'apps/region/test/large-room.test.ts',
  'apps/region/test/process.test.ts',
  'apps/region/test/replace-room.test.ts',
  'apps/region/test/took-effect.test.ts',
  'apps/server/test/database-connections.test.ts',
  'apps/server/test/deployed.test.ts',
  'apps/server/test/disk-faults.test.ts',
  'apps/server/test/doctor/closed-copies.test.ts',
  'apps/server/test/doctor/damaged-rooms.test.ts',
  'apps/server/test/doctor/hostile-region.test.ts',
  'apps/server/test/doctor/many-findings.test.ts',
  'apps/server/test/doctor/runs.test.ts',
  'apps/server/test/large-uploads.test.ts',
  'apps/server/test/late-records.test.ts',
  'apps/server/test/life/full-disk.test.ts',
  'apps/server/test/life/late-calls.test.ts',
  'apps/server/test/life/late-database-jobs.test.ts',
  'apps/server/test/life/put-back-after-a-day.test.ts',
  'apps/server/test/life/slow-changes.test.ts',
  'apps/server/test/lost-database.test.ts',
  'apps/server/test/migrations/calls-start.test.ts',
  'apps/server/test/migrations/closed-copy.test.ts',
  'apps/server/test/migrations/renewed-locks.test.ts',
  'apps/server/test/migrations/restored-dump.test.ts',
  'apps/server/test/migrations/straight-files-left.test.ts',
  'apps/server/test/patient-programs.test.ts',
  'apps/server/test/region-checks.test.ts',
  'apps/server/test/restore-database.test.ts',
  'apps/server/test/retry-window.test.ts',
  'apps/server/test/rolling-upgrade.test.ts',
  'apps/server/test/rotate-secrets.test.ts',
  'apps/server/test/secrets-in-arguments.test.ts',
  'apps/server/test/slow-clients.test.ts',
  'apps/server/test/slow-readers.test.ts',
  'apps/server/test/start.test.ts',
  'apps/server/test/stored-while-packed.test.ts',
  'apps/server/test/strange-store.test.ts',
  'apps/server/test/unrecorded-ends.test.ts',
  'apps/server/test/upgrade-postgres.test.ts',
  'bench/src/growth/bench-growth.test.ts',
  'packages/embedded-postgres-server/src/second-container.test.ts',
  'packages/embedded-postgres-server/src/start.test.ts',
]

/** The drills that a run with this seed leaves out. */
export function drillsLeftOut(seed) {
  return drills.filter((_, index) => index % parts !== Number(seed) % parts)
}
