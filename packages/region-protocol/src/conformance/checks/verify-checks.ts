/** Backups that are restored in a test, into a copy that no user can reach. */
import type { JobRequest } from '../../jobs.ts'
import { type Check, expectEqual, expectJobFailure, expectProblem, expectThat } from '../check.ts'
import type { Region } from '../region-under-test.ts'
import { sourceOf } from './source-of.ts'

export const verifyChecks: Check[] = [
  {
    name: 'a good backup is verified, also of a room that is not there, and nothing of it can be reached',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: async (region) => {
      const { client, newId, newRoom, newName, raw } = region
      const { name, creation } = await newRoom()
      const { digest } = await client.runJob(newId(), { type: 'digestRoom', room: name })
      const { file } = await client.runJob(newId(), { type: 'backupRoom', room: name })
      const before = (await client.status()).rooms
      const gone = newName()
      for (const room of [name, gone]) {
        const verify = { type: 'verifyBackup' as const, room, product: creation.product, from: { file } }
        const { bytes, rebuilt = [], ...found } = await client.runJob(newId(), verify)
        expectEqual(found, { files: 2, databases: ['main'], digest }, `what was found, as ${room}`)
        expectThat(bytes > 0, 'bytes', bytes)
        expectEqual(rebuilt, [], 'the databases with damaged indexes')
      }
      expectEqual(await client.room(gone), null, 'a room of the name')
      expectEqual((await client.status()).rooms, before, 'the number of rooms')
      expectProblem(await raw('GET', `/rooms/${gone}/sessions`), 404, 'the sessions of the name')
    },
  },
  {
    name: 'a backup with an altered byte or of another product is not verified',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: async (region) => {
      const { client, newId, newRoom } = region
      const { name, creation } = await newRoom()
      const { file } = await client.runJob(newId(), { type: 'backupRoom', room: name })
      const verify = { type: 'verifyBackup' as const, room: name }
      const bytes = Buffer.concat(await (await client.getFile(file)).content.toArray())
      const altered = Buffer.from(bytes)
      const middle = Math.floor(altered.length / 2)
      altered[middle] = (altered[middle] ?? 0) ^ 1
      const other = newId()
      await client.putFile(other, sourceOf(altered))
      await expectFailure(region, { ...verify, from: { file: other } }, 'damaged-file')
      const product = creation.product === 'ARIS' ? 'MINING' : 'ARIS'
      await expectFailure(region, { ...verify, from: { file }, product }, 'product-differs')
      const good = await client.runJob(newId(), { ...verify, from: { file } })
      const { digest } = await client.runJob(newId(), { type: 'digestRoom', room: name })
      expectEqual(good.digest, digest, 'the digest of the unaltered one')
    },
  },
]

async function expectFailure({ client, newId }: Region, job: JobRequest, code: string): Promise<void> {
  const { status, type } = await expectJobFailure(client.runJob(newId(), job), code)
  expectEqual([status, type], [422, `urn:roomkeeper-region:${code}`], 'the failure')
}
