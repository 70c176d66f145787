/** Backups hold what the room holds, and restores bring all of it back. */
import { setTimeout as pause } from 'node:timers/promises'
import { expectReads, readBackup, rowsOf } from '../backup.ts'
import { type Check, expectEqual, expectFailure, expectRefusal, expectThat } from '../check.ts'
import { backUp, expectDigest, expectVector, fetchFile, roomWith, upload } from '../content.ts'
import { delegate, newCreation, owner, type Region } from '../region-under-test.ts'
import { backupVector, contentOf } from '../vectors.ts'

export const backupChecks: Check[] = [
  {
    name: 'a backup of a new room has its users, settings and licences in system.db, as they are spelled there',
    page: 'formats.md#systemdb',
    run: hasSystemDatabase,
  },
  {
    name: 'a restore of a backup of the region replaces all content; what is not content stays',
    page: 'jobs.md#what-a-restore-does',
    run: replacesAll,
  },
  {
    name: 'a restore ends the sessions and forgets the times of backups',
    page: 'jobs.md#what-a-restore-does',
    run: async (region) => {
      const { client, run } = region
      const { name, own } = await roomWith(region, 'handled.zip')
      const { file } = await run({ type: 'backupRoom', room: name })
      const times = async () => (await client.databases(name)).map((each) => [each.name, each.backupAt !== null])
      expectEqual(await times(), [['main', true]], 'the databases, and whether they have a time of backup')
      const { token } = await client.openSession(name, 'owner@vectors.example')
      expectThat(token !== '', 'a token', token)
      await run({ type: 'restoreRoom', ...own, file })
      expectEqual(await client.sessions(name), [], 'the sessions after the restore')
      expectEqual(await times(), [['main', false]], 'the databases after the restore, and whether they have a time')
    },
  },
  {
    name: 'calls see the whole old content or the whole new content of a room that is restored',
    page: 'jobs.md#what-a-restore-does',
    run: changesAtOnce,
  },
  // shows: stored-product-backup
  {
    name: 'a product backup of the region has only databases, and joins those of a room',
    page: 'formats.md#kind-product',
    run: joinsProducts,
  },
  {
    name: 'a restore of another product, or of a file that is not there, fails and leaves the room as it was',
    page: 'jobs.md#what-a-restore-does',
    run: async (region) => {
      const { client, run, newId } = region
      const { name, own, vector } = await roomWith(region, 'handled.zip')
      const restore = { type: 'restoreRoom' as const, ...own }
      await expectFailure(run({ ...restore, file: newId() }), 'file-unknown', 'a file that is not there')
      const other = (await client.status()).products.find((product) => product !== 'ARIS')
      if (other !== undefined) {
        const room = await region.newRoom({ product: other })
        const { file } = await run({ type: 'backupRoom', room: room.name })
        await expectFailure(run({ ...restore, file }), 'product-differs', 'a backup of another product')
        const [before, aris] = [await region.digestOf(room.name), await upload(region, contentOf(vector.file))]
        const into = run({ type: 'restoreRoom', ...room.own, file: aris })
        await expectFailure(into, 'product-differs', 'a backup of ARIS in a room of another product')
        expectEqual(await region.digestOf(room.name), before, 'the digest of the room of another product')
      }
      await expectDigest(region, name, vector, 'afterwards')
    },
  },
  {
    name: 'a backup and a digest are of the room as it is now, and of no earlier job',
    page: 'jobs.md#the-id',
    run: isOfNow,
  },
  // shows: region-job-cancel
  {
    name: 'a cancelled restore, import or deletion has taken effect, or has left the room as it was',
    page: 'jobs.md#states',
    run: cancels,
  },
]

