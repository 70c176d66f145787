/**
 * The region is killed in the middle of its work. Rooms hold the vector small.zip, or that and a large database, so that
 * their digests are known without the region.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Capability } from '../../capabilities.ts'
import { isUnknownToRegion } from '../../client/errors.ts'
import { type JobInfo, type JobRequest, type JobType, jobHasEnded } from '../../jobs.ts'
import type { RoomCreation, RoomInfo } from '../../schemas.ts'
import { type Check, CheckFailed, expectEqual, expectProblem, expectThat } from '../check.ts'
import { fetchFile, roomWith, upload } from '../content.ts'
import { largeExport } from '../large-export.ts'
import { type KitObjectStore, withObjectStore } from '../object-store.ts'
import type { Region } from '../region-under-test.ts'
import { sourceOf } from '../source-of.ts'
import { backupVector, contentOf, exportVector } from '../vectors.ts'

/** A job that is killed, and its room. */
interface KilledJob {
  room: { name: string; roomId: string }
  job: JobRequest
  /** The digest of the room before the job. */
  before: string
  /** The digest of the room once the job has taken effect; null: the room is gone. Absent: the job changes nothing. */
  after?: string | null
  /** Runs the job under a new id, after the restart, and states what comes of it. */
  again?(): Promise<void>
}

interface Killing {
  type: JobType
  page: string
  needs?: readonly Capability[]
  /** If the job says that it is interrupted, it must not have taken effect. */
  isStrict?: boolean
  prepare(region: Region): Promise<KilledJob>
}

const killings: Killing[] = [
  // shows: region-job-interrupted
  {
    type: 'backupRoom',
    page: 'jobs.md#backuproom',
    prepare: async (region) => {
      const { room, digest } = await region.shared(largeContent)
      const again = () => expectGoodBackup(region, room.name, digest)
      return { room, job: { type: 'backupRoom', room: room.name }, before: digest, again }
    },
  },
  // shows: stored-restore-swap
  {
    type: 'restoreRoom',
    page: 'jobs.md#what-a-restore-does',
    isStrict: true,
    prepare: async (region) => {
      const { backup, digest } = await region.shared(largeContent)
      const room = await roomWith(region, 'small.zip', { state: 'suspended' })
      const job = { type: 'restoreRoom' as const, ...room.own, holder: region.newId(), file: backup }
      return { room, job, before: small.digest, after: digest }
    },
  },
  {
    type: 'replaceRoom',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    isStrict: true,
    prepare: async (region) => {
      const { backup, digest } = await region.shared(largeContent)
      const room = await roomWith(region, 'small.zip')
      const kept = region.newId()
      const job = { type: 'replaceRoom' as const, ...room.own, keep: kept, from: { file: backup } }
      const again = async () => {
        await region.run(job)
        expectEqual(await region.digestOf(room.name), digest, 'the digest after the replacement')
        expectEqual(await region.run({ type: 'putBackRoom', ...room.own, kept }), { replaced: true }, 'putBackRoom')
        await expectGoodBackup(region, room.name, small.digest)
      }
      return { room, job, before: small.digest, after: digest, again }
    },
  },
  {
    type: 'backupDatabase',
    page: 'jobs.md#backupdatabase',
    prepare: async (region) => {
      const { room, digest } = await region.shared(largeContent)
      const job = { type: 'backupDatabase' as const, room: room.name, database, password: 'p' }
      const again = async () => {
        const { file } = await region.run(job)
        const copy = await roomWith(region, 'small.zip')
        await region.run({ ...job, type: 'importDatabase', ...copy.own, file })
        expectEqual(await region.digestOf(copy.name), digest, 'the digest of what the next export holds')
      }
      return { room, job, before: digest, again }
    },
  },
  {
    type: 'importDatabase',
    page: 'jobs.md#importdatabase',
    prepare: async (region) => {
      const { exported, digest } = await region.shared(largeContent)
      const room = await roomWith(region, 'small.zip')
      const job = { type: 'importDatabase' as const, ...room.own, ...exported }
      return { room, job, before: small.digest, after: digest }
    },
  },
  {
    type: 'restoreDatabase',
    page: 'jobs.md#restoredatabase',
    prepare: async (region) => {
      const { exported, digest } = await region.shared(largeContent)
      const room = await roomWith(region, 'small.zip')
      const former = exportVector('values.adb')
      const file = await upload(region, contentOf(former.file))
      await region.run({ type: 'importDatabase', ...room.own, database, file, password: former.password })
      return {
        room,
        job: { type: 'restoreDatabase', ...room.own, ...exported },
        before: former.roomDigest,
        after: digest,
      }
    },
  },
  {
    type: 'verifyBackup',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    prepare: async (region) => {
      const { backup, digest, room } = await region.shared(largeContent)
      const job = { type: 'verifyBackup' as const, room: room.name, from: { file: backup } }
      const { rooms } = await region.client.status()
      const again = async () => {
        expectEqual((await region.client.status()).rooms, rooms, 'the number of rooms')
        expectEqual((await region.run(job)).digest, digest, 'the digest of the backup')
      }
      return { room, job, before: digest, again }
    },
  },
  {
    type: 'digestRoom',
    page: 'jobs.md#digestroom',
    prepare: async (region) => {
      const { room, digest } = await region.shared(largeContent)
      const job = { type: 'digestRoom' as const, room: room.name }
      const again = async () => expectEqual((await region.run(job)).digest, digest, 'the digest')
      return { room, job, before: digest, again }
    },
  },
]

