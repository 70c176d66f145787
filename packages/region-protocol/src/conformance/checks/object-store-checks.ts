/** Backups into and restores from an object store, which is the kit's own: an honest one, and one that lies. */
import type { ServerResponse } from 'node:http'
import type { RegionCode } from '../../codes.ts'
import { jobHasEnded } from '../../jobs.ts'
import { expectReads, readBackup } from '../backup.ts'
import {
  type Check,
  CheckFailed,
  expectEqual,
  expectFailure,
  expectRefusal,
  expectThat,
  mayFail,
  waitUntil,
} from '../check.ts'
import { altered, expectDigest, expectVector, largeRoom, roomWith } from '../content.ts'
import { type KitObjectStore, refuse, withObjectStore } from '../object-store.ts'
import type { Region } from '../region-under-test.ts'
import { backupVector, contentOf } from '../vectors.ts'

const key = 'a folder/acmé (1).zip'.replaceAll(' ', '_')

export const objectStoreChecks: Check[] = [
  {
    name: 'a backup arrives in an object store as a whole, by signed requests, and the job shows no secret',
    page: 'jobs.md#backuptoobjectstore',
    run: (region) => withObjectStore(region, (store) => backsUp(region, store)),
  },
  {
    name: 'a restore from an object store is a restore of what is in it',
    page: 'jobs.md#restorefromobjectstore',
    run: (region) =>
      withObjectStore(region, async (store) => {
        const { name, own } = await roomWith(region, 'small.zip')
        for (const each of ['handled.zip', 'product-same.zip']) {
          const vector = backupVector(each)
          store.objects.set(key, contentOf(vector.file))
          await region.run({ type: 'restoreFromObjectStore', ...own, source: store.at(key) })
          await expectVector(region, name, vector, `once ${each} is restored`)
        }
      }),
  },
  {
    name: 'what is in an object store replaces a room’s content, which is put back',
    page: 'jobs.md#replaceroom',
    needs: ['replaceRoom'],
    run: (region) =>
      withObjectStore(region, async (store) => {
        const [{ name, own, vector }, by] = [await roomWith(region, 'small.zip'), backupVector('handled.zip')]
        const kept = region.newId()
        store.objects.set(key, contentOf(by.file))
        await region.run({ type: 'replaceRoom', ...own, keep: kept, from: { source: store.at(key) } })
        await expectDigest(region, name, by, 'once it is replaced')
        await region.run({ type: 'putBackRoom', ...own, kept })
        await expectDigest(region, name, vector, 'once it is put back')
      }),
  },
  {
    name: 'a backup in an object store is tested',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: (region) =>
      withObjectStore(region, async (store) => {
        const vector = backupVector('handled.zip')
        const verify = { type: 'verifyBackup' as const, room: 'vectors', from: { source: store.at(key) } }
        store.objects.set(key, contentOf(vector.file))
        expectEqual((await region.run(verify)).digest, vector.digest, 'the digest')
        store.objects.set(key, contentOf('files/refused-sha256.zip'))
        await expectFailure(region.run(verify), 'damaged-file', 'a damaged backup')
      }),
  },
  {
    name: 'a backup to an object store that fails, or keeps something else, is no success',
    page: 'jobs.md#backuptoobjectstore',
    run: (region) => withObjectStore(region, (store) => failsToWrite(region, store)),
  },
  {
    name: 'a large backup arrives in an object store, and no part of one that fails or is cancelled is left there',
    page: 'jobs.md#backuptoobjectstore',
    run: (region) => withObjectStore(region, (store) => leavesNoPart(region, store)),
  },
  {
    name: 'a restore from an object store that fails, or gives something else, leaves the room as it was',
    page: 'jobs.md#restorefromobjectstore',
    run: (region) => withObjectStore(region, (store) => failsToRead(region, store)),
  },
  {
    name: 'an object store that does not answer holds up no cancellation, and no other room',
    page: 'jobs.md#restorefromobjectstore',
    run: (region) => withObjectStore(region, (store) => waitsForNone(region, store)),
  },
  {
    name: 'an object store that cannot be reached may pass, and leaves the room as it was',
    page: 'jobs.md#backuptoobjectstore',
    run: async (region) => {
      const { client, newId, run } = region
      const { name, own, vector } = await roomWith(region, 'small.zip')
      const backup = { type: 'backupToObjectStore' as const, room: name, target: unreachableLocation }
      const restore = { type: 'restoreFromObjectStore' as const, ...own, source: unreachableLocation }
      for (const job of [backup, restore]) {
        const id = newId()
        await expectFailure(client.runJob(id, job), 'object-store-unreachable', job.type)
        await expectNoSecret(region, id, [unreachableLocation.secretKey])
      }
      expectEqual(await region.digestOf(name), vector.digest, 'the digest')
      await expectRefusal(run({ ...restore, roomId: crypto.randomUUID() }), 409, 'another roomId')
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

async function expectNoSecret({ client }: Region, job: string, secrets: string[]): Promise<void> {
  const shown = JSON.stringify(await client.job(job))
  for (const secret of secrets) expectThat(!shown.includes(secret), 'a job that shows no secret', shown)
}

function objectIn({ objects }: KitObjectStore): Buffer {
  const object = objects.get(key)
  if (object === undefined)
    throw new CheckFailed(`expected an object ${key}, got ${JSON.stringify([...objects.keys()])}`)
  return object
}

async function backsUp(region: Region, store: KitObjectStore): Promise<void> {
  const { client, newId, run } = region
  const { name, vector } = await roomWith(region, 'handled.zip')
  store.objects.set(key, Buffer.from('an object that was there before'))
  const [id, target] = [newId(), store.at(key)]
  const backup = { type: 'backupToObjectStore' as const, room: name, target }
  const { location, size, sha256 } = await client.runJob(id, backup)
  const object = objectIn(store)
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(object))).toString('hex')
  expectEqual([location, size, sha256], [`s3://${target.bucket}/${key}`, object.length, digest], 'the result')
  const { files, manifest } = await readBackup(object)
  expectEqual([manifest.kind, manifest.room], ['room', name], 'kind and room in the manifest')
  expectReads(files, vector.reads, 'in the object')
  expectEqual(store.uploads.size, 0, 'unfinished uploads')
  await expectNoSecret(region, id, [target.secretKey, target.sessionToken])
  const wrong = [
    { secretKey: 'another' },
    { accessKey: 'ANOTHER' },
    { sessionToken: 'another' },
    { sessionToken: null },
  ]
  for (const change of wrong) {
    const job = run({ ...backup, target: { ...target, ...change } })
    await expectFailure(job, 'object-store-refused', `wrong credentials (${Object.keys(change)})`)
  }
  expectThat(objectIn(store).equals(object), 'the object as it was', objectIn(store).length)
}

/** Answers of a store to any request, with what the job fails with. */
const refusals: [string, RegionCode, (answer: ServerResponse) => void][] = [
  ['a refusal', 'object-store-refused', (answer) => refuse(answer, 403, 'AccessDenied')],
  ['no such bucket', 'object-unknown', (answer) => refuse(answer, 404, 'NoSuchBucket')],
  ['a 404 of a proxy', 'object-store-refused', (answer) => void answer.writeHead(404).end('<html>Sorry</html>')],
  ['a busy store', 'object-store-unreachable', (answer) => refuse(answer, 503, 'SlowDown')],
  ['a broken connection', 'object-store-unreachable', (answer) => void answer.destroy()],
]

async function failsToWrite(region: Region, store: KitObjectStore): Promise<void> {
  const { name, vector } = await roomWith(region, 'small.zip')
  const backup = () => region.run({ type: 'backupToObjectStore', room: name, target: store.at(key) })
  for (const [what, code, answering] of refusals) {
    store.answerInstead = (_, answer) => {
      answering(answer)
      return true
    }
    await expectFailure(backup(), code, what)
  }
  store.answerInstead = (operation, answer) => {
    if (operation !== 'PutObject' && operation !== 'CompleteMultipartUpload') return false
    givePage(answer)
    return true
  }
  await expectFailure(backup(), null, 'a page of a proxy in place of an answer to the write')
  store.becomeHonest()
  const lies: [string, (content: Buffer) => Buffer | null][] = [
    ['keeps an altered byte', altered],
    ['keeps all but the last byte', (content) => content.subarray(0, -1)],
    ['keeps one byte more', (content) => Buffer.concat([content, Buffer.alloc(1)])],
    ['keeps nothing of it', () => null],
  ]
  for (const [what, stores] of lies) {
    store.stores = stores
    await expectFailure(backup(), null, `a store that says 200 and ${what}`)
  }
  store.becomeHonest()
  await expectPassing(store, backup)
  expectReads((await readBackup(objectIn(store))).files, vector.reads, 'in the object')
  await expectDigest(region, name, vector, 'afterwards')
}

/** Expects that a store that is busy once fails the job at most for now. */
async function expectPassing(store: KitObjectStore, job: () => Promise<unknown>): Promise<void> {
  let isBusy = true
  store.answerInstead = (_, answer) => {
    if (!isBusy) return false
    isBusy = false
    refuse(answer, 503, 'SlowDown')
    return true
  }
  await mayFail(job(), 'object-store-unreachable', 'a store that is busy once')
  await job()
}

async function leavesNoPart(region: Region, store: KitObjectStore): Promise<void> {
  const { client, newId, run } = region
  const { name } = await largeRoom(region)
  const backup = { type: 'backupToObjectStore' as const, room: name, target: store.at(key) }
  const { size } = await run(backup)
  expectEqual([objectIn(store).length, store.uploads.size], [size, 0], 'the size of the object, and unfinished uploads')
  const { databases } = await readBackup(objectIn(store))
  expectEqual(databases.toSorted(), ['large', 'main'], 'the databases in the object')
  if (!store.requests.includes('CreateMultipartUpload')) return region.note('the region does not write in parts')
  store.objects.clear()
  for (const step of ['UploadPart', 'CompleteMultipartUpload'] as const) {
    store.answerInstead = (operation, answer) => {
      if (operation !== step) return false
      // A store may say only in the body that the parts could not be put together.
      refuse(answer, step === 'CompleteMultipartUpload' ? 200 : 500, 'InternalError')
      return true
    }
    await expectFailure(run(backup), null, `a failed ${step}`)
    expectEqual(
      [store.uploads.size, store.objects.size],
      [0, 0],
      `unfinished uploads, and objects, after a failed ${step}`,
    )
  }
  let begun = false
  store.answerInstead = (operation) => {
    begun ||= operation === 'UploadPart'
    return operation === 'UploadPart'
  }
  const id = newId()
  await client.startJob(id, backup)
  await waitUntil(() => begun)
  expectEqual((await client.cancelJob(id)).state, 'failed', 'the state of the cancelled job')
  await waitUntil(() => store.uploads.size === 0)
  expectEqual(
    [store.uploads.size, store.objects.size],
    [0, 0],
    'unfinished uploads, and objects, after the cancellation',
  )
}

async function failsToRead(region: Region, store: KitObjectStore): Promise<void> {
  const { name, own, vector } = await roomWith(region, 'small.zip')
  const good = contentOf(backupVector('handled.zip').file)
  const restore = () => region.run({ type: 'restoreFromObjectStore', ...own, source: store.at(key) })
  const expectAsBefore = async (what: string) =>
    expectEqual(await region.digestOf(name), vector.digest, `${what}: the digest of the room`)
  const answers: typeof refusals = [
    ...refusals,
    ['no such object', 'object-unknown', (answer) => refuse(answer, 404, 'NoSuchKey')],
    ['a page of a proxy', 'object-store-unreachable', givePage],
    ['an altered byte', 'damaged-file', (answer) => give(answer, altered(good))],
    ['less than there is', 'damaged-file', (answer) => give(answer, good.subarray(0, -100))],
    ['less than it says', 'object-store-unreachable', (answer) => give(answer, good.subarray(0, -100), good.length)],
  ]
  for (const [what, code, answering] of answers) {
    store.answerInstead = (_, answer) => {
      answering(answer)
      return true
    }
    await expectFailure(restore(), code, what)
    await expectAsBefore(what)
  }
  store.answerInstead = (operation, answer) => {
    if (operation === 'GetObject') pour(answer, good)
    return operation === 'GetObject'
  }
  store.objects.set(key, good)
  await expectFailure(restore(), null, 'a backup with very many bytes behind it')
  await expectAsBefore('a backup with very many bytes behind it')
  await expectPassing(store, restore)
  await expectDigest(region, name, backupVector('handled.zip'), 'once the store tells the truth')
}

function givePage(answer: ServerResponse): void {
  answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome to our network</html>')
}

function give(answer: ServerResponse, content: Buffer, size = content.length): void {
  answer.writeHead(200, { 'content-length': size })
  if (size === content.length) answer.end(content)
  else answer.write(content, () => answer.destroy())
}

/** Content without an announced length, and then so many bytes that the object is none that was written. */
function pour(answer: ServerResponse, content: Buffer): void {
  answer.writeHead(200)
  answer.write(content)
  const chunk = Buffer.alloc(1 << 20)
  let left = pouredMegabytes
  const more = () => {
    while (!answer.destroyed && left > 0) {
      left -= 1
      if (!answer.write(chunk)) return
    }
    if (left === 0) answer.end()
  }
  answer.on('drain', more)
  more()
}

const pouredMegabytes = 100

async function waitsForNone(region: Region, store: KitObjectStore): Promise<void> {
  const { client, newId } = region
  const [room, other] = [await roomWith(region, 'small.zip'), await roomWith(region, 'handled.zip')]
  store.answerInstead = () => true
  const id = newId()
  await client.startJob(id, { type: 'restoreFromObjectStore', ...room.own, source: store.at(key) })
  await waitUntil(() => store.requests.length > 0)
  expectEqual(await region.digestOf(other.name), other.vector.digest, 'the digest of another room, meanwhile')
  expectThat(!jobHasEnded((await client.job(id)).state), 'a job that waits for the store', await client.job(id))
  const { state, error } = await client.cancelJob(id)
  expectEqual([state, error?.type], ['failed', 'urn:roomkeeper-region:cancelled'], 'the cancelled job')
  expectEqual(await region.digestOf(room.name), room.vector.digest, 'the digest of the room')
}
