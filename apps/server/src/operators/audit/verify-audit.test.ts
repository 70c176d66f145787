/** Every manipulation of the audit trail behind the server's back is detected and described. */
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { because } from '@roomkeeper/contract'
import { until } from '@roomkeeper/dev-env'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { recordChange } from '#changes/index.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { markKey } from '#platform/file-store/marked-store.ts'
import { createLog } from '#platform/log.ts'
import { createScheduler } from '#platform/recurring.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { type Anchor, anchorPlaces, type MissedAnchor } from './anchors.ts'
import { sealAudit, startSealing } from './seal-audit.ts'
import { verifyAudit } from './verify-audit.ts'

const database: TestDatabase = await createTestDatabase()
const { db, pool } = database
const none = new Map<string, Anchor>()
const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-audit-'))
const store = join(folder, 'store')
const files = createFileStore({ kind: 'folder', folder: store }, database)
const places = anchorPlaces({ folder, files, isDrill: false })
const positions = () => Promise.all(places.map(async (place) => (await place.read())?.position))
const reported: MissedAnchor[] = []
const start = () =>
  startSealing(createScheduler({ database, log: createLog('silent'), clock: { isRight: () => true } }), {
    database,
    anchors: places,
    log: createLog('silent'),
    report: async (_, missed) => void reported.push(missed),
  })
const act = () => recordChange(db, { kind: 'user.delete', actor: 'a@example.com' })
const acknowledge = ({ place: file, position, hash, keptAt: at }: MissedAnchor) =>
  recordChange(db, {
    actor: 'a@example.com',
    kind: 'audit.acknowledge',
    detail: because('finding-audit-cut-off', { file, position, hash, at }),
  })
const inFolder = async () => (await places[0]?.read()) ?? null
const cutOff = (from: number) =>
  tamper(
    `delete from audit where id in (select entry_id from audit_seals where position > ${from})`,
    `delete from audit_seals where position > ${from}`,
    `update audit_head set (position, hash) = (select position, hash from audit_seals where position = ${from})`,
  )
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Does what an attacker who knows the password of the database can do. */
async function tamper(...statements: string[]): Promise<void> {
  const client = await pool.connect()
  await client.query('begin; set local session_replication_role = replica')
  for (const statement of statements) await client.query(statement)
  await client.query('commit')
  client.release()
}

beforeEach(async () => {
  await tamper(
    'truncate audit, audit_seals, audit_unsealed restart identity',
    `update audit_head set position = 0, hash = sha256('the audit trail of Roomkeeper')`,
  )
  for (let n = 1; n <= 6; n += 1) {
    const room = { id: '00000000-0000-4000-8000-000000000000', name: 'room' }
    const changes = [{ field: 'companyName', from: 'Ä', to: n }]
    await recordChange(db, { kind: 'user.delete', actor: `one${n}@example.com`, room, changes, requestId: 'r' })
    // Seals three entries at a time.
    if (n % 3 === 0) await sealAudit(db)
  }
})

