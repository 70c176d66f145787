/** Backups that come into the store while their region still packs them: whatever the region sends, they are right. */
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FollowingProxy, startFollowingProxy } from './following-proxy.ts'
import { asksStatus, interceptCalls, statusWithout } from './migrations/intercept-calls.ts'
import { serverKilled } from './server-killed.ts'

let network: Network
let proxy: FollowingProxy
let room: string
beforeAll(async () => {
  network = await bootNetwork({ regions: 1, env: { WORKER_LEASE_SECONDS: '3' } })
  proxy = await startFollowingProxy(network.regions[0]?.url ?? '')
  await network.database.rows('update regions set url = $1, instance_id = null', [proxy.url])
})
beforeEach(async () => {
  proxy.serves = (answer, truth) => answer.end(truth)
  room = await network.newSuspendedRoom()
  proxy.reads = []
  proxy.roomBytes = null
  proxy.ends = null
})
afterAll(async () => {
  await network?.stop()
  proxy?.stop()
})

const afterwards = 'stored afterwards'

it('is not fetched again, and read back', async () => {
  const { operation, stored, backup } = await backUp()
  expect(proxy.reads).toEqual(['GET job'])
  expect(await said(operation)).not.toContain(afterwards)
  expect(stored.length).toBe(backup.size)
  const { rows } = network.database
  const steps = 'select step_id, output from operation_steps where operation_id = $1 order by position'
  expect(await rows(steps, [operation])).toMatchObject([
    { step_id: 'make-backup', output: { isStored: true } },
    { step_id: 'store-backup', output: { size: backup.size, sha256: backup.sha256 } },
    { step_id: 'read-backup-back' },
    { step_id: 'record-backup' },
  ])
})

/** The proxy's answer is broken off after these bytes. */
const broken = async (answer: ServerResponse, bytes: Buffer) => {
  await new Promise((resolve) => answer.write(bytes, resolve))
  answer.destroy()
}
const refusing = (status: number, code: string) => (answer: ServerResponse) =>
  answer
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ type: `urn:roomkeeper-region:${code}`, title: code, status, detail: code }))

it.each<[string, FollowingProxy['serves'], RegExp]>([
  ['breaks off', (answer, truth) => broken(answer, truth.subarray(0, 1000)), /bytes=1000-$|file$/],
  ['ends before its end', (answer, truth) => answer.end(truth.subarray(0, 1000)), /bytes=1000-$/],
  ['breaks off at once', (answer) => answer.destroy(), /file$/],
])('one that %s is completed from the file of the region', async (_, serves, rest) => {
  proxy.serves = serves
  const { operation } = await backUp()
  expect(proxy.reads).toEqual(['GET job', expect.stringMatching(rest)])
  if (!rest.source.startsWith('file')) expect(await said(operation)).not.toContain(afterwards)
})

const changed = (truth: Buffer) => {
  const other = Buffer.from(truth)
  other.writeUInt8(other.readUInt8(100) ^ 1, 100)
  return other
}

it.each<[string, FollowingProxy['serves']]>([
  ['other bytes', (answer, truth) => answer.end(changed(truth))],
  ['more than the file', (answer, truth) => answer.end(Buffer.concat([truth, truth]))],
  ['nothing that ends', endless],
  ['other bytes, and less', (answer, truth) => answer.end(changed(truth).subarray(0, 1000))],
])('of a region that sends %s the file is fetched afterwards, and the operator is told', async (_, serves) => {
  proxy.serves = serves
  const { operation } = await backUp()
  expect(proxy.reads.at(-1)).toBe('GET file')
  expect(await said(operation)).toContain(afterwards)
})

it.each<[string, FollowingProxy['serves']]>([
  ['without that call', refusing(404, 'no-such-call')],
  ['whose job was quicker', refusing(409, 'job-has-ended')],
])('of a region %s the file is fetched afterwards, which is nothing special', async (_, serves) => {
  proxy.serves = serves
  const { operation } = await backUp()
  expect(proxy.reads).toEqual(['GET job', 'GET file'])
  expect(await said(operation)).not.toContain(afterwards)
})

it('of a region that tells of more than a bucket takes in ordinary parts the file is fetched afterwards', async () => {
  proxy.roomBytes = Number.MAX_SAFE_INTEGER
  const { operation } = await backUp()
  expect(proxy.reads).toEqual(['GET job', 'GET file'])
  expect(await said(operation)).not.toContain(afterwards)
})

it('a region whose file has not begun is asked again', async () => {
  let asked = 0
  let waiting: ServerResponse | null = null
  proxy.serves = async (answer, truth) => {
    asked += 1
    if (asked < 3) {
      refusing(409, 'file-not-begun')(answer)
      // The job is still held, because this one never returns.
      return new Promise(() => undefined)
    }
    waiting = answer
    answer.end(truth)
  }
  await backUp()
  expect(waiting).not.toBeNull()
  expect(proxy.reads).toEqual(['GET job', 'GET job', 'GET job'])
})

