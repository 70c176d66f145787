/**
 * Finds out from the disk whether a job took effect. A job takes effect by a rename, and records before it which file
 * or folder will then be where. If the process dies after the rename and before the job's end is recorded, the next
 * start finds the job done instead of interrupted. Otherwise the caller would repeat or undo the job, and overwrite
 * what users have written meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { JobInput } from '@roomkeeper/region-protocol'
import { stat, statIfPresentSync } from '#disk/files.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { storableInput } from './job-store.ts'

/** A rename that is about to happen, and the job's result after it. */
export interface PlannedEffect {
  from: string
  to: string
  result: unknown
}

interface RecordedEffect {
  path: string
  /** Identifies the file or folder at any path. */
  inode: number
  result: unknown
}

export async function recordEffect(
  database: DatabaseSync,
  job: string,
  { from, to, result }: PlannedEffect,
): Promise<void> {
  const effect: RecordedEffect = { path: to, inode: (await stat(from)).ino, result }
  inTransaction(database, () => {
    // This effect replaces all earlier ones at or below its path.
    database
      .prepare(
        `UPDATE jobs SET effect = NULL WHERE effect IS NOT NULL
         AND room = (SELECT room FROM jobs WHERE id = ?1)
         AND (json_extract(effect, '$.path') = ?2 OR instr(json_extract(effect, '$.path'), ?2 || '/') = 1)`,
      )
      .run(job, to)
    database.prepare('UPDATE jobs SET effect = ? WHERE id = ?').run(JSON.stringify(effect), job)
  })
}

/** The job's result if it took effect, otherwise undefined. @param recorded the effect as stored in region.db */
export function resultOfEffect(recorded: unknown): unknown {
  if (typeof recorded !== 'string') return undefined
  const { path, inode, result } = JSON.parse(recorded) as RecordedEffect
  return statIfPresentSync(path)?.ino === inode ? result : undefined
}

/** Whether an earlier job with the same input took effect, regardless of later writes into its file or folder. */
export function wasDoneBefore(database: DatabaseSync, input: JobInput): boolean {
  const jobs = database
    .prepare('SELECT effect FROM jobs WHERE type = ? AND room = ? AND input = ? AND effect IS NOT NULL')
    .all(input.type, input.room, storableInput(input))
  return jobs.some(({ effect }) => resultOfEffect(effect) !== undefined)
}