describe('a whole trail', () => {
  it('is found whole, entries that were not sealed yet included', async () => {
    await recordChange(db, { actor: 'system', kind: 'operator.create', detail: 'a\nb "c" \\ \u2028 😀' })
    expect(await verifyAudit(db, none)).toMatchObject({ checked: 7, damages: [] })
  })

  it('stays whole while many transactions write at once, in whatever order they commit, and some not at all', async () => {
    const slow = await pool.connect()
    await slow.query(`begin; insert into audit (actor, action) values ('slow', 'room.edit')`)
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; n < 25; n += 1) {
        await database
          .transaction(async (tx) => {
            await recordChange(tx, { kind: 'user.delete', actor: `writer${writer}` })
            if (n % 5 === 0) throw new Error('taken back')
          })
          .catch(() => undefined)
        if (n % 3 === 0) await sealAudit(db)
      }
    })
    await Promise.all(writers)
    expect(await verifyAudit(db, none)).toMatchObject({ checked: 6 + 8 * 20, damages: [] })
    await slow.query('commit')
    slow.release()
    expect(await verifyAudit(db, none)).toMatchObject({ checked: 7 + 8 * 20, damages: [] })
  })

  it('is sealed by itself within a moment, and the newest seal is kept in a file', async () => {
    const stop = start()
    await recordChange(db, { kind: 'user.delete', actor: 'a@example.com' })
    await until('the file has the newest seal', async () => (await inFolder())?.position === 7)
    await stop()
    const anchor = (await inFolder()) as Anchor
    expect((await verifyAudit(db, new Map([['the file', anchor]]))).damages).toEqual([])
    // An anchor does not make a place the store.
    expect(await files.stat(markKey)).toBeNull()
  })

  it('keeps an anchor that it does not have any more, in both places, beside newer ones until it is acknowledged', async () => {
    await files.put('first', Readable.from([Buffer.from('file')], { objectMode: false }))
    await Promise.all(
      places.map((place) => rm(join(place === places[0] ? folder : store, 'audit-anchor.json'), { force: true })),
    )
    reported.length = 0
    await start()()
    expect(await positions()).toEqual([6, 6])
    const stop = start()
    await cutOff(4)
    await act()
    await until('it is told', async () => reported.length > 0)
    await stop()
    await start()()
    expect(await positions()).toEqual([5, 5])
    expect(reported).toContainEqual(expect.objectContaining({ position: 6, place: join(folder, 'audit-anchor.json') }))
    expect(reported).toContainEqual(expect.objectContaining({ position: 6, place: 'BACKUP_STORE/audit-anchor.json' }))
    // Cut off once more: both are kept.
    await cutOff(3)
    await act()
    await start()()
    for (const place of places) {
      expect(await place.read()).toMatchObject({ position: 4, missed: [{ position: 6 }, { position: 5 }] })
    }
    const [six, five] = [
      reported.find(({ position }) => position === 6),
      reported.find(({ position }) => position === 5),
    ]
    if (six === undefined || five === undefined) throw new Error('both were reported')
    const told = async () => {
      reported.length = 0
      await start()()
      return [...new Set(reported.map(({ position }) => position))].sort()
    }
    // Without a seal it can be removed without a trace, and a later time covers nothing more.
    const forged = [{ code: 'finding-audit-cut-off', params: { position: 6, hash: six.hash } }]
    await tamper(
      `insert into audit (at, actor, action, detail_reasons)
       values ('2100-01-01', 'a@example.com', 'audit.acknowledge', '${JSON.stringify(forged)}'),
              ('2100-01-01', 'a@example.com', 'audit.acknowledge', '[]')`,
    )
    expect(await told()).toEqual([5, 6])
    await tamper(`delete from audit where at = '2100-01-01'`)
    await acknowledge(six)
    expect(await told()).toEqual([5])
    await acknowledge(five)
    expect(await told()).toEqual([])
    // Should the acknowledgements be cut off, everything is there again.
    for (const place of places)
      expect(await place.read()).toMatchObject({ position: 6, missed: [{ position: 6 }, { position: 5 }] })
    await cutOff(4)
    await act()
    expect(await told()).toEqual([5, 6])
    expect((await inFolder())?.missed.map(({ position }) => position)).toEqual([6, 5, 6])
    // More than are kept: the oldest go.
    for (let n = 0; n < 20; n += 1) {
      await cutOff(4)
      await act()
      await start()()
    }
    expect((await inFolder())?.missed.map(({ position }) => position)).toEqual(Array(20).fill(5))
  })

  it('never writes an older anchor over a newer one, however many processes seal', async () => {
    await rm(join(folder, 'audit-anchor.json'), { force: true })
    await rm(join(store, 'audit-anchor.json'), { force: true })
    const stops = Array.from({ length: 4 }, start)
    let last = 0
    for (let n = 0; n < 30; n += 1) {
      await act()
      const position = (await inFolder())?.position ?? 0
      expect(position).toBeGreaterThanOrEqual(last)
      last = position
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await Promise.all(stops.map((stop) => stop()))
    await start()()
    expect(await positions()).toEqual([36, 36])
    expect((await inFolder())?.missed).toEqual([])
  })

  it('is sealed while the store is away, and the store has the newest seal when it is back', async () => {
    await rename(store, `${store}.away`)
    const stop = start()
    await act()
    await until('the file has the newest seal', async () => (await inFolder())?.position === 7)
    await stop()
    await rename(`${store}.away`, store)
    await start()()
    expect(await positions()).toEqual([7, 7])
  })

  it('cannot be changed in the ordinary way', async () => {
    for (const statement of [
      'update audit set detail = null',
      'delete from audit',
      'truncate audit',
      'delete from audit_seals',
    ])
      await expect(pool.query(statement)).rejects.toThrow('only ever added to')
  })
})