const nameFor = (type: JobType) =>
  `a kill in the middle of ${type} leaves the room whole, and the job can be started again`

export const killChecks: Check[] = [
  ...killings.map(
    ({ type, page, needs, ...killing }): Check => ({
      name: nameFor(type),
      page,
      ...(needs === undefined ? {} : { needs }),
      how: 'kills',
      run: (region) => killWhileItWorks(region, killing),
    }),
  ),
  {
    name: nameFor('backupToObjectStore'),
    page: 'jobs.md#backuptoobjectstore',
    how: 'kills',
    run: (region) =>
      withObjectStore(region, (store) => killWhileItWorks(region, { prepare: () => backupToStore(region, store) })),
  },
  {
    name: nameFor('restoreFromObjectStore'),
    page: 'jobs.md#what-a-restore-does',
    how: 'kills',
    run: (region) =>
      withObjectStore(region, (store) =>
        killWhileItWorks(region, { isStrict: true, prepare: () => restoreFromStore(region, store) }),
      ),
  },
  {
    name: 'a kill amid short jobs, which delete, put back and update, leaves each room whole or gone',
    page: 'jobs.md#states',
    how: 'kills',
    run: killAmidShortJobs,
  },
  {
    name: 'a kill amid calls loses nothing that was answered, and leaves each room whole or not there',
    page: 'README.md#what-survives-a-restart',
    how: 'kills',
    run: killAmidCalls,
  },
  {
    name: 'a kill amid an upload and a download: both go on afterwards, and their content is right',
    page: 'files.md#uploads',
    how: 'kills',
    run: killAmidTransfers,
  },
]

const small = backupVector('small.zip')
const linesOfSmall = String(contentOf(small.lines))
/** The name of the large database: that of `roomDigest` in the vectors. */
const database = 'imported'

/** A room with the vector small.zip and the large database, an export of that, and a backup of the room. */
async function largeContent(region: Region) {
  const { bytes, password, lines } = largeExport(24)
  const room = await roomWith(region, 'small.zip')
  const exported = { database, file: await upload(region, bytes), password }
  await region.run({ type: 'importDatabase', ...room.own, ...exported })
  const { file: backup } = await region.run({ type: 'backupRoom', room: room.name })
  return { room, exported, backup, digest: digestWithLarge(lines) }
}

/** Databases are in the order of their names, so the large one comes before those of small.zip. */
function digestWithLarge(lines: Iterable<string>): string {
  const at = linesOfSmall.indexOf('["database"')
  const parts = [linesOfSmall.slice(0, at), `["database","${database}"]\n`]
  return sha256([...parts, ...lines, linesOfSmall.slice(at)])
}

function sha256(parts: Iterable<string>): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const key = 'kill.zip'

async function backupToStore(region: Region, store: KitObjectStore): Promise<KilledJob> {
  const { room, digest } = await region.shared(largeContent)
  const job = { type: 'backupToObjectStore' as const, room: room.name, target: store.at(key) }
  const again = async () => {
    const { size } = await region.run(job)
    expectEqual(store.objects.get(key)?.length, size, 'the size of the next object')
    const copy = await region.newRoom()
    await region.run({ type: 'restoreFromObjectStore', ...copy.own, source: store.at(key) })
    expectEqual(await region.digestOf(copy.name), digest, 'the digest of what the next object holds')
  }
  return { room, job, before: digest, again }
}

