/** Backups over HTTP: listing, complete and partial downloads, tickets, deletion, and expiry with their room. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bootNetwork, type Network, openSlowReader, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1, env: { LOG_LEVEL: 'debug' } })
})
afterAll(() => network?.stop())

const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')

describe("a room's backups", () => {
  // shows: C-roomBackups
  it('are listed newest first, with size, SHA-256 and when they were verified', async () => {
    const room = await newRoom()
    const old = await keepBackup(room, { age: '2 days', verified: false })
    const recent = await keepBackup(room)
    const { body } = await network.admin.call('roomBackups', { query: { projectRoom: room.name } })
    expect(body.map(({ id }) => id)).toEqual([recent, old])
    expect(body[0]).toMatchObject({ size: content.length, sha256, kind: 'classic' })
    expect(body.map(({ checkedAt }) => checkedAt === null)).toEqual([false, true])
  })

  // shows: rooms-backups-id
  it('are not those of an earlier room of that name', async () => {
    const room = await newRoom()
    const backup = await keepBackup(room)
    await network.database.rows('update rooms set id = $2 where id = $1', [room.id, randomUUID()])
    const { body } = await network.admin.call('roomBackups', { query: { projectRoom: room.name } })
    expect(body).toEqual([])
    expect((await get(backup)).status).toBe(200)
  })

  it('of an unknown room are refused', async () => {
    const listing = network.admin.call('roomBackups', { query: { projectRoom: 'nobody' } })
    await expect(listing).rejects.toMatchObject({ problem: { status: 404 } })
  })
})

describe('a download', () => {
  let backup: string
  let room: Room
  beforeAll(async () => {
    room = await newRoom()
    backup = await keepBackup(room)
  })

  // shows: C-roomBackupContent
  it('is the whole file, with what is needed to check and to resume it', async () => {
    const answer = await get(backup)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
      digest: `sha-256=${createHash('sha256').update(content).digest('base64')}`,
    })
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${room.name}-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.zip"$`),
    )
    expect(await bytesOf(answer)).toEqual(content)
  })

  // shows: C-roomBackupContent, rooms-range
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, 299_999],
    ['bytes=-100', 299_900, 299_999],
    ['bytes=-400000', 0, 299_999],
    ['bytes=299999-999999', 299_999, 299_999],
    ['bytes = 5-9', 5, 9],
  ])('can be of a part: %s', async (range, start, end) => {
    const answer = await get(backup, { range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${content.length}`)
    expect(await bytesOf(answer)).toEqual(content.subarray(start, end + 1))
  })

  it('leaves an entry in the audit trail, also when it is of a part', async () => {
    await bytesOf(await get(backup, { range: 'bytes=100-' }))
    const { data } = (await network.admin.call('audit', { query: { action: 'backup.download' } })).body
    expect(data[0]).toMatchObject({
      actor: 'admin@localhost',
      room: room.name,
      detail: expect.stringMatching(/SHA-256 [0-9a-f]{64}, bytes 100-299999\/300000$/),
    })
  })

  it.each(['bytes=300000-', 'bytes=999999-', 'bytes=-0'])('has no part %s', async (range) => {
    const answer = await get(backup, { range })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${content.length}`)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
  })

  it.each(['bytes=9-5', 'bytes=a-b', 'bytes=-', 'lines=1-2', 'bytes=0-1,5-9'])('is whole for %s', async (range) => {
    const answer = await get(backup, { range })
    expect(answer.status).toBe(200)
    expect((await bytesOf(answer)).length).toBe(content.length)
  })

  // shows: rooms-range
  it('goes on where it was broken off, unless the file is another one', async () => {
    const first = await get(backup, { range: 'bytes=0-149999' })
    const etag = first.headers.get('etag') ?? ''
    const second = await get(backup, { range: 'bytes=150000-', 'if-range': etag })
    expect(second.status).toBe(206)
    expect(Buffer.concat([await bytesOf(first), await bytesOf(second)])).toEqual(content)
    for (const other of ['"another"', `W/${etag}`, 'Sat, 21 Nov 2026 03:15:00 GMT'])
      expect((await get(backup, { range: 'bytes=150000-', 'if-range': other })).status).toBe(200)
  })

  it('can be asked for its size alone', async () => {
    const answer = await fetch(address(backup), { method: 'HEAD', headers: authorization() })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(content.length))
    expect(answer.headers.get('etag')).toBe(`"${sha256}"`)
  })

  it('of what is not there is refused', async () => {
    expect((await get(randomUUID())).status).toBe(404)
    const lost = await keepBackup(room, { isLost: true })
    expect((await get(lost)).status).toBe(404)
    const elsewhere = await keepBackup(room, { kind: 'd2o' })
    expect((await get(elsewhere)).status).toBe(409)
  })
})

describe('a ticket', () => {
  // shows: C-createBackupTicket, C-downloadBackup, rooms-ticket
  it('downloads its file without a session, in parts too, and is in no log', async () => {
    const backup = await keepBackup(await newRoom())
    const url = await ticketFor(backup)
    const whole = await fetch(network.server.address + url)
    expect(whole.status).toBe(200)
    expect(await bytesOf(whole)).toEqual(content)
    const part = await fetch(network.server.address + url, { headers: { range: 'bytes=299990-' } })
    expect(await bytesOf(part)).toEqual(content.subarray(299_990))
    const ticket = url.split('/').at(-1) ?? ''
    expect(ticket).toMatch(/^[\w-]{43}$/)
    await until('the download is logged', async () => network.server.output().includes('/download/[ticket]'))
    expect(network.server.output()).not.toContain(ticket)
    const [stored] = await network.database.rows<{ found: boolean }>(
      `select exists (select 1 from backup_tickets where encode(token_hash, 'escape') like '%' || $1 || '%') as found`,
      [ticket],
    )
    expect(stored?.found).toBe(false)
  })

  // shows: C-createBackupTicket, rooms-ticket
  it('is good for ten minutes, and then says so', async () => {
    const url = await ticketFor(await keepBackup(await newRoom()))
    const seconds = await network.database.rows<{ left: number }>(
      'select extract(epoch from max(expires_at) - now())::int as left from backup_tickets',
    )
    expect(seconds[0]?.left).toBeGreaterThan(580)
    expect(seconds[0]?.left).toBeLessThanOrEqual(600)
    await network.database.rows('update backup_tickets set expires_at = now()')
    const answer = await fetch(network.server.address + url)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('Please ask for a new one.')
  })

  it('is audited, and refused for a backup that lies elsewhere or nowhere', async () => {
    const room = await newRoom()
    const backup = await keepBackup(room)
    await ticketFor(backup)
    const [entry] = await network.database.rows<{ action: string; actor: string; room_name: string }>(
      'select action, actor, room_name from audit order by id desc limit 1',
    )
    expect(entry).toEqual({ action: 'backup.ticket', actor: 'admin@localhost', room_name: room.name })
    const elsewhere = await keepBackup(room, { kind: 'd2o' })
    await expect(ticketFor(elsewhere)).rejects.toMatchObject({ problem: { status: 409 } })
    await expect(ticketFor(randomUUID())).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('that was made up is refused', async () => {
    const made = await fetch(`${network.server.address}/api/operator/download/${'A'.repeat(43)}`)
    expect(made.status).toBe(404)
  })
})

describe('deleting a backup', () => {
  // shows: C-deleteRoomBackup
  it('removes file, record and tickets, and is audited', async () => {
    const room = await newRoom()
    const backup = await keepBackup(room)
    const url = await ticketFor(backup)
    expect(await storedFiles()).toContain(`${backup}.zip`)
    await network.admin.call('deleteRoomBackup', { params: { id: backup } })
    expect(await storedFiles()).not.toContain(`${backup}.zip`)
    expect((await fetch(network.server.address + url)).status).toBe(404)
    const [entry] = await network.database.rows<{ action: string; room_name: string }>(
      'select action, room_name from audit order by id desc limit 1',
    )
    expect(entry).toEqual({ action: 'backup.delete', room_name: room.name })
    const again = network.admin.call('deleteRoomBackup', { params: { id: backup } })
    await expect(again).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('tells the consoles, whose lists show when each room was backed up last', async () => {
    const room = await newRoom()
    const backup = await keepBackup(room)
    const told = `select payload from events where payload = $1`
    const event = { type: 'room', room: room.name, gone: false }
    const before = await network.database.rows(told, [event])
    await network.admin.call('deleteRoomBackup', { params: { id: backup } })
    expect(await network.database.rows(told, [event])).toHaveLength(before.length + 1)
  })

  it('is refused while it is downloaded or its content is checked, in any process', async () => {
    const large = Buffer.alloc(64_000_000)
    const room = await newRoom()
    const backup = await keepBackup(room)
    await writeFile(join(storeFolder(), `rooms/${room.id}/${backup}.zip`), large)
    await network.database.rows('update room_backups set size = $2 where id = $1', [backup, large.length])
    const remove = () => network.admin.call('deleteRoomBackup', { params: { id: backup } })
    const inUse = (detail: string) => ({ problem: { status: 409, detail: expect.stringContaining(detail) } })
    const { authorization: bearer } = authorization()
    for (const path of [new URL(address(backup)).pathname, await ticketFor(backup)]) {
      const reader = await openSlowReader(network.server.address)
      reader.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\n\r\n`)
      await until('it is read', async () => (await usesOf(backup)) > 0)
      await expect(remove()).rejects.toMatchObject(inUse('admin@localhost is downloading the backup.'))
      reader.close()
      await until('nobody reads it', async () => (await usesOf(backup)) === 0)
    }
    await network.database.rows(
      `insert into backup_uses (id, backup_id, kind, used_by, held_until)
       values (gen_random_uuid(), $1, 'check', 'system', now() + interval '3 seconds')`,
      [backup],
    )
    await expect(remove()).rejects.toMatchObject(inUse('The content of the backup is being checked.'))
    // The process that had it has died: it does not renew it.
    await until('it is over', async () =>
      remove().then(
        () => true,
        () => false,
      ),
    )
    expect(await recordedBackups(room)).toEqual([])
  })

  it('in an object store that is not configured is refused, and it stays listed', async () => {
    const room = await newRoom()
    const backup = await keepBackup(room, { kind: 'd2o' })
    const deleting = network.admin.call('deleteRoomBackup', { params: { id: backup } })
    await expect(deleting).rejects.toMatchObject({ problem: { status: 409 } })
    const { body } = await network.admin.call('roomBackups', { query: { projectRoom: room.name } })
    expect(body).toHaveLength(1)
  })
})

describe('housekeeping', () => {
  it('removes the backups of rooms deleted 30 days ago, and no others', async () => {
    const room = await newRoom()
    const [expired, recent, kept] = [await keepBackup(room), await keepBackup(room), await keepBackup(room)]
    await network.database.rows('update room_backups set expires_at = now() where id = $1', [expired])
    await network.database.rows(`update room_backups set expires_at = now() + interval '1 day' where id = $1`, [recent])
    expect((await get(expired)).status).toBe(404)
    await network.server.stop()
    await network.restartServer()
    // The file is removed first, then the record.
    await until('the expired one is gone', async () => !(await recordedBackups(room)).includes(expired))
    expect(await recordedBackups(room)).toEqual(expect.arrayContaining([recent, kept]))
    expect(await storedFiles()).toEqual(expect.arrayContaining([`${recent}.zip`, `${kept}.zip`]))
    expect(await storedFiles()).not.toContain(`${expired}.zip`)
  })
})

interface Room {
  id: string
  name: string
}

async function newRoom(): Promise<Room> {
  const body = roomDraft()
  await network.admin.call('createRoom', { body })
  await network.settle()
  const [row] = await network.database.rows<Room>('select id, name from rooms where name = $1', [body.tenantName])
  if (row === undefined) throw new Error('The room was not created.')
  return row
}

interface BackupGiven {
  kind?: 'classic' | 'd2o'
  age?: string
  verified?: boolean
  isLost?: boolean
}

/** Inserts a backup as an operation would record it. @returns its id */
async function keepBackup(room: Room, given: BackupGiven = {}): Promise<string> {
  const id = randomUUID()
  const { kind = 'classic', age = '0', verified = true, isLost = false } = given
  const location = kind === 'classic' ? `rooms/${room.id}/${id}.zip` : `s3://some-bucket/${id}.zip`
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() - $8::interval, case when $9 then now() end)`,
    [id, room.id, room.name, kind, location, content.length, sha256, age, verified],
  )
  if (kind === 'classic' && !isLost) {
    const path = join(storeFolder(), location)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return id
}

async function recordedBackups(room: Room): Promise<string[]> {
  const rows = await network.database.rows<{ id: string }>('select id from room_backups where room_id = $1', [room.id])
  return rows.map(({ id }) => id)
}

async function usesOf(backup: string): Promise<number> {
  return (await network.database.rows('select 1 from backup_uses where backup_id = $1', [backup])).length
}

async function ticketFor(id: string): Promise<string> {
  return (await network.admin.call('createBackupTicket', { params: { id } })).body.url
}

function storeFolder(): string {
  return join(network.dir, 'server', 'backups')
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(storeFolder(), { recursive: true, withFileTypes: true })
  return entries.filter((each) => each.isFile()).map((each) => each.name)
}

function address(id: string): string {
  return `${network.server.address}/api/operator/room/backups/${id}/content`
}

function authorization() {
  return { authorization: `Bearer ${network.admin.token}` }
}

function get(id: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address(id), { headers: { ...authorization(), ...headers } })
}

async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer())
}