async function hasSystemDatabase(region: Region): Promise<void> {
  const creation = newCreation()
  const room = await region.newRoom({ ...creation, subLicences, expirationDate: '2077-07-07' })
  const contacts = { ...creation.contacts, ownerEmail: 'next@conformance.example', delegateEmail: ' ' }
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
  const usersOf = async () => {
    const { files, manifest } = await backUp(region, room.name)
    const system = files.get('system.db') ?? Buffer.alloc(0)
    const users = rowsOf(system, 'SELECT id, email, role, licenseKey, createdAt FROM users ORDER BY email')
    for (const { id, createdAt } of users)
      expectThat(isId.test(String(id)) && isTime(createdAt), 'a user with a UUID and a time', { id, createdAt })
    const settings = rowsOf(system, 'SELECT name, value FROM settings')
    expectEqual(
      Object.fromEntries(settings.map(({ name, value }) => [name, value])),
      {
        subMiningType: '"NONE"',
        expirationDate: '"2077-07-07"',
        contacts: JSON.stringify(manifest.contacts),
      },
      'the texts in the table settings',
    )
    return users.map(({ email, role, licenseKey }) => [email, role, licenseKey])
  }
  expectEqual(
    await usersOf(),
    [
      [delegate, 'delegate', 'YAAD'],
      [owner, 'owner', 'YAAD'],
    ],
    'users of a new room',
  )
  await region.client.changeRoom(room.name, { roomId: room.roomId, contacts })
  const users = await usersOf()
  expectEqual(
    users.map(([email, role]) => [email, role]),
    [
      [delegate, 'user'],
      ['next@conformance.example', 'owner'],
      [owner, 'user'],
    ],
    'users after a change of the owner',
  )
  const holders = users.filter(([, , licenseKey]) => licenseKey === 'YAAD').map(([email]) => email)
  expectEqual(
    [holders.length, holders.includes('next@conformance.example')],
    [2, true],
    'the users who have the licence',
  )
}

const subLicences = [{ licenseKey: 'YAAD', subLicenseAmount: 7, productKey: 'YPMBA' }]
const isTime = (value: unknown) => new Date(String(value)).toISOString() === value

async function replacesAll(region: Region): Promise<void> {
  const { client, run } = region
  const source = await roomWith(region, 'handled.zip')
  const [holder, created] = ['conformance', { edition: 'enterprise', state: 'suspended' } as const]
  const target = await roomWith(region, 'room.zip', { ...created, lockHolder: holder })
  const { file } = await run({ type: 'backupRoom', room: source.name })
  const restored = await run({ type: 'restoreRoom', ...target.own, file, holder })
  expectEqual(restored, { databases: ['main'] }, 'the restore')
  const { manifest } = await expectVector(region, target.name, source.vector, 'once it is restored')
  await expectDigest(region, source.name, source.vector, 'the source, afterwards')
  const room = await client.room(target.name)
  expectEqual(
    [room?.roomId, room?.edition, room?.state, room?.lock?.holder],
    [target.roomId, 'enterprise', 'suspended', holder],
    'roomId, edition, state and holder',
  )
  const { licences, subLicences, subMiningType, expirationDate, contacts } = manifest
  expectEqual([room?.expirationDate, room?.databases], [expirationDate, ['main']], 'expiration date and databases')
  const settings = { licences, subLicences, subMiningType, expirationDate, contacts }
  if (room?.settings !== undefined) expectEqual(room.settings, settings, 'the settings of the room')
  const used = (await client.licences(target.name)).map((each) => [each.licenseKey, each.licenseAmount, each.used])
  expectEqual(
    used,
    [
      ['YAAD', 2, 1],
      ['YABD', 5, 0],
    ],
    'the licences, their amounts, and how many are used',
  )
  await client.resumeRoom(target.name, target.roomId)
  expectThat((await client.openSession(target.name, 'PLAIN@vectors.example')).id !== '', 'a session of a user', null)
  const former = client.openSession(target.name, owner)
  await expectRefusal(former, 404, 'a session of the owner whom the room had before')
}