describe('a damage', () => {
  // shows: audit-sealed
  it.each([
    [
      'an altered actor',
      [`update audit set actor = 'somebody' where id = 3`],
      'Entry 3 (seal 3) was altered: it now says',
    ],
    [
      'an altered time',
      [`update audit set at = at - interval '1 microsecond' where id = 2`],
      'Entry 2 (seal 2) was altered',
    ],
    [
      'an altered change',
      [`update audit set changes = jsonb_set(changes, '{0,to}', '"7"') where id = 6`],
      'Entry 6 (seal 6) was altered',
    ],
    ['a removed detail', [`update audit set request_id = null where id = 1`], 'Entry 1 (seal 1) was altered'],
    ['a removed entry', ['delete from audit where id = 4'], 'Entry 4 (seal 4) is missing.'],
    ['the removed last entry', ['delete from audit where id = 6'], 'Entry 6 (seal 6) is missing.'],
    [
      'a removed entry with its seal',
      ['delete from audit where id = 4', 'delete from audit_seals where position = 4'],
      'The seal 4 is missing.',
    ],
    [
      'a removed entry, seals moved up',
      [
        'delete from audit where id = 4',
        'delete from audit_seals where position = 4',
        'update audit_seals set position = position - 1 where position > 4',
      ],
      'Entry 5 (seal 4) was altered',
    ],
    [
      'two swapped entries',
      [`update audit a set actor = b.actor, at = b.at from audit b where (a.id, b.id) in ((2, 5), (5, 2))`],
      'Entry 2 (seal 2) was altered',
    ],
    [
      'two swapped seals',
      [`update audit_seals a set entry_id = 7 - a.entry_id where position in (3, 4)`],
      'Entry 4 (seal 3) was altered',
    ],
    [
      'an altered seal',
      [`update audit_seals set hash = sha256('x') where position = 5`],
      'Entry 5 (seal 5) was altered',
    ],
    [
      'an entry slipped in',
      [`insert into audit (id, actor, action) overriding system value values (-1, 'x', 'room.delete')`],
      'Entry -1 was slipped in and has no seal: it now says',
    ],
    [
      'a truncated end',
      ['delete from audit where id > 4', 'delete from audit_seals where position > 4'],
      'The seals 5 to 6 are missing: the database knows the seal 6.',
    ],
    [
      'everything gone',
      ['truncate audit, audit_seals'],
      'The seals 1 to 6 are missing: the database knows the seal 6.',
    ],
  ])('is found: %s', async (_, statements, damage) => {
    await tamper(...statements)
    const { damages } = await verifyAudit(db, none)
    expect(damages[0]).toContain(damage)
  })

  it('is found also when an entry is removed in the moment before it gets its seal', async () => {
    await recordChange(db, { kind: 'user.delete', actor: 'quick' })
    await tamper('delete from audit where id = 7')
    expect((await verifyAudit(db, none)).damages).toEqual(['Entry 7 (seal 7) is missing.'])
  })

  describe('that leaves the database consistent', () => {
    const anchorNow = async () => new Map([['the file', (await verifyAudit(db, none)).newest]])

    it('is found by what is kept elsewhere: an end that was cut off with its record', async () => {
      const anchors = await anchorNow()
      await tamper(
        'delete from audit where id > 4',
        'delete from audit_seals where position > 4',
        'update audit_head set (position, hash) = (select position, hash from audit_seals where position = 4)',
      )
      expect((await verifyAudit(db, none)).damages).toEqual([])
      expect((await verifyAudit(db, anchors)).damages).toEqual([
        'The seals 5 to 6 are missing: the file knows the seal 6.',
      ])
    })

    it('is found by what is kept elsewhere: a trail that was made anew as a whole', async () => {
      const anchors = await anchorNow()
      await tamper(
        `update audit set actor = 'somebody else' where id = 2`,
        'truncate audit_seals',
        `update audit_head set position = 0, hash = sha256('the audit trail of Roomkeeper')`,
        'insert into audit_unsealed select id from audit',
      )
      expect((await verifyAudit(db, none)).damages).toEqual([])
      expect((await verifyAudit(db, anchors)).damages).toEqual([
        'The seals up to 6 were made anew: the file knows another one.',
      ])
    })
  })
})
