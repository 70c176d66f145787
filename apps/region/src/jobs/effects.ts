/**
 * Shows from the disk whether a job took effect. Before the rename by which it takes effect, a job records which file
 * or folder will then be where. When the process dies after the rename and before the job's end is recorded, the next
 * start finds the job done instead of interrupted. Otherwise it would be done again, or undone, over what users have
 * written meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { JobInput } from '@roomkeeper/region-protocol'
import { stat, statIfPresentSync } from '#disk/files.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { storableInput } from './job-store.ts'

/** A rename that is about to happen, and what the job answers after it. */
export interface PlannedEffect {
  from: string
  to: string
  result: unknown
}

interface RecordedEffect {
  path: string
  /** By which the file or folder is known, wherever it is. */
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
    // Earlier effects at this path, or below it, are replaced by this one.
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

/** What the job answers, when its effect is there; undefined: it is not. @param recorded as it stands in region.db */
export function resultOfEffect(recorded: unknown): unknown {
  if (typeof recorded !== 'string') return undefined
  const { path, inode, result } = JSON.parse(recorded) as RecordedEffect
  return statIfPresentSync(path)?.ino === inode ? result : undefined
}

/** Whether what is there was put there by a job of the same input, whatever has been written into it since. */
export function wasDoneBefore(database: DatabaseSync, input: JobInput): boolean {
  const jobs = database
    .prepare('SELECT effect FROM jobs WHERE type = ? AND room = ? AND input = ? AND effect IS NOT NULL')
    .all(input.type, input.room, storableInput(input))
  return jobs.some(({ effect }) => resultOfEffect(effect) !== undefined)
}
