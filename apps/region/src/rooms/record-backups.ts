import type { RunningJob } from '#jobs/job-kind.ts'
import { refusalOfError } from '#refusals.ts'
import { runExclusively } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { recordBackup } from './system-database.ts'

type BackupJob = RunningJob<'backupRoom'> | RunningJob<'backupToObjectStore'> | RunningJob<'backupDatabase'>

/**
 * Records in the room when its databases were last backed up, unless the room is gone by now. A full disk, on which
 * this cannot be recorded, is no failure, because the backup itself exists by now.
 */
export function recordBackups({ region, input, log }: BackupJob, databases: string[], takenAt: string): Promise<void> {
  return runExclusively(region, input.room, undefined, async () => {
    if (region.index.get(input.room) === undefined) return
    try {
      const system = region.handles.open(region.folders.systemDatabase(input.room))
      inTransaction(system, () => {
        for (const database of databases) recordBackup(system, database, takenAt)
      })
    } catch (error) {
      if (refusalOfError(error).code !== 'storage-full') throw error
      log('There was no space to note the time of the backup.')
    }
  })
}
