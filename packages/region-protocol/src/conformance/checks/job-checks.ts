/** Jobs: their ids and log, and the types that are about no content. */
import { type Backup, expectReads, rowsOf } from '../backup.ts'
import { type Check, expectEqual, expectRefusal, expectThat } from '../check.ts'
import { backUp, expectDigest, roomWith } from '../content.ts'
import { newCreation } from '../region-under-test.ts'

export const jobChecks: Check[] = [
  // shows: region-job-again
  {
    name: 'the same job id again is the same job; with another input it is refused with 409',
    page: 'jobs.md#the-id',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const id = newId()
      // Another backup would have another time in it.
      const input = { type: 'backupRoom' as const, room: name }
      const first = await client.runJob(id, input)
      expectEqual(await client.runJob(id, input), first, 'the result')
      await expectRefusal(client.startJob(id, { type: 'deleteRoom', room: name, roomId }), 409, 'another input')
      expectThat((await client.room(name)) !== null, 'the room', null)
    },
  },
  // shows: region-job-tells
  {
    name: 'a job tells its state, progress and the log lines after a number',
    page: 'calls.md#jobinfo',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom()
      const id = newId()
      await client.runJob(id, { type: 'backupRoom', room: name })
      const all = await client.job(id)
      expectEqual([all.state, all.progress, all.error], ['done', 1, null], 'state, progress and error')
      expectThat(all.lines.length > 0, 'log lines', all.lines)
      expectEqual(
        all.lines.map(({ n }) => n),
        all.lines.map((_, index) => index + 1),
        'the numbers of the lines',
      )
      expectEqual((await client.job(id, 1)).lines, all.lines.slice(1), 'the lines after 1')
      await expectRefusal(client.job(newId()), 404, 'an unknown job')
    },
  },
  {
    name: 'the call that starts a job may wait for its end, and may tell whether it has started it',
    page: 'calls.md#put-jobsid',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom()
      const id = newId()
      const input = { type: 'digestRoom' as const, room: name }
      const first = await client.startJobAndWait(id, input, undefined, 10_000)
      expectThat(first.isNew !== false, 'isNew, or nothing about it', first)
      const result = await client.runJob(id, input)
      const again = await client.startJobAndWait(id, input, undefined, 10_000)
      expectThat(again.isNew !== true, 'not isNew, or nothing about it', again)
      expectEqual([again.state, again.result], ['done', result], 'the same job again')
    },
  },
  // shows: region-job-missing-room
  {
    name: 'a job for a room that is not there is refused with 404; its deletion counts as done',
    page: 'jobs.md#refused-or-failed',
    run: async ({ client, newName, newId, run }) => {
      const room = newName()
      await expectRefusal(client.startJob(newId(), { type: 'digestRoom', room }), 404, 'digestRoom')
      const deletion = { type: 'deleteRoom' as const, room, roomId: crypto.randomUUID() }
      expectEqual(await run(deletion), { existed: false }, 'deleteRoom')
    },
  },
  {
    name: 'a deleted room is gone, and its name is free for another room, in which nothing of it is left',
    page: 'jobs.md#deleteroom',
    run: async (region) => {
      const { client, run, newRoom } = region
      const { name, own } = await roomWith(region, 'room.zip')
      const deletion = { type: 'deleteRoom' as const, ...own }
      expectEqual(await run(deletion), { existed: true }, 'the deletion')
      expectEqual(await client.room(name), null, 'the room')
      await client.createRoom(name, newCreation())
      await expectRefusal(run(deletion), 409, 'deletion of the former room')
      const [{ databases }, other] = [await backUp(region, name), await client.room((await newRoom()).name)]
      expectEqual(
        databases.toSorted(),
        other?.databases.toSorted(),
        'the databases of the new room, as of any new room',
      )
    },
  },
  {
    name: 'a deleted room leaves the backups that were made of it, from which it comes back',
    page: 'jobs.md#deleteroom',
    run: async (region) => {
      const { run } = region
      const { name, own, vector } = await roomWith(region, 'handled.zip')
      const made = await run({ type: 'backupRoom', ...own })
      await run({ type: 'deleteRoom', ...own })
      const { own: another } = await region.newRoom()
      await run({ type: 'restoreRoom', ...another, file: made.file })
      await expectDigest(region, another.room, vector, `the backup of ${name}, once it is restored`)
    },
  },
  {
    name: 'a room has nothing of a former one of its name: no record of the console, lock or user',
    page: 'jobs.md#deleteroom',
    run: async ({ client, run, newRoom }) => {
      const { name, roomId, creation } = await newRoom()
      const isKept = await client.offers('consoleRecord')
      const lock = { roomId, holder: 'conformance' }
      await client.lockRoom(name, lock)
      if (isKept) await client.keepConsoleRecord(name, { roomId, record: 'v1.former' })
      await run({ type: 'deleteRoom', room: name, ...lock })
      const contacts = { ...creation.contacts, ownerEmail: 'other@conformance.example', delegateEmail: null }
      await client.createRoom(name, { ...newCreation(), contacts })
      expectEqual((await client.room(name))?.lock, null, 'the lock')
      if (isKept) expectEqual(await client.consoleRecord(name), null, 'the record')
      await expectRefusal(client.openSession(name, creation.contacts.ownerEmail), 404, 'the former owner')
    },
  },
  {
    name: 'an update of the system database needs the system password',
    page: 'jobs.md#updatesystemdatabase',
    run: async ({ client, target, newRoom, newId, run }) => {
      const { name, roomId } = await newRoom()
      const update = { type: 'updateSystemDatabase' as const, room: name, roomId }
      const wrong = run({ ...update, systemPassword: `${target.systemPassword}x` })
      await expectRefusal(wrong, 403, 'a wrong password')
      const nowhere = { ...update, room: 'testconnection', roomId: crypto.randomUUID() }
      const unknown = client.startJob(newId(), { ...nowhere, systemPassword: `${target.systemPassword}x` })
      await expectRefusal(unknown, 403, 'a wrong password for a room that is not there')
      if (target.systemPassword === undefined) return
      const right = client.startJob(newId(), { ...nowhere, systemPassword: target.systemPassword })
      await expectRefusal(right, 404, 'a room that is not there')
      const { from, to } = await run({ ...update, systemPassword: target.systemPassword })
      expectEqual(from, to, 'the version of a new room')
      expectEqual((await client.room(name))?.schemaVersion, to, 'the schema version')
    },
  },
  {
    name: 'a restored room keeps the schema version of its backup until it is updated, which changes nothing else',
    page: 'formats.md#schema-versions',
    run: async (region) => {
      const { client, run, target } = region
      const { name, own, vector } = await roomWith(region, 'small.zip')
      expectEqual((await client.room(name))?.schemaVersion, 1, 'the schema version of the restored room')
      const { systemPassword } = target
      if (systemPassword === undefined) return region.note('not updated, because the system password is not given')
      const before = await backUp(region, name)
      const update = { type: 'updateSystemDatabase' as const, ...own, systemPassword }
      const { from, to } = await run(update)
      expectThat(from === 1 && to >= 2, 'an update from 1 to 2 or more', { from, to })
      expectThat((await region.digestOf(name)) !== vector.digest, 'another digest, because it has the version', to)
      const after = await backUp(region, name)
      expectEqual(after.manifest.schemaVersion, to, 'the schema version in the manifest')
      expectReads(after.files, vector.reads, 'after the update')
      const usersOf = ({ files }: Backup) => rowsOf(files.get('system.db') ?? Buffer.alloc(0), 'SELECT * FROM users')
      expectEqual(usersOf(after), usersOf(before), 'the users')
      expectEqual(await run(update), { from: to, to }, 'the update again')
    },
  },
]
