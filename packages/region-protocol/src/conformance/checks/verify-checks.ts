/** Backups that are restored in a test, into a copy that no user can reach. */
import { type Check, expectEqual, expectFailure, expectProblem, expectThat } from '../check.ts'
import { roomWith, upload } from '../content.ts'
import { contentOf } from '../vectors.ts'

export const verifyChecks: Check[] = [
  {
    name: 'a good backup is verified, also of a room that is not there, and nothing of it can be reached',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: async (region) => {
      const { client, run, newName, raw } = region
      const { name, vector } = await roomWith(region, 'room.zip')
      const { file } = await run({ type: 'backupRoom', room: name })
      const gone = newName()
      for (const room of [name, gone]) {
        const found = await run({ type: 'verifyBackup', room, product: 'ARIS', from: { file } })
        expectEqual(
          [found.files, found.databases.toSorted(), found.digest, found.rebuilt ?? []],
          [vector.files, vector.databases.toSorted(), vector.digest, []],
          `files, databases, digest and rebuilt databases, as ${room}`,
        )
        expectThat(found.bytes > 0, 'bytes', found.bytes)
      }
      expectEqual(await client.room(gone), null, 'a room of the name')
      const { rooms } = await client.rooms(gone.slice(0, -1), 1)
      expectThat(
        rooms.every((room) => room.name !== gone),
        'a list without the name',
        rooms,
      )
      expectProblem(await raw('GET', `/rooms/${gone}/sessions`), 404, 'the sessions of the name')
      expectEqual(await region.digestOf(name), vector.digest, 'the digest of the room')
    },
  },
  {
    name: 'a backup with an altered byte or of another product is not verified',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: async (region) => {
      const { run } = region
      const { name, vector } = await roomWith(region, 'handled.zip')
      const { file } = await run({ type: 'backupRoom', room: name })
      const verify = { type: 'verifyBackup' as const, room: name }
      const altered = Buffer.from(contentOf(vector.file))
      const middle = Math.floor(altered.length / 2)
      altered.writeUInt8(altered.readUInt8(middle) ^ 1, middle)
      const other = await upload(region, altered)
      await expectFailure(run({ ...verify, from: { file: other } }), 'damaged-file', 'an altered byte')
      await expectFailure(run({ ...verify, from: { file }, product: 'MINING' }), 'product-differs', 'another product')
      expectEqual((await run({ ...verify, from: { file } })).digest, vector.digest, 'the digest of the unaltered one')
    },
  },
]