async function restoreFromStore(region: Region, store: KitObjectStore): Promise<KilledJob> {
  const { backup, digest } = await region.shared(largeContent)
  store.objects.set(key, await fetchFile(region, { file: backup }))
  const room = await roomWith(region, 'small.zip')
  const job = { type: 'restoreFromObjectStore' as const, ...room.own, source: store.at(key) }
  return { room, job, before: small.digest, after: digest }
}

/** Kills the region at a random moment of the job. If it had ended by then, tries again, and kills earlier. */
async function killWhileItWorks(region: Region, { prepare, isStrict = false }: Omit<Killing, 'type' | 'page'>) {
  const enough = Math.random() / 2
  const moments: (((job: JobInfo) => boolean) | null)[] = [
    ({ progress }) => progress > enough,
    ({ state }) => state === 'running',
    null,
  ]
  for (const [tries, isReached] of moments.entries()) {
    const killed = await prepare(region)
    const { room, job } = killed
    if ('holder' in job && job.holder !== undefined)
      await region.client.lockRoom(room.name, { roomId: room.roomId, holder: job.holder })
    const begun = start(region, killed, await toldOf(region, room.name), 0)
    await begun.answer
    const progress = isReached === null ? 0 : await progressWhen(region, begun.id, isReached)
    await region.restart()
    if ((await stateAfterKill(region, begun, isStrict)) === 'done') continue
    const missed = tries === 0 ? '' : `, after ${tries} that came too late`
    return region.note(`interrupted at ${Math.round(progress * 100)} %${missed}`)
  }
  region.note('nothing was interrupted: each time the job had ended before the kill')
}

/** Returns when the job is so, or has ended, or after a minute. @returns its progress */
async function progressWhen({ client }: Region, id: string, isReached: (job: JobInfo) => boolean): Promise<number> {
  const until = performance.now() + 60_000
  while (true) {
    const job = await client.job(id)
    if (jobHasEnded(job.state) || isReached(job) || performance.now() > until) return job.progress
    await pause(2)
  }
}

/** Starts many jobs, and kills the region when some of them have ended. */
async function killAmidShortJobs(region: Region): Promise<void> {
  const jobs = [deletion, deletionOfDatabase]
  if (region.target.systemPassword !== undefined) jobs.push(updateOfSystem)
  if (await region.client.offers('replaceRoom')) jobs.push(puttingBack)
  if (await region.client.offers('purgeRoom')) jobs.push(purge)
  const prepared: { killed: KilledJob; told: Told | null }[] = []
  for (const _round of [1, 2, 3, 4])
    for (const prepare of jobs) {
      const killed = await prepare(region)
      prepared.push({ killed, told: await toldOf(region, killed.room.name) })
    }
  const begun = prepared.map(({ killed, told }) => start(region, killed, told, 10_000))
  const answers = begun.map(({ answer }) => answer)
  await soMany(4, answers)
  await region.restart()
  const states: string[] = []
  for (const each of begun) states.push(await stateAfterKill(region, each, false))
  const count = (state: string) => states.filter((each) => each === state).length
  region.note(`${count('interrupted')} interrupted, ${count('done')} done, ${count('unknown')} not begun`)
}

async function deletion(region: Region): Promise<KilledJob> {
  const room = await roomWith(region, 'small.zip')
  return { room, job: { type: 'deleteRoom', ...room.own }, before: small.digest, after: null }
}

async function purge(region: Region): Promise<KilledJob> {
  const room = await roomWith(region, 'small.zip')
  const { file } = await region.run({ type: 'backupRoom', ...room.own })
  const job = { type: 'purgeRoom' as const, ...room.own }
  const again = async () => {
    await region.run(job)
    expectProblem(await region.raw('GET', `/files/${file}`), 404, 'the file of the purged room')
    const nothing = { copies: 0, kept: 0, files: 0 }
    expectEqual(await region.run({ ...job, look: true }), nothing, 'what is left after the next purge')
  }
  return { room, job, before: small.digest, after: null, again }
}

async function deletionOfDatabase(region: Region): Promise<KilledJob> {
  const room = await roomWith(region, 'small.zip')
  const job = { type: 'deleteDatabase' as const, ...room.own, database: 'main' }
  const [others = ''] = linesOfSmall.split('["database","main"]')
  return { room, job, before: small.digest, after: sha256([others]) }
}

