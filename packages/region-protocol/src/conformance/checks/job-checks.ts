/** Jobs: their ids, log and cancellation, and what each type does. */
import { setTimeout as pause } from 'node:timers/promises'
import { jobHasEnded } from '../../jobs.ts'
import { type Check, expectEqual, expectFailure, expectJobFailure, expectRefusal, expectThat } from '../check.ts'
import { roomWith, upload } from '../content.ts'
import type { Region } from '../region-under-test.ts'
import { contentOf, goodExports } from '../vectors.ts'
import { sourceOf } from './source-of.ts'

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
    run: async ({ client, newName, newId }) => {
      const room = newName()
      await expectRefusal(client.startJob(newId(), { type: 'digestRoom', room }), 404, 'digestRoom')
      const deletion = { type: 'deleteRoom' as const, room, roomId: crypto.randomUUID() }
      expectEqual(await client.runJob(newId(), deletion), { existed: false }, 'deleteRoom')
    },
  },
  {
    name: 'a deleted room is gone, and its name is free for another room',
    page: 'jobs.md#deleteroom',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId, creation } = await newRoom()
      const deletion = { type: 'deleteRoom' as const, room: name, roomId }
      expectEqual(await client.runJob(newId(), deletion), { existed: true }, 'the deletion')
      expectEqual(await client.room(name), null, 'the room')
      await client.createRoom(name, { ...creation, roomId: crypto.randomUUID() })
      await expectRefusal(client.startJob(newId(), deletion), 409, 'deletion of the former room')
    },
  },
  // shows: region-job-cancel
  {
    name: 'a cancelled job ends, and leaves the room as it was',
    page: 'calls.md#delete-jobsid',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom()
      const digest = () => client.runJob(newId(), { type: 'digestRoom', room: name })
      const before = await digest()
      const id = newId()
      await client.startJob(id, { type: 'backupRoom', room: name })
      const ended = await client.cancelJob(id)
      expectThat(jobHasEnded(ended.state), 'an ended job', ended.state)
      if (ended.state === 'failed') expectEqual(ended.error?.type, 'urn:roomkeeper-region:cancelled', 'the error')
      expectEqual((await client.cancelJob(id)).state, ended.state, 'cancelled again')
      expectEqual(await digest(), before, 'the digest')
      await expectRefusal(client.cancelJob(newId()), 404, 'an unknown job')
    },
  },
  {
    name: 'from the answer to its cancellation on, a job changes nothing',
    page: 'calls.md#delete-jobsid',
    run: async ({ client, newRoom, newId, run, digestOf, note }) => {
      const [source, { name: room, roomId }] = [await newRoom({ expirationDate: '2077-07-07' }), await newRoom()]
      const { file } = await run({ type: 'backupRoom', room: source.name })
      const [old, restored] = [await digestOf(room), await digestOf(source.name)]
      const id = newId()
      await client.startJob(id, { type: 'restoreRoom', room, roomId, file })
      const { state } = await client.cancelJob(id)
      if (state === 'done') note('the job was done before it was cancelled')
      const expected = state === 'done' ? restored : old
      expectEqual(await digestOf(room), expected, `the digest after a job that ended ${state}`)
      await pause(500)
      expectEqual(await digestOf(room), expected, `the digest half a second after a job that ended ${state}`)
      expectEqual((await client.job(id)).state, state, 'its state half a second later')
    },
  },
  {
    name: 'a room backup restored elsewhere has the same digest; state and lock stay',
    page: 'jobs.md#restoreroom',
    run: restoresRooms,
  },
  // shows: stored-product-backup
  { name: 'a product backup joins the databases of a room', page: 'formats.md#kind-product', run: joinsProducts },
  {
    name: 'a restore from what is no backup fails and leaves the room as it was',
    page: 'jobs.md#what-a-restore-does',
    run: async (region) => {
      const { client, newRoom, newId } = region
      const { name, roomId } = await newRoom()
      const digest = () => client.runJob(newId(), { type: 'digestRoom', room: name })
      const before = await digest()
      const file = newId()
      await client.putFile(file, sourceOf(new TextEncoder().encode('no zip at all')))
      const restore = { type: 'restoreRoom' as const, room: name, roomId }
      const noZip = await expectJobFailure(client.runJob(newId(), { ...restore, file }), 'no zip')
      const noFile = await expectJobFailure(client.runJob(newId(), { ...restore, file: newId() }), 'no file')
      expectEqual([noZip.status, noFile.status], [422, 404], 'no zip, no file')
      expectEqual(await digest(), before, 'the digest')
    },
  },
  {
    name: 'an object store that cannot be reached may pass, and leaves the room as it was',
    page: 'jobs.md#backuptoobjectstore',
    run: async ({ client, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const digest = () => client.runJob(newId(), { type: 'digestRoom', room: name })
      const before = await digest()
      const backup = { type: 'backupToObjectStore' as const, room: name, target: unreachableLocation }
      const restore = { type: 'restoreFromObjectStore' as const, room: name, roomId, source: unreachableLocation }
      for (const job of [backup, restore]) {
        const id = newId()
        expectEqual((await expectJobFailure(client.runJob(id, job), job.type)).status, 503, job.type)
        const shown = JSON.stringify(await client.job(id))
        expectThat(!shown.includes(unreachableLocation.secretKey), 'a job that shows no secret', shown)
      }
      expectEqual(await digest(), before, 'the digest')
      await expectRefusal(client.runJob(newId(), { ...restore, roomId: crypto.randomUUID() }), 409, 'another roomId')
    },
  },
  {
    name: 'a place in an object store that is none is refused with 400',
    page: 'calls.md#objectstorelocation',
    run: async ({ client, newRoom, newId }) => {
      const { name } = await newRoom()
      const wrong = [
        { bucket: 'Not A Bucket' },
        { key: '../other/key' },
        { endpoint: 'file:///etc' },
        { secretKey: '' },
      ]
      for (const change of wrong) {
        const target = { ...unreachableLocation, ...change }
        const job = client.startJob(newId(), { type: 'backupToObjectStore', room: name, target })
        await expectRefusal(job, 400, JSON.stringify(change))
      }
    },
  },
  // shows: region-databases
  {
    name: 'databases are exported, imported, restored and deleted',
    page: 'jobs.md#importdatabase',
    run: movesDatabases,
  },
  {
    name: 'an import under a name that is taken fails, and leaves the database as it was',
    page: 'jobs.md#importdatabase',
    run: async (region) => {
      const { own, name, vector } = await roomWith(region, 'handled.zip')
      const [{ file = '', password = '' } = {}] = goodExports
      const from = { file: await upload(region, contentOf(file)), password }
      for (const database of ['main', 'MAIN']) {
        const job = region.run({ type: 'importDatabase', ...own, database, ...from })
        await expectFailure(job, 'database-exists', `an import as ${database}`)
      }
      expectEqual(await region.digestOf(name), vector.digest, 'the digest of the room')
      for (const time of ['first', 'second']) {
        const imported = await region.run({ type: 'importDatabase', ...own, database: 'new', ...from })
        expectEqual(imported, { database: 'new' }, `the ${time} import under a free name`)
      }
    },
  },
  {
    name: 'a wrong password of a database export is told apart from damage',
    page: 'jobs.md#importdatabase',
    run: tellsDamageFromPassword,
  },
  {
    name: 'an update of the system database needs the system password',
    page: 'jobs.md#updatesystemdatabase',
    run: async ({ client, target, newRoom, newId }) => {
      const { name, roomId } = await newRoom()
      const update = { type: 'updateSystemDatabase' as const, room: name, roomId }
      const wrong = client.runJob(newId(), { ...update, systemPassword: `${target.systemPassword}x` })
      await expectRefusal(wrong, 403, 'a wrong password')
      const nowhere = { ...update, room: 'testconnection', roomId: crypto.randomUUID() }
      const unknown = client.startJob(newId(), { ...nowhere, systemPassword: `${target.systemPassword}x` })
      await expectRefusal(unknown, 403, 'a wrong password for a room that is not there')
      if (target.systemPassword === undefined) return
      const right = client.startJob(newId(), { ...nowhere, systemPassword: target.systemPassword })
      await expectRefusal(right, 404, 'a room that is not there')
      const { from, to } = await client.runJob(newId(), { ...update, systemPassword: target.systemPassword })
      expectEqual(from, to, 'the version of a new room')
      expectEqual((await client.room(name))?.schemaVersion, to, 'the schema version')
    },
  },
]

