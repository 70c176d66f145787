/**
 * What survives a restart. Each check prepares something and returns what is stated after the restart, which all of
 * them share.
 */
import { randomBytes } from 'node:crypto'
import { RegionRefusal } from '../../client/errors.ts'
import type { CallMark } from '../../mark.ts'
import { lockSeconds } from '../../schemas.ts'
import {
  CheckSkipped,
  expectEqual,
  expectOvertaken,
  expectProblem,
  expectRefusal,
  expectThat,
  type RestartCheck,
} from '../check.ts'
import { fetchFile, roomWith, upload } from '../content.ts'
import { delegate, elsewhere, owner, type Region } from '../region-under-test.ts'
import { sourceOf } from '../source-of.ts'
import { backupVector, contentOf } from '../vectors.ts'
import { userOf } from './document-checks.ts'
import { breakOff } from './file-checks.ts'
import { visit } from './route-checks.ts'

const page = 'README.md#what-survives-a-restart'
const how = 'restarts'

export const restartChecks: RestartCheck[] = [
  {
    name: 'after a restart the region is the same: it tells the same instanceId',
    page,
    how,
    run: async ({ client }) => {
      const { instanceId } = await client.status()
      expectThat(instanceId !== null, 'an instanceId', instanceId)
      return async () => expectEqual((await client.status()).instanceId, instanceId, 'instanceId')
    },
  },
  {
    name: 'after a restart a room holds what it held, and is suspended if it was',
    page,
    how,
    run: async (region) => {
      const { name, vector } = await roomWith(region, 'room.zip', { state: 'suspended' })
      const before = await told(region, name)
      return async () => {
        expectEqual(await told(region, name), before, 'the room')
        expectEqual(await region.digestOf(name), vector.digest, 'its digest')
      }
    },
  },
  // shows: data-durable
  {
    name: 'after a restart a room holds what its users have written',
    page,
    how,
    run: async (region) => {
      const { name } = await roomWith(region, 'small.zip')
      const user = await userOf(region, name)
      for (const id of ['a', 'b']) expectEqual(await user.put('main', id, { is: id }), 200, 'a write: the status')
      return async () => {
        const again = await userOf(region, name)
        for (const id of ['a', 'b']) expectEqual((await again.get('main', id)).body, { is: id }, 'what was written')
      }
    },
  },
  {
    name: 'after a restart a room has the settings that it was given last',
    page,
    how,
    run: async (region) => {
      const { client, newRoom } = region
      const { name, roomId, creation } = await newRoom()
      const contacts = { ...creation.contacts, companyName: 'Renamed Ltd', ownerEmail: 'other@conformance.example' }
      const licences = [{ licenseKey: 'YABD', licenseAmount: 7, licenseType: 'CUC' as const }]
      await client.changeRoom(name, { roomId, expirationDate: '2066-06-06', contacts, licences })
      const [before, digest] = [await told(region, name), await region.digestOf(name)]
      return async () => {
        expectEqual(await told(region, name), before, 'the room')
        expectEqual(await region.digestOf(name), digest, 'its digest')
      }
    },
  },
  // shows: region-lock
  {
    name: 'after a restart a lock is held by the same holder, since the same time and until the same time',
    page: 'locks.md#locks',
    how,
    run: async ({ client, newRoom, newId }) => {
      const begunAt = performance.now()
      const { name, roomId } = await newRoom()
      const mine = { roomId, holder: newId() }
      const { lock } = await client.lockRoom(name, mine)
      return async () => {
        if (performance.now() - begunAt > (lockSeconds - 10) * 1000)
          throw new CheckSkipped('the restart took about as long as a lock is held')
        expectEqual((await client.room(name))?.lock, lock, 'the lock')
        await expectRefusal(client.lockRoom(name, { roomId, holder: newId() }), 409, 'lock by another')
        const deletion = { type: 'deleteDatabase' as const, room: name, roomId, database: 'main' }
        await expectRefusal(client.startJob(newId(), deletion), 423, 'a job without a holder')
        const renewed = await client.lockRoom(name, mine)
        expectEqual(renewed.lock?.heldSince, lock?.heldSince, 'heldSince after a renewal')
      }
    },
  },
  {
    name: 'after a restart a room has its users with their ids and licences, and a deleted user stays deleted',
    page,
    how,
    run: async ({ client, newRoom }) => {
      const { name } = await newRoom()
      const { userId } = await client.openSession(name, owner)
      await client.deleteUser((await client.openSession(name, delegate)).userId)
      const licences = await client.licences(name)
      return async () => {
        expectEqual((await client.openSession(name, owner)).userId, userId, 'the id of the owner')
        await expectRefusal(client.openSession(name, delegate), 404, 'the deleted user')
        expectEqual(await client.licences(name), licences, 'the licences')
      }
    },
  },
  {
    name: 'after a restart the console finds what it keeps with a room',
    page,
    needs: ['consoleRecord'],
    how,
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom()
      for (const record of ['v1.former', 'v1.ä 😀']) await client.keepConsoleRecord(name, { roomId, record })
      return async () => expectEqual(await client.consoleRecord(name), 'v1.ä 😀', 'the record')
    },
  },
  {
    name: 'after a restart the creation of a room is known: the same body is 200, another one 409',
    page: 'calls.md#put-roomsname',
    how,
    run: async ({ client, newRoom }) => {
      const { name, roomId, creation } = await newRoom({ expirationDate: '2055-05-05' })
      await client.changeRoom(name, { roomId, expirationDate: '2066-06-06' })
      return async () => {
        expectEqual((await client.createRoom(name, creation)).expirationDate, '2066-06-06', 'the room as it is now')
        await expectRefusal(client.createRoom(name, { ...creation, expirationDate: '2066-06-06' }), 409, 'another body')
        await expectRefusal(client.createRoom(name, { ...creation, roomId: crypto.randomUUID() }), 409, 'another room')
      }
    },
  },
  // shows: region-routes-kept
  {
    name: 'after a restart redirects lead where they led, also that of a room whose copy was removed',
    page,
    how,
    run: async (region) => {
      const { client, newName, newRoom, run } = region
      const [alone, ended, moved] = [newName(), newName(), await newRoom()]
      for (const name of [alone, ended, moved.name]) await client.putRoute(name, elsewhere)
      await client.deleteRoute(ended)
      await run({ type: 'deleteRoom', room: moved.name, roomId: moved.roomId, keepRoute: true })
      return async () => {
        for (const name of [alone, moved.name])
          expectEqual(await visit(region, name), [307, `${elsewhere}/${name}`], 'a visit')
        expectEqual((await visit(region, ended))[0] === 307, false, 'a removed redirect leads on')
        expectEqual(await client.room(moved.name), null, 'the room whose copy was removed')
      }
    },
  },
  {
    name: 'after a restart a smaller fence is refused with 409 overtaken, whatever became of its call',
    page: 'locks.md#fences',
    how,
    run: async ({ client, newName, newRoom, newId }) => {
      const { name, roomId, creation } = await newRoom()
      const [other, job] = [newName(), newId()]
      const otherCreation = { ...creation, roomId: crypto.randomUUID() }
      const digest = { type: 'digestRoom' as const, room: name }
      const marked = (fence: number, of: string) => ({ key: `${of}:1`, operation: `${job}:${of}`, fence })
      const calls: [of: string, call: (mark: CallMark) => Promise<unknown>][] = [
        ['a suspension', (mark) => client.suspendRoom(name, roomId, mark)],
        ['the cancellation of an unknown job', (mark) => client.cancelJob(newId(), mark)],
        ['a creation', (mark) => client.createRoom(other, otherCreation, mark)],
        ['the same creation again', (mark) => client.createRoom(other, otherCreation, mark)],
        ['a creation that is refused', (mark) => client.createRoom(name, otherCreation, mark)],
        ['a job', (mark) => client.startJob(job, digest, mark)],
        ['the same job again', (mark) => client.startJob(job, digest, mark)],
        ['another job under its id', (mark) => client.startJob(job, { ...digest, room: other }, mark)],
        ['a job of an unknown room', (mark) => client.startJob(newId(), { ...digest, room: newName() }, mark)],
      ]
      for (const [of, call] of calls) await call(marked(7, of)).catch(throwUnlessRefused)
      return async () => {
        for (const [of] of calls)
          await expectOvertaken(client.resumeRoom(name, roomId, marked(6, of)), `after ${of}, a smaller fence`)
        const resumed = await client.resumeRoom(name, roomId, marked(7, 'a suspension'))
        expectEqual(resumed.state, 'active', 'the same fence: the state')
      }
    },
  },
  {
    name: 'after a restart fences that were raised by a call of their own are known',
    page: 'locks.md#fences',
    needs: ['raiseFences'],
    how,
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const operation = newId()
      await client.raiseFences([{ operation, fence: 7 }])
      return async () => {
        const smaller = { key: `${operation}:1`, operation, fence: 6 }
        await expectOvertaken(client.suspendRoom(name, roomId, smaller), 'a smaller fence')
      }
    },
  },
  // shows: region-job-again
  {
    name: 'after a restart a job is as it had ended, and its id starts nothing again',
    page: 'jobs.md#the-id',
    how,
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId, creation } = await newRoom()
      const [done, failed] = [newId(), newId()]
      const deletion = { type: 'deleteRoom' as const, room: name, roomId }
      const restore = { type: 'restoreRoom' as const, room: name, roomId, file: newId() }
      await client.runJob(failed, restore).catch(() => {})
      await client.runJob(done, deletion)
      await client.createRoom(name, creation)
      const before = [await client.job(done), await client.job(failed)]
      return async () => {
        expectEqual([await client.job(done), await client.job(failed)], before, 'the jobs')
        const { isNew: _, ...again } = await client.startJob(done, deletion)
        expectEqual(again, before[0], 'the job, asked for again')
        expectEqual((await client.room(name))?.roomId, roomId, 'the room that was created after the job')
        await expectRefusal(client.startJob(done, { ...deletion, keepRoute: true }), 409, 'another input')
      }
    },
  },
  {
    name: 'after a restart what replaceRoom kept can be put back, and is what the room held',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    how,
    run: async (region) => {
      const { newId, run, digestOf } = region
      const { name, own, vector } = await roomWith(region, 'room.zip')
      const small = backupVector('small.zip')
      const [file, kept] = [await upload(region, contentOf(small.file)), newId()]
      await run({ type: 'replaceRoom', ...own, keep: kept, from: { file } })
      return async () => {
        expectEqual(await digestOf(name), small.digest, 'the digest of what replaced it')
        const putBack = await run({ type: 'putBackRoom', ...own, kept })
        expectEqual(putBack, { replaced: true }, 'the result of putBackRoom')
        expectEqual(await digestOf(name), vector.digest, 'the digest of what was put back')
      }
    },
  },
  {
    name: 'after a restart a complete file is there, with its content and digest',
    page,
    how,
    run: async ({ client, newId }) => {
      const [id, bytes] = [newId(), randomBytes(1_000_000)]
      const { size, sha256 } = await client.putFile(id, sourceOf(bytes))
      return async () => {
        const file = await client.getFile(id)
        expectEqual([file.size, file.sha256], [size, sha256], 'size and digest')
        const content = Buffer.concat(await file.content.toArray())
        expectEqual(bytes.equals(content), true, 'the same content')
      }
    },
  },
  {
    name: 'after a restart a removed file stays removed',
    page,
    needs: ['deleteFile'],
    how,
    run: async ({ client, newId, raw }) => {
      const id = newId()
      await client.putFile(id, sourceOf(randomBytes(1000)))
      await client.deleteFile(id)
      return async () => void expectProblem(await raw('GET', `/files/${id}`), 404, 'the removed file')
    },
  },
  // shows: region-files-resume
  {
    name: 'after a restart an unfinished upload goes on where the region says, or begins anew',
    page,
    how,
    run: async (region) => {
      const { client, newId, note } = region
      const [id, bytes] = [newId(), randomBytes(2_000_000)]
      const received = await breakOff(region, id, bytes)
      return async () => {
        const openedAt: number[] = []
        const source = sourceOf(bytes)
        const open = (first: number, signal: AbortSignal) => {
          openedAt.push(first)
          return source.open(first, signal)
        }
        await client.putFile(id, { ...source, open })
        const content = await fetchFile(region, { file: id })
        expectEqual(bytes.equals(content), true, 'the same content')
        note(`${received} bytes had arrived, and it went on at ${openedAt.join(', ')}`)
      }
    },
  },
  {
    name: 'after a restart a purge finds the file that was made of a room which is gone',
    page: 'jobs.md#purgeroom',
    needs: ['purgeRoom'],
    how,
    run: async ({ client, newRoom, raw, run }) => {
      const { name, roomId } = await newRoom()
      const { file } = await run({ type: 'backupRoom', room: name, roomId })
      await run({ type: 'deleteRoom', room: name, roomId })
      return async () => {
        const purge = { type: 'purgeRoom' as const, room: name, roomId }
        expectEqual(await run(purge), { copies: 0, kept: 0, files: 1 }, 'what was removed')
        expectProblem(await raw('GET', `/files/${file}`), 404, 'the file')
        expectEqual(await client.room(name), null, 'the room')
      }
    },
  },
]

/** What the region tells of a room, without the size, which need not be exact. */
async function told({ client }: Region, name: string) {
  const { size: _, ...room } = (await client.room(name)) ?? {}
  return room
}

function throwUnlessRefused(error: unknown): void {
  if (!(error instanceof RegionRefusal)) throw error
}
