/** Files that are read while their job makes them. */
import { setTimeout as pause } from 'node:timers/promises'
import { jobHasEnded } from '../../jobs.ts'
import { regionBasePath } from '../../routes.ts'
import { type Check, CheckFailed, expectEqual, expectProblem, expectThat } from '../check.ts'
import { fetchFile, largeRoom } from '../content.ts'
import { callSeconds, type Region } from '../region-under-test.ts'

export const followedFileChecks: Check[] = [
  {
    name: 'a file that is read while its job makes it is the one that the job makes, or does not end properly',
    page: 'files.md#a-file-that-is-still-being-made',
    needs: ['jobFile'],
    run: isWhole,
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

interface Read {
  bytes: Buffer
  /** Whether the answer ended properly. */
  isWhole: boolean
}

async function isWhole(region: Region): Promise<void> {
  const { client, newId } = region
  const { name } = await largeRoom(region)
  const job = newId()
  const read = await follow(region, job, name)
  const file = await fetchFile(region, await client.runJob(job, { type: 'backupRoom', room: name }))
  if (read !== null) expectThat(read.isWhole && read.bytes.equals(file), 'the whole file', read.bytes.length)
  // A job may be quicker than its cancellation, so there are several.
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const job = newId()
    const read = await follow(region, job, name, () => client.cancelJob(job))
    const { state } = await client.job(job)
    if (read === null) continue
    expectEqual(read.isWhole, state === 'done', `whether the answer ended properly, of a job that has ended ${state}`)
    if (state === 'done') continue
    const problem = expectProblem(await region.raw('GET', `/jobs/${job}/file`), 409, 'the file afterwards')
    expectEqual(problem.type, 'urn:roomkeeper-region:job-has-ended', 'the file afterwards')
    return
  }
  region.note(`each of ${attempts} backups was quicker than its cancellation`)
}

const attempts = 5

/**
 * Starts a backup and reads its file while it is made.
 * @param begun is called when the region has begun to answer
 * @returns null if the job was quicker @throws CheckFailed when the file never begins, and the job does not end
 */
async function follow(
  { client, target, authorization }: Region,
  job: string,
  room: string,
  begun: () => Promise<unknown> = async () => undefined,
): Promise<Read | null> {
  await client.startJob(job, { type: 'backupRoom', room })
  for (const until = performance.now() + 60_000; performance.now() < until; await pause(2)) {
    const answer = await fetch(`${target.url}${regionBasePath}/jobs/${job}/file`, {
      headers: { authorization: await authorization() },
      signal: AbortSignal.timeout(callSeconds * 1000),
    })
    if (answer.ok) {
      const [read] = await Promise.all([readAll(answer), begun()])
      return read
    }
    await answer.arrayBuffer()
    if (jobHasEnded((await client.job(job)).state)) return null
  }
  throw new CheckFailed('The job has neither ended nor begun to write its file.')
}

async function readAll(answer: Response): Promise<Read> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of answer.body ?? []) chunks.push(chunk)
    return { bytes: Buffer.concat(chunks), isWhole: true }
  } catch {
    return { bytes: Buffer.concat(chunks), isWhole: false }
  }
}