/** Nothing listens on port 1 of the region's own machine. */
const unreachableLocation = {
  endpoint: 'http://127.0.0.1:1',
  region: 'us-east-1',
  bucket: 'conformance',
  key: 'conformance/backup.zip',
  accessKey: 'CONFORMANCE',
  secretKey: 'never-shown-anywhere',
  sessionToken: null,
}

async function restoresRooms({ client, newRoom, newId }: Region): Promise<void> {
  const source = await newRoom({ expirationDate: '2077-07-07' })
  const holder = newId()
  const target = await newRoom({ state: 'suspended', lockHolder: holder })
  const digestOf = async (room: string) => (await client.runJob(newId(), { type: 'digestRoom', room })).digest
  const before = await digestOf(source.name)
  expectThat(before !== (await digestOf(target.name)), 'another digest before', before)
  const { file, size, sha256 } = await client.runJob(newId(), { type: 'backupRoom', room: source.name })
  const backup = await client.getFile(file)
  expectEqual([backup.size, backup.sha256], [size, sha256], 'size and digest of the backup')
  const restore = { type: 'restoreRoom' as const, room: target.name, roomId: target.roomId, file, holder }
  expectEqual(await client.runJob(newId(), restore), { databases: ['main'] }, 'the restore')
  expectEqual(await digestOf(target.name), await digestOf(source.name), 'the digest')
  expectEqual(await digestOf(source.name), before, 'the digest of the source')
  const room = await client.room(target.name)
  expectEqual(
    [room?.roomId, room?.state, room?.lock?.holder, room?.expirationDate],
    [target.roomId, 'suspended', holder, '2077-07-07'],
    'roomId, state, holder and expiration date',
  )
}

