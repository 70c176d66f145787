/** The server with a disk that fails at any call of the store: uploads, backups, downloads and removals over HTTP. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { craftBackup } from './craft-backup.ts'
import { type FileFault, writeFileFault } from './file-faults.ts'
import { isOwnFile } from './own-files.ts'
import { sendFiles } from './send-file.ts'

let network: Network
let plan: string
let store: string
beforeAll(async () => {
  network = await bootNetwork({ env: faultEnvironment(), regions: 1 })
  store = join(network.dir, 'server', 'backups')
})
afterAll(async () => {
  await network?.stop()
  await rm(plan, { force: true, recursive: true })
})

/** The server's own folder is only known once it runs, so the plan lies beside this test's temporary files. */
function faultEnvironment(): Record<string, string> {
  plan = join(process.env.TMPDIR ?? '/tmp', `roomkeeper-disk-fault-${process.pid}`)
  return { FILE_FAULT: plan, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'file-faults.ts')}` }
}

beforeEach(clearFault)

it('an upload that met a failure leaves nothing, and can be sent again', { timeout: 180_000 }, async () => {
  await atEveryCall(async (fail) => {
    const hit = await fail(async () => void (await sendFiles(network, 'uploadBackup', [{ content: craftBackup() }])))
    // A refused upload has no record. If clearing it away failed, only its unfinished file is left for housekeeping.
    const known = await network.database.rows<{ key: string }>('select store_key as key from uploads')
    const left = (await storedFiles()).filter((each) => !each.startsWith('.arriving'))
    expect(left, hit ?? '').toEqual(known.map(({ key }) => key))
    const again = await sendFiles(network, 'uploadBackup', [{ content: craftBackup() }])
    expect(again.status, hit ?? '').toBe(200)
    await network.database.rows('delete from uploads')
    await rm(join(store, 'uploads'), { recursive: true, force: true })
  })
})

it('a backup that met a failure leaves nothing, and a retry keeps it', { timeout: 300_000 }, async () => {
  const room = await network.newSuspendedRoom()
  await atEveryCall(async (fail) => {
    let id = ''
    const hit = await fail(async () => {
      const query = { projectRoomName: room, isD2O: false }
      id = (await network.admin.call('backupRoom', { query })).body.operationId
      await network.settle()
    })
    const log = (await network.admin.call('operationLog', { query: { processId: id } })).body
    if (log.state === 'failed') {
      expect(await backupFiles(), hit ?? '').toEqual([])
      await network.admin.call('retryOperation', { params: { id } })
      await network.settle()
    }
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
    const answer = await network.admin.open('roomBackupContent', { params: { id: backup?.id ?? '' } })
    expect((await answer.arrayBuffer()).byteLength, hit ?? '').toBe(backup?.size)
    await removeBackup(backup?.id ?? '')
    expect(await backupFiles()).toEqual([])
  })
})

it('a download and a removal that met a failure can be done again', { timeout: 180_000 }, async () => {
  const room = await network.newSuspendedRoom()
  await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await network.settle()
  const list = async () => (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
  const [backup] = await list()
  const params = { id: backup?.id ?? '' }
  const download = async () =>
    (await (await network.admin.open('roomBackupContent', { params })).arrayBuffer()).byteLength
  await atEveryCall(async (fail) => {
    await fail(async () => void (await download()))
    expect(await download()).toBe(backup?.size)
  })
  const isGone = async () => (await list()).length === 0
  await untilDownloadsEnded()
  await atEveryCall(async (fail) => {
    if (await isGone()) return
    await fail(async () => void (await network.admin.call('deleteRoomBackup', { params })))
    // A backup that could not be removed is still listed.
    if ((await backupFiles()).length > 0) expect(await isGone()).toBe(false)
  })
  expect([await isGone(), await backupFiles()]).toEqual([true, []])
})

it('a backup goes on where the server was killed at any call', { timeout: 300_000 }, async () => {
  const room = await network.newSuspendedRoom()
  for (let at = 1; ; at += 2) {
    writeFileFault(plan, { under: join(store, 'rooms'), at, how: 'kill' } satisfies FileFault)
    const query = { projectRoomName: room, isD2O: false }
    await network.admin.call('backupRoom', { query }).catch(() => undefined)
    await until('it is killed or done', async () => existsSync(`${plan}.done`) || (await backups(room)) === 1, 60)
    const isKilled = existsSync(`${plan}.done`)
    if (isKilled) await network.restartServer()
    await clearFault()
    await network.settle()
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
    const answer = await network.admin.open('roomBackupContent', { params: { id: backup?.id ?? '' } })
    expect((await answer.arrayBuffer()).byteLength, `call ${at}`).toBe(backup?.size)
    expect((await backupFiles()).length, `call ${at}`).toBe(1)
    await removeBackup(backup?.id ?? '')
    if (!isKilled) return expect(at).toBeGreaterThan(2)
  }
})

/** Repeats the attempt with the fault one store call later each time, until there are no more calls. */
async function atEveryCall(
  attempt: (fail: (work: () => Promise<void>) => Promise<string | null>) => Promise<void>,
): Promise<void> {
  let isMet = true
  let at = 1
  for (; isMet; at++) {
    isMet = false
    await attempt(async (work) => {
      writeFileFault(plan, { under: store, at, how: 'EIO' })
      await work().catch(() => undefined)
      isMet = existsSync(`${plan}.done`)
      await clearFault()
      return isMet ? `call ${at}` : null
    })
  }
  expect(at, 'calls that were met').toBeGreaterThan(2)
}

async function clearFault(): Promise<void> {
  for (const end of ['', '.done', '.taken', '.new']) await rm(plan + end, { force: true })
}

async function removeBackup(id: string): Promise<void> {
  await untilDownloadsEnded()
  await network.admin.call('deleteRoomBackup', { params: { id } })
}

/** The server learns a moment later that a download has ended, and until then it removes no backup. */
function untilDownloadsEnded(): Promise<void> {
  const uses = () => network.database.rows('select 1 from backup_uses')
  return until('the downloads have ended', async () => (await uses()).length === 0)
}

async function backups(room: string): Promise<number> {
  const rows = await network.database.rows('select 1 from room_backups where room_name = $1', [room])
  return rows.length
}

async function backupFiles(): Promise<string[]> {
  return (await storedFiles()).filter((each) => each.startsWith('rooms/'))
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((each) => each.isFile()).map((each) => relative(store, join(each.parentPath, each.name)))
  return files.filter((each) => !isOwnFile(each))
}