/** The vector small.zip is of version 1. */
async function updateOfSystem(region: Region): Promise<KilledJob> {
  const room = await roomWith(region, 'small.zip')
  const { systemPassword = '' } = region.target
  const job = { type: 'updateSystemDatabase' as const, ...room.own, systemPassword }
  const version = (number: number) => `["table","schema_version","version"]\n["i${number}"]\n`
  return { room, job, before: small.digest, after: sha256([linesOfSmall.replace(version(1), version(2))]) }
}

async function puttingBack(region: Region): Promise<KilledJob> {
  const room = await roomWith(region, 'room.zip')
  const kept = region.newId()
  const file = await upload(region, contentOf(small.file))
  await region.run({ type: 'replaceRoom', ...room.own, keep: kept, from: { file } })
  return { room, job: { type: 'putBackRoom', ...room.own, kept }, before: small.digest, after: room.vector.digest }
}

interface Begun extends KilledJob {
  id: string
  /** To the start of the job. It does not come if the region is killed before. */
  answer: Promise<unknown>
  told: Told | null
}

/** @param wait milliseconds that the region may wait for the end of the job before it answers */
function start({ client, newId }: Region, killed: KilledJob, told: Told | null, wait: number): Begun {
  const id = newId()
  const answer = client.startJobAndWait(id, killed.job, undefined, wait)
  answer.catch(() => {})
  return { ...killed, id, answer, told }
}

/** Returns when so many of these have succeeded, or all have ended. */
async function soMany(count: number, calls: Promise<unknown>[]): Promise<void> {
  const reached = Promise.withResolvers<void>()
  let succeeded = 0
  for (const call of calls)
    call.then(
      () => {
        succeeded += 1
        if (succeeded === count) reached.resolve()
      },
      () => {},
    )
  await Promise.race([reached.promise, Promise.allSettled(calls)])
}

type Told = Pick<RoomInfo, 'roomId' | 'product' | 'edition' | 'state' | 'lock'>

/** What no job here changes; null if there is no room. */
async function toldOf({ client }: Region, name: string): Promise<Told | null> {
  const room = await client.room(name)
  if (room === null) return null
  const { roomId, product, edition, state, lock } = room
  return { roomId, product, edition, state, lock }
}

/** States what a kill has left of a job and its room, and that the job can be started again. @returns its state */
async function stateAfterKill(region: Region, begun: Begun, isStrict: boolean): Promise<string> {
  const state = await endOf(region, begun)
  await expectBeforeOrAfter(region, begun, state, isStrict)
  await runAgain(region, begun)
  return state
}

const digestAfter = ({ before, after }: KilledJob) => (after === undefined ? before : after)

async function expectBeforeOrAfter(region: Region, begun: Begun, state: JobEnd, isStrict: boolean): Promise<void> {
  const { room, job, before } = begun
  const after = digestAfter(begun)
  const ofInterrupted = isStrict ? ['before'] : ['before', 'after']
  const possible = { done: ['after'], interrupted: ofInterrupted, unknown: ['before'] }[state]

  const told = await toldOf(region, room.name)
  const digest = told === null ? null : await region.digestOf(room.name)
  const moments = Object.entries({ before, after }).flatMap(([moment, of]) => (of === digest ? [moment] : []))
  expectThat(
    moments.some((moment) => possible.includes(moment)),
    `${job.type} that is ${state} to leave the room as it is ${possible.join(' or ')} the job`,
    moments[0] ?? (digest === null ? 'no room' : 'neither as before nor after'),
  )
  if (told !== null) expectEqual(told, begun.told, `the room of ${job.type} that is ${state}`)
}

async function runAgain(region: Region, begun: Begun): Promise<void> {
  const { room, job, again } = begun
  if (again !== undefined) return again()
  await region.run(job)
  const after = digestAfter(begun)
  if (after === null)
    expectEqual(await region.client.room(room.name), null, `the room after ${job.type}, started again`)
  else expectEqual(await region.digestOf(room.name), after, `the digest after ${job.type}, started again`)
}

type JobEnd = 'done' | 'interrupted' | 'unknown'

/** How the job has ended. Only one whose start was not answered may be unknown. The same id starts nothing again. */
async function endOf(region: Region, { id, job, answer }: Begun): Promise<JobEnd> {
  const { client } = region
  const found = await client.job(id).catch((error: unknown) => {
    if (isUnknownToRegion(error)) return null
    throw error
  })
  if (found === null) {
    if (await hasSucceeded(answer))
      throw new CheckFailed(`expected ${job.type}, which was accepted, to be known, got 404`)
    return 'unknown'
  }
  const { state, error } = found
  if (state !== 'done' && state !== 'interrupted')
    throw new CheckFailed(`expected ${job.type} to be done or interrupted, got ${JSON.stringify(found)}`)
  expectEqual(error?.status ?? null, state === 'done' ? null : 503, `${job.type} that is ${state}: the error`)
  expectEqual((await client.startJob(id, job)).state, state, `${job.type}, asked for again under its id: the state`)
  return state
}

