/** Backups that are restored in a test, into a copy that no user can reach. */
import { type Check, expectEqual, expectProblem, expectThat } from '../check.ts'
import { roomWith } from '../content.ts'

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
]