async function joinsProducts({ client, newRoom, newId }: Region): Promise<void> {
  const source = await newRoom()
  const target = await newRoom()
  await copyMain(client, newId, source, 'second')
  const { file } = await client.runJob(newId(), { type: 'backupRoom', room: source.name, kind: 'product' })
  const join = { type: 'restoreRoom' as const, room: target.name, roomId: target.roomId, file }
  expectEqual(await client.runJob(newId(), join), { databases: ['main', 'second'] }, 'the databases')
  expectEqual((await client.room(target.name))?.databases, ['main', 'second'], 'the databases of the room')
}

async function movesDatabases({ client, newRoom, newId }: Region): Promise<void> {
  const room = await newRoom()
  const file = await copyMain(client, newId, room, 'Second one')
  const own = { room: room.name, roomId: room.roomId }
  const names = async () => (await client.databases(room.name)).map(({ name }) => name)
  expectEqual((await names()).sort(), ['Second one', 'main'], 'the databases')
  expectThat(
    (await client.databases(room.name)).some((each) => each.backupAt !== null),
    'a time of backup',
    null,
  )
  for (const existed of [true, false]) {
    const deleted = await client.runJob(newId(), { type: 'deleteDatabase', ...own, database: 'main' })
    expectEqual(deleted, { existed }, 'the deletion')
  }
  await client.runJob(newId(), { type: 'restoreDatabase', ...own, database: 'main', file, password: 'pass word' })
  expectEqual((await names()).sort(), ['Second one', 'main'], 'the databases after the restore')
  const climbing = { type: 'importDatabase' as const, ...own, database: '../x', file, password: 'pass word' }
  await expectRefusal(client.runJob(newId(), climbing), 400, 'a name that climbs')
}

async function tellsDamageFromPassword({ client, newRoom, newId }: Region): Promise<void> {
  const { name, roomId } = await newRoom()
  const input = { type: 'backupDatabase' as const, room: name, database: 'main', password: 'right' }
  const { file } = await client.runJob(newId(), input)
  const bytes = new Uint8Array(Buffer.concat(await (await client.getFile(file)).content.toArray()))
  const tryWith = async (content: Uint8Array, password: string) => {
    const id = newId()
    await client.putFile(id, sourceOf(content))
    const database = { type: 'importDatabase' as const, room: name, roomId, database: 'copy', file: id, password }
    const failed = await expectJobFailure(client.runJob(newId(), database), 'the import')
    expectEqual(failed.status, 422, 'the import')
    return failed
  }
  const wrong = await tryWith(bytes, 'wrong')
  const flipped = bytes.slice()
  flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1
  for (const damaged of [flipped, bytes.slice(0, -1), bytes.slice(0, 60)]) {
    const { type } = await tryWith(damaged, 'right')
    expectThat(type !== wrong.type, 'another type than that of a wrong password', type)
  }
  expectEqual((await client.room(name))?.databases, ['main'], 'the databases')
}

/** Imports the room's database `main` under another name. @returns the export, made with the password `pass word`. */
async function copyMain(
  client: Region['client'],
  newId: () => string,
  { name, roomId }: { name: string; roomId: string },
  database: string,
): Promise<string> {
  const password = 'pass word'
  const { file } = await client.runJob(newId(), { type: 'backupDatabase', room: name, database: 'main', password })
  await client.runJob(newId(), { type: 'importDatabase', room: name, roomId, database, file, password })
  return file
}
