/** What is left of a deleted room is removed for good. */
import { type Check, expectEqual, expectFailure, expectProblem } from '../check.ts'
import { roomWith, upload } from '../content.ts'
import { backupVector, contentOf } from '../vectors.ts'
import { visit } from './route-checks.ts'

export const purgeChecks: Check[] = [
  {
    name: 'a purge removes a copy of the room and the files made of it, and finds nothing the next time',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom'],
    run: async ({ client, newRoom, raw, run }) => {
      const { name, roomId } = await newRoom()
      const { file } = await run({ type: 'backupRoom', room: name, roomId })
      const purge = { type: 'purgeRoom' as const, room: name, roomId }
      const found = { copies: 1, kept: 0, files: 1 }
      expectEqual(await run({ ...purge, look: true }), found, 'what was seen')
      expectEqual(await run(purge), found, 'what was removed')
      expectEqual(await client.room(name), null, 'the room')
      expectProblem(await raw('GET', `/files/${file}`), 404, 'the file')
      expectEqual(await run(purge), { copies: 0, kept: 0, files: 0 }, 'what was found again')
    },
  },
  {
    name: 'a purge removes the content that was kept, and the files that jobs have read',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom', 'replaceRoom'],
    run: async (region) => {
      const { newId, raw, run } = region
      const { name, own } = await roomWith(region, 'small.zip')
      const file = await upload(region, contentOf(backupVector('handled.zip').file))
      await run({ type: 'replaceRoom', ...own, keep: newId(), from: { file } })
      const purge = { type: 'purgeRoom' as const, ...own }
      expectEqual(await run(purge), { copies: 1, kept: 1, files: 2 }, 'what was removed')
      expectProblem(await raw('GET', `/files/${file}`), 404, 'a file that was read')
      expectEqual(await region.client.room(name), null, 'the room')
      expectEqual(await run(purge), { copies: 0, kept: 0, files: 0 }, 'what was found again')
    },
  },
  {
    name: 'a purge does not touch another room of the same name',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom'],
    run: async ({ client, newRoom, run }) => {
      const { name, roomId } = await newRoom()
      const purge = { type: 'purgeRoom' as const, room: name, roomId: crypto.randomUUID() }
      expectEqual(await run(purge), { copies: 0, kept: 0, files: 0 }, 'what was removed')
      expectEqual((await client.room(name))?.roomId, roomId, 'the other room')
    },
  },
  {
    name: 'a purge finds copies under other names, and leaves redirects, and files of another room of the name',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom'],
    run: async (region) => {
      const { client, run, newRoom } = region
      const { name, roomId } = await newRoom()
      const former = crypto.randomUUID()
      const { file } = await run({ type: 'backupRoom', room: name, roomId })
      const copy = await newRoom({ roomId: former })
      const redirected = await newRoom()
      await client.putRoute(redirected.name, 'https://elsewhere.example')
      expectEqual(
        await run({ type: 'purgeRoom', room: name, roomId: former }),
        { copies: 1, kept: 0, files: 0 },
        'found',
      )
      expectEqual(await client.room(copy.name), null, 'the copy under another name')
      expectEqual((await client.room(name))?.roomId, roomId, 'the other room of the name')
      expectEqual((await client.getFile(file)).size > 0, true, 'whether a file of the other room is there')
      await run({ type: 'purgeRoom', room: redirected.name, roomId: redirected.roomId })
      expectEqual((await visit(region, redirected.name))[0], 307, 'a visit of a redirected name')
    },
  },
  {
    name: 'a purge leaves a copy that is locked',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom'],
    run: async ({ client, newRoom, run }) => {
      const { name, roomId } = await newRoom()
      await client.lockRoom(name, { roomId, holder: 'holder' })
      for (const look of [true, false])
        await expectFailure(run({ type: 'purgeRoom', room: name, roomId, look }), 'room-locked', 'a locked copy')
      expectEqual((await client.room(name))?.roomId, roomId, 'the room')
    },
  },
]