describe('nothing of it is kept when', () => {
  const half = (answer: ServerResponse, truth: Buffer) =>
    new Promise<void>((resolve) => answer.write(truth.subarray(0, 1000), () => resolve()))

  it('the job fails', async () => {
    proxy.serves = half
    const problem = { type: 'urn:roomkeeper-region:room-damaged', title: 'Damaged', status: 409, detail: 'Damaged.' }
    proxy.ends = { state: 'failed', result: null, error: problem }
    const operation = await begin()
    await network.settle()
    expect(await stateOf(operation)).toBe('failed')
    expect(proxy.reads).toEqual(['GET job'])
    expect(await inStore()).toEqual([])
  })

  it('the operation is cancelled', async () => {
    proxy.serves = async (answer, truth) => {
      await half(answer, truth)
      return new Promise(() => undefined)
    }
    const operation = await begin()
    await until('a part has arrived', async () => (await inStore()).length === 1)
    await network.admin.call('cancelOperation', { params: { id: operation } })
    await network.settle()
    expect(await stateOf(operation)).toBe('cancelled')
    expect(await inStore()).toEqual([])
    expect(await recorded()).toEqual([])
  })

  it('the backup cannot be recorded', async () => {
    await network.planFault('room.backup:store-backup:before:fail')
    const operation = await begin()
    await network.settle()
    expect(await stateOf(operation)).toBe('failed')
    expect(await inStore()).toEqual([])
  })
})

describe('a process that dies', () => {
  const endsWell = async (operation: string) => {
    await network.restartServer()
    await network.settle()
    expect(await stateOf(operation)).toBe('done')
    // What it had begun to write, housekeeping removes.
    expect((await inStore()).filter((path) => !path.includes('.arriving'))).toHaveLength(1)
    expect(await recorded()).toHaveLength(1)
    // Another test would take it for its own.
    await rm(join(network.dir, 'server', 'backups', '.arriving'), { recursive: true, force: true })
  }

  it('while it reads repeats the step, and one file is kept', async () => {
    proxy.serves = async (answer, truth) => {
      await new Promise<void>((resolve) => answer.write(truth.subarray(0, 1000), () => resolve()))
      return new Promise(() => undefined)
    }
    const operation = await begin()
    await until('a part has arrived', async () => (await inStore()).length === 1)
    proxy.serves = (answer, truth) => answer.end(truth)
    await network.server.stop('SIGKILL')
    await endsWell(operation)
  })

  it('before the region knows the job leaves it to the next one, which asks for the file too early', async () => {
    await network.planFault('room.backup:make-backup:before:kill')
    const operation = await begin()
    await serverKilled(network)
    // Both the job and its file wait for the sign-in, longer than the file is waited with.
    proxy.signInMilliseconds = 600
    await endsWell(operation)
    proxy.signInMilliseconds = 0
    expect(await said(operation)).not.toContain(afterwards)
  })

  it('when all is stored and nothing is recorded repeats the step, and one file is kept', async () => {
    await network.planFault('room.backup:make-backup:after:kill')
    const operation = await begin()
    await serverKilled(network)
    await endsWell(operation)
  })
})

it('a region that does not offer the file of a running job is not asked for it', async () => {
  const asked: string[] = []
  const end = await interceptCalls(network, 0, (call) => {
    if (call.path.endsWith('/file')) asked.push(call.path)
    return asksStatus(call) ? statusWithout(network, 0, ['jobFile']) : undefined
  })
  const { operation } = await backUp()
  expect(asked).toEqual([])
  expect(await said(operation)).not.toContain(afterwards)
  end()
})

async function begin(): Promise<string> {
  const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  return body.operationId
}

/** Expects the backup to be there, as its region has made it. */
async function backUp() {
  const operation = await begin()
  await network.settle()
  expect(await stateOf(operation)).toBe('done')
  const [backup] = await recorded()
  if (backup === undefined) throw new Error('There is no backup.')
  const stored = await readFile(join(network.dir, 'server', 'backups', backup.location))
  expect(stored.length).toBe(backup.size)
  const [made] = await network.database.rows<{ output: object }>(
    `select output from operation_steps where operation_id = $1 and step_id = 'make-backup'`,
    [operation],
  )
  expect(made?.output).toMatchObject({ size: backup.size, sha256: backup.sha256 })
  return { operation, stored, backup }
}

async function stateOf(operation: string): Promise<string | undefined> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [
    operation,
  ])
  return row?.state
}

async function said(operation: string): Promise<string> {
  const rows = await network.database.rows<{ text: string }>('select text from operation_log where operation_id = $1', [
    operation,
  ])
  return rows.map(({ text }) => text).join('\n')
}

function recorded() {
  return network.database.rows<{ location: string; size: number; sha256: string }>(
    'select location, size::float as size, sha256 from room_backups where room_name = $1',
    [room],
  )
}

/** The files of this test's room, and those that are arriving. */
async function inStore(): Promise<string[]> {
  const folder = join(network.dir, 'server', 'backups')
  const [{ id } = { id: '' }] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [
    room,
  ])
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return paths.filter((path) => path.includes('.arriving') || path.includes(id))
}

async function endless(answer: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1 << 20)
  const closed = once(answer, 'close')
  while (!answer.destroyed) if (!answer.write(chunk)) await Promise.race([once(answer, 'drain'), closed])
}