const hasSucceeded = (call: Promise<unknown>) =>
  call.then(
    () => true,
    () => false,
  )

/** Backs the room up, and expects this digest of what the backup holds. */
async function expectGoodBackup(region: Region, room: string, digest: string): Promise<void> {
  const { client, run, digestOf } = region
  const { file } = await run({ type: 'backupRoom', room })
  if (await client.offers('verifyBackup')) {
    const verified = await run({ type: 'verifyBackup', room, from: { file } })
    return expectEqual(verified.digest, digest, 'the digest of the next backup')
  }
  const copy = await region.newRoom()
  await run({ type: 'restoreRoom', ...copy.own, file })
  expectEqual(await digestOf(copy.name), digest, 'the digest of the next backup')
}

async function killAmidCalls(region: Region): Promise<void> {
  const { client, newName, newRoom, digestOf, note } = region
  const { name: changed, roomId, creation } = await newRoom()
  const sent = ['2029-01-01']
  await client.changeRoom(changed, { roomId, expirationDate: '2029-01-01' })
  const change = async () => {
    for (let year = 2030; ; year += 1) {
      sent.push(`${year}-01-01`)
      await client.changeRoom(changed, { roomId, expirationDate: `${year}-01-01` })
    }
  }
  const changes = change().catch(() => {})
  const creations: { name: string; body: RoomCreation; call: Promise<unknown> }[] = []
  const enough = Promise.withResolvers<void>()
  let answered = 0
  const create = async () => {
    while (creations.length < roomsAtMost) {
      const [name, body] = [newName(), { ...creation, roomId: crypto.randomUUID() }]
      const call = client.createRoom(name, body)
      creations.push({ name, body, call })
      await call
      answered += 1
      if (answered === 10) enough.resolve()
    }
  }
  const creators = Promise.allSettled(Array.from({ length: 8 }, create))
  await Promise.race([enough.promise, creators])
  await region.restart()
  await Promise.all([changes, creators])

  const found = (await client.room(changed))?.expirationDate ?? ''
  expectThat(sent.slice(-2).includes(found), `the last change that was answered, or the next: ${sent.slice(-2)}`, found)
  for (const { name, body, call } of creations) {
    const room = await client.room(name)
    if (await hasSucceeded(call)) expectThat(room !== null, 'a room whose creation was answered', room)
    if (room === null) continue
    expectEqual(room.databases, ['main'], 'the databases')
    expectEqual((await client.createRoom(name, body)).roomId, body.roomId, 'the same creation again: roomId')
    const used = (await client.licences(name)).map((licence) => licence.used)
    expectEqual(used, [0, 2], 'the licences that its users have')
    await digestOf(name)
  }
  note(`${answered} of ${creations.length} creations were answered`)
}

/** Enough for a kill that takes a moment to come. */
const roomsAtMost = 100

async function killAmidTransfers(region: Region): Promise<void> {
  const { client, newId, shared, note } = region
  const { backup } = await shared(largeContent)
  const [id, bytes] = [newId(), Buffer.alloc(4_000_000, 'upload')]
  const restarted = Promise.withResolvers<void>()
  const openedAt: number[] = []
  const source = {
    ...sourceOf(bytes),
    open: async function* (first: number) {
      openedAt.push(first)
      yield bytes.subarray(first, bytes.length / 2)
      await restarted.promise
      yield bytes.subarray(Math.max(first, bytes.length / 2))
    },
  }
  const sent = client.putFile(id, source).catch(() => {})
  const { content } = await client.getFile(backup)
  const pieces = content.iterator()
  await pieces.next()
  await pause(200)
  await region.restart()
  restarted.resolve()
  // Reading goes on where it was, and fails if the whole does not have the digest.
  for await (const _piece of pieces);
  await sent
  await client.putFile(id, source)
  const found = await fetchFile(region, { file: id })
  expectEqual(found.equals(bytes), true, 'the same content of the upload')
  note(`the upload began at ${openedAt.join(', then at ')}`)
}
