/** Rooms whose content is replaced, and put back. */
import { type Check, expectEqual, expectFailure, expectRefusal, mayFail } from '../check.ts'
import { expectDigest, expectVector, roomWith, upload } from '../content.ts'
import { newCreation, type Region } from '../region-under-test.ts'
import { backupVector, contentOf } from '../vectors.ts'

export const replaceChecks: Check[] = [
  {
    name: 'what replaceRoom replaces is kept and put back as it was, whatever becomes of the room; state and roomId stay',
    page: 'jobs.md#putbackroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, run } = region
      const { room, by, replace, putBack } = await roomToReplace(region, 'room.zip', 'handled.zip')
      expectEqual(await run(replace), { databases: ['main'] }, 'the replacement')
      await expectVector(region, room.name, by, 'once it is replaced')
      await changeAll(region, room)
      expectEqual(await run(putBack), { replaced: true }, 'the former content')
      await expectVector(region, room.name, room.vector, 'once it is put back')
      const found = await client.room(room.name)
      expectEqual([found?.roomId, found?.state], [room.roomId, 'suspended'], 'roomId and state')
      await run({ type: 'deleteDatabase', ...room.own, database: 'long' })
      const digest = await region.digestOf(room.name)
      expectEqual(await run(putBack), { replaced: true }, 'put back again')
      expectEqual(await region.digestOf(room.name), digest, 'the digest, because nothing is put back again')
    },
  },
  {
    name: 'what a room held before databases of a product backup joined it does not follow its later changes',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { run } = region
      const { room, by, replace, putBack } = await roomToReplace(region, 'handled.zip', 'product-same.zip')
      await run(replace)
      await expectDigest(region, room.name, by, 'once they have joined')
      await changeAll(region, room)
      await run(putBack)
      await expectVector(region, room.name, room.vector, 'once it is put back')
    },
  },
  {
    name: 'a second replacement under one id keeps what the first one replaced',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { room, replace, putBack } = await roomToReplace(region, 'small.zip', 'handled.zip')
      for (const _time of [1, 2]) await region.run(replace)
      await region.run(putBack)
      await expectDigest(region, room.name, room.vector, 'once it is put back')
    },
  },
  {
    name: 'two rooms keep what they held under the same id, each its own',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { room, replace, putBack } = await roomToReplace(region, 'small.zip', 'room.zip')
      const other = await roomWith(region, 'handled.zip')
      const stranger = await roomWith(region, 'room.zip')
      await region.run(replace)
      await region.run({ ...replace, ...other.own })
      const nothing = await region.run({ ...putBack, ...stranger.own })
      expectEqual(nothing, { replaced: false }, 'a third room, which was not replaced')
      await expectDigest(region, stranger.name, stranger.vector, 'the third room')
      for (const { own, name, vector } of [other, room]) {
        expectEqual(await region.run({ ...putBack, ...own }), { replaced: true }, 'the former content')
        await expectDigest(region, name, vector, 'once it is put back')
      }
    },
  },
  {
    name: 'what was kept of a deleted room does not come back, not even into a room with the same roomId',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, run } = region
      const { room, replace, putBack } = await roomToReplace(region, 'room.zip', 'handled.zip')
      await run(replace)
      await run({ type: 'deleteRoom', ...room.own })
      await client.createRoom(room.name, newCreation(room.roomId))
      const before = await region.digestOf(room.name)
      const done = await mayFail(run(putBack), 'content-gone', 'the former content')
      expectEqual(done?.replaced ?? false, false, 'whether the former content was put back')
      expectEqual(await region.digestOf(room.name), before, 'the digest of the new room')
    },
  },
  {
    name: 'what is refused in place of a room’s content replaces nothing, and nothing is put back afterwards',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { run, newId } = region
      const { room, replace, putBack } = await roomToReplace(region, 'small.zip', 'handled.zip')
      const refused = [
        ['refused-sha256.zip', 'damaged-file'],
        ['refused-database-torn.zip', 'wrong-content'],
        ['refused-climbing.zip', 'damaged-file'],
        ['refused-product-differs.zip', 'product-differs'],
        ['refused-exists-lookalike.zip', 'database-exists'],
      ] as const
      for (const [vector, code] of refused) {
        const file = await upload(region, contentOf(`files/${vector}`))
        await expectFailure(run({ ...replace, from: { file } }), code, vector)
      }
      await expectFailure(run({ ...replace, from: { file: newId() } }), 'file-unknown', 'a file that is not there')
      expectEqual(await run(putBack), { replaced: false }, 'a room that was not replaced')
      await expectDigest(region, room.name, room.vector, 'afterwards')
    },
  },
  {
    name: 'nothing is put back into a room that is locked, or is another',
    page: 'jobs.md#putbackroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, run } = region
      const { room, by, replace, putBack } = await roomToReplace(region, 'small.zip', 'handled.zip')
      await run(replace)
      await expectRefusal(run({ ...putBack, roomId: crypto.randomUUID() }), 409, 'another roomId')
      await client.lockRoom(room.name, { roomId: room.roomId, holder: 'holder' })
      await expectRefusal(run(putBack), 423, 'a locked room')
      expectEqual(await region.digestOf(room.name), by.digest, 'the digest')
      expectEqual(await run({ ...putBack, holder: 'holder' }), { replaced: true }, 'its holder')
      await expectDigest(region, room.name, room.vector, 'once it is put back')
    },
  },
]

/** A suspended room that holds a vector, with the jobs that replace its content by another one, and put it back. */
async function roomToReplace(region: Region, vector: string, by: string) {
  const room = await roomWith(region, vector, { state: 'suspended' })
  const [other, kept] = [backupVector(by), region.newId()]
  const file = await upload(region, contentOf(other.file))
  return {
    room,
    by: other,
    replace: { type: 'replaceRoom', ...room.own, keep: kept, from: { file } } as const,
    putBack: { type: 'putBackRoom', ...room.own, kept } as const,
  }
}

/** Changes the settings of the room, and removes its database `main`. */
async function changeAll({ client, run }: Region, { name, roomId, own }: Awaited<ReturnType<typeof roomWith>>) {
  await client.changeRoom(name, { roomId, licences: [], expirationDate: '2088-08-08' })
  await run({ type: 'deleteDatabase', ...own, database: 'main' })
}
