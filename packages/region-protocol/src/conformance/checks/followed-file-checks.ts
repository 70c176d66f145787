/** Files that are read while their job makes them. */
import { createHash } from 'node:crypto'
import { jobHasEnded } from '../../jobs.ts'
import { type Check, CheckFailed, expectEqual, expectProblem } from '../check.ts'
import type { Region } from '../region-under-test.ts'

export const followedFileChecks: Check[] = [
  {
    name: 'a file that is read while its job makes it is the one that the job has made',
    page: 'files.md#a-file-that-is-still-being-made',
    needs: ['jobFile'],
    run: async (region) => {
      const { client, newRoom, newId } = region
      const { name: room, roomId } = await newRoom()
      const job = newId()
      await client.startJob(job, { type: 'backupRoom', room, roomId })
      const read = await readWhileMade(region, job)
      const { size, sha256 } = await client.runJob(job, { type: 'backupRoom', room, roomId })
      if (read !== null) expectEqual(read, { size, sha256 }, 'what was read')
    },
  },
  {
    name: 'of a job that has ended, or that is unknown, no file is followed',
    page: 'files.md#a-file-that-is-still-being-made',
    needs: ['jobFile'],
    run: async ({ client, newRoom, newId, raw }) => {
      const { name: room, roomId } = await newRoom()
      const job = newId()
      await client.runJob(job, { type: 'backupRoom', room, roomId })
      expectProblem(await raw('GET', `/jobs/${job}/file`), 409, 'a job that has ended')
      expectProblem(await raw('GET', `/jobs/${newId()}/file`), 404, 'an unknown job')
    },
  },
]

/** Null: the job was quicker. @throws CheckFailed when the file never begins, and the job does not end */
async function readWhileMade({ client }: Region, job: string): Promise<{ size: number; sha256: string } | null> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    const file = await client.followFile(job, AbortSignal.timeout(60_000))
    if (file === 'none') return null
    if (file === 'not-begun') {
      if (jobHasEnded((await client.job(job)).state)) return null
      continue
    }
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of file.content) {
      hash.update(chunk)
      size += chunk.byteLength
    }
    return { size, sha256: hash.digest('hex') }
  }
  throw new CheckFailed('The job has neither ended nor begun to write its file.')
}
