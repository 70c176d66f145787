/**
 * The job putBackRoom: exchanges a room's content for what the job replaceRoom kept, by a rename. The room keeps its
 * record (id, state, lock), in which the id of what was put back comes into its place with the content. Its sessions do
 * not come back, as with a backup: they may have been ended since, or their users removed.
 */
import { join } from 'node:path'
import { discard } from '#disk/discard.ts'
import { mkdir } from '#disk/files.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { runExclusively } from '#region.ts'
import { committing, openDatabase } from '#sqlite/database-handles.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { findKept, recallUnread } from './kept-content.ts'
import { systemDatabaseFile } from './room-folders.ts'
import { exchangeContent } from './swap-room.ts'
import { abandonSwaps, clearSwap } from './swaps.ts'

export const putBackRoom: JobKind<'putBackRoom'> = {
  check: (region, input) => void ownUnlockedRoom(region, input),
  // A full disk may be why the content has to be put back.
  deletes: true,
  run: async (job) => {
    const { region, input, signal, log } = job
    const swap = region.folders.sideFolder('swap', input.room)
    await mkdir(swap)
    let emptied: string | undefined
    try {
      await runExclusively(region, input.room, undefined, async () => {
        signal.throwIfAborted()
        const record = { ...ownUnlockedRoom(region, input), putBack: input.kept }
        // What a start could not read or rename may be what is to be put back.
        await abandonSwaps(region, input.room)
        await recallUnread(region, input.room)
        const folder = findKept(region, { id: input.kept, roomId: input.roomId })
        if (folder === undefined) return
        region.handles.close(region.folders.room(input.room))
        const next = join(folder, 'old')
        endSessions(join(next, systemDatabaseFile))
        await exchangeContent(region, { record, swap, next }, (effect) =>
          job.recordEffect({ ...effect, result: { replaced: true } }),
        )
        region.index.put(record)
        region.kept.delete(folder)
        emptied = folder
      })
    } finally {
      await clearSwap(region.folders, input.room, swap, region.remainingSwaps)
    }
    if (emptied === undefined) return withoutKept(job)
    await discard(emptied)
    log(`The project room ${input.room} has its former content again.`)
    return { replaced: true }
  },
}

function endSessions(path: string): void {
  const system = openDatabase(path)
  try {
    committing(system, () => system.exec('DELETE FROM sessions'))
  } finally {
    system.close()
  }
}

/** @throws {Refusal} 'content-gone' when the room was replaced, and its former content is not kept any more */
function withoutKept({ region, input, log }: RunningJob<'putBackRoom'>): { replaced: boolean } {
  const { room, roomId, kept } = input
  if (ownUnlockedRoom(region, input).putBack === kept) {
    log(`The former content of ${room} was put back before.`)
    return { replaced: true }
  }
  // A job whose end could not be recorded, as on a full disk, has its effect recorded.
  const replaced = region.database
    .prepare(
      `SELECT 1 FROM jobs WHERE type = 'replaceRoom' AND room = ? AND (state = 'done' OR effect IS NOT NULL)
       AND json_extract(input, '$.keep') = ? AND lower(json_extract(input, '$.roomId')) = lower(?)`,
    )
    .get(room, kept, roomId)
  if (replaced !== undefined) throw refuse('content-gone', { room })
  log(`The project room ${room} was not replaced.`)
  return { replaced: false }
}
