/** Rooms whose content is replaced, and put back. */
import { type Check, expectEqual, expectJobFailure, expectRefusal, expectThat } from '../check.ts'
import type { Region } from '../region-under-test.ts'

export const replaceChecks: Check[] = [
  {
    name: 'what replaceRoom replaces is kept and put back as it was; state and roomId stay',
    page: 'jobs.md#putbackroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, newId, target, digest, replace, putBack } = await roomToReplace(region)
      const before = await digest()
      expectEqual(await client.runJob(newId(), replace), { databases: ['main'] }, 'the replacement')
      expectThat((await digest()) !== before, 'another digest', before)
      await client.changeRoom(target.name, { roomId: target.roomId, expirationDate: '2088-08-08' })
      expectEqual(await client.runJob(newId(), putBack), { replaced: true }, 'the former content')
      expectEqual(await digest(), before, 'the digest')
      const room = await client.room(target.name)
      expectEqual([room?.roomId, room?.state], [target.roomId, 'suspended'], 'roomId and state')
      expectEqual(await client.runJob(newId(), putBack), { replaced: true }, 'put back again')
      expectEqual(await digest(), before, 'the digest')
    },
  },
  {
    name: 'a second replacement under one id keeps what the first one replaced',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, newId, digest, replace, putBack } = await roomToReplace(region)
      const before = await digest()
      for (const _time of [1, 2]) await client.runJob(newId(), replace)
      await client.runJob(newId(), putBack)
      expectEqual(await digest(), before, 'the digest')
    },
  },
  {
    name: 'nothing is put back into a room that was not replaced, is locked, or is another',
    page: 'jobs.md#putbackroom',
    needs: ['replaceRoom'],
    run: async (region) => {
      const { client, newId, target, digest, replace, putBack } = await roomToReplace(region)
      const before = await digest()
      const missing = { ...replace, from: { file: newId() } }
      await expectJobFailure(client.runJob(newId(), missing), 'a file that is not there')
      expectEqual(await client.runJob(newId(), putBack), { replaced: false }, 'a room that was not replaced')
      expectEqual(await digest(), before, 'the digest')
      await client.runJob(newId(), replace)
      const other = { ...putBack, roomId: crypto.randomUUID() }
      await expectRefusal(client.runJob(newId(), other), 409, 'another roomId')
      await client.lockRoom(target.name, { roomId: target.roomId, holder: 'holder' })
      await expectRefusal(client.runJob(newId(), putBack), 423, 'a locked room')
      expectEqual(await client.runJob(newId(), { ...putBack, holder: 'holder' }), { replaced: true }, 'its holder')
    },
  },
]

/** A suspended room, with the jobs that replace its content by that of another, and put it back. */
async function roomToReplace({ client, newRoom, newId }: Region) {
  const source = await newRoom({ expirationDate: '2077-07-07' })
  const target = await newRoom({ state: 'suspended' })
  const { file } = await client.runJob(newId(), { type: 'backupRoom', room: source.name })
  const own = { room: target.name, roomId: target.roomId }
  const kept = newId()
  return {
    client,
    newId,
    target,
    digest: async () => (await client.runJob(newId(), { type: 'digestRoom', room: target.name })).digest,
    replace: { type: 'replaceRoom' as const, ...own, keep: kept, from: { file } },
    putBack: { type: 'putBackRoom' as const, ...own, kept },
  }
}