async function changesAtOnce(region: Region): Promise<void> {
  const { client, run } = region
  const { name, own } = await roomWith(region, 'small.zip')
  const files = await Promise.all(
    ['room.zip', 'small.zip'].map((vector) => upload(region, contentOf(backupVector(vector).file))),
  )
  const restoring = (async () => {
    for (const file of [...files, ...files]) await run({ type: 'restoreRoom', ...own, file })
  })()
  let isRestoring = true
  const ended = restoring.finally(() => {
    isRestoring = false
  })
  const seen = new Set<string>()
  while (isRestoring) {
    const room = await client.room(name)
    seen.add(`version ${room?.schemaVersion} with ${room?.databases.toSorted().join()}`)
  }
  await ended
  const whole = [
    `version 1 with ${backupVector('small.zip').databases.toSorted().join()}`,
    `version 2 with ${backupVector('room.zip').databases.toSorted().join()}`,
  ]
  expectEqual(
    [...seen].filter((each) => !whole.includes(each)),
    [],
    'neither the old content nor the new one',
  )
}

async function joinsProducts(region: Region): Promise<void> {
  const { run } = region
  const source = await roomWith(region, 'product.zip')
  const made = await run({ type: 'backupRoom', room: source.name, kind: 'product' })
  const backup = await readBackup(await fetchFile(region, made))
  expectEqual(backup.manifest.kind, 'product', 'the kind in the manifest')
  expectEqual(backup.databases.toSorted(), ['added', 'lookalike', 'main'], 'the databases in the backup')
  expectReads(backup.files, source.vector.reads, 'in the backup')
  const target = await roomWith(region, 'small.zip')
  const { databases } = await run({ type: 'restoreRoom', ...target.own, file: made.file })
  expectEqual(databases.toSorted(), ['added', 'lookalike', 'main'], 'the databases that the restore names')
  await expectVector(region, target.name, source.vector, 'once it has joined')
}

async function isOfNow(region: Region): Promise<void> {
  const { client, run, newId } = region
  const { name, own, vector } = await roomWith(region, 'small.zip')
  const [digesting, packing] = [newId(), newId()]
  const digest = { type: 'digestRoom' as const, room: name }
  const pack = { type: 'backupRoom' as const, room: name }
  const packed = await client.runJob(packing, pack)
  expectEqual(await client.runJob(digesting, digest), { digest: vector.digest }, 'the digest')
  const later = backupVector('handled.zip')
  await run({ type: 'restoreRoom', ...own, file: await upload(region, contentOf(later.file)) })
  await expectVector(region, name, later, 'once another backup is restored')
  expectEqual(await client.runJob(digesting, digest), { digest: vector.digest }, 'the result of the former job again')
  expectEqual(await client.runJob(packing, pack), packed, 'the result of the former backup again')
  const former = await readBackup(await fetchFile(region, packed))
  expectReads(former.files, vector.reads, 'in the former backup')
}

async function cancels(region: Region): Promise<void> {
  const { client, newId } = region
  const without = backupVector('handled.zip')
  const file = await upload(region, contentOf(without.file))
  for (const change of [
    { type: 'deleteDatabase', database: 'more' } as const,
    { type: 'restoreRoom', file } as const,
  ]) {
    const { name, own, vector } = await roomWith(region, 'product-same.zip')
    const id = newId()
    await client.startJob(id, { ...own, ...change })
    const { state, error } = await client.cancelJob(id)
    if (state === 'failed') expectEqual(error?.type, 'urn:roomkeeper-region:cancelled', `${change.type}: the error`)
    else expectEqual(state, 'done', `${change.type}: the state`)
    const expected = state === 'done' ? without : vector
    await expectDigest(region, name, expected, `${change.type}, which has ended ${state}`)
    await pause(500)
    await expectDigest(region, name, expected, `half a second after ${change.type} ended ${state}`)
    expectEqual((await client.cancelJob(id)).state, state, `${change.type}: the state, cancelled again`)
  }
  await expectRefusal(client.cancelJob(newId()), 404, 'the cancellation of an unknown job')
}
