import type { RunningJob } from '#jobs/job-kind.ts'
import { refusalOfError } from '#refusals.ts'
import { inTurn } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { recordBackup } from './system-database.ts'

type BackupJob = RunningJob<'backupRoom'> | RunningJob<'backupToObjectStore'> | RunningJob<'backupDatabase'>

/**
 * Tells in the list of databases when they were last backed up; a room that is gone by now has no such list.
 * The backup is made by then: that the disk has no space for this note does not undo it.
 */
export function noteBackups({ region, input, say }: BackupJob, databases: string[], takenAt: string): Promise<void> {
  return inTurn(region, input.room, undefined, async () => {
    if (region.index.get(input.room) === undefined) return
    try {
      const system = region.handles.open(region.folders.systemDatabase(input.room))
      inTransaction(system, () => {
        for (const database of databases) recordBackup(system, database, takenAt)
      })
    } catch (error) {
      if (refusalOfError(error).code !== 'storage-full') throw error
      say('There was no space to note the time of the backup.')
    }
  })
}
