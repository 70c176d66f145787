/** Jobs that operations run on regions: a job that failed transiently is started anew, and no job runs twice. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { wholeRoom, writeDocuments } from './life/room-life.ts'
import { serverKilled } from './server-killed.ts'

let network: Network
/** An export of a database. */
let adb: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  network = await bootNetwork({ env: { WORKER_LEASE_SECONDS: '3' } })
  const room = await network.newRoom({ tenantName: 'origin' })
  await writeDocuments(network, room, { one: { from: 'the export' } })
  const exportJob = { type: 'backupDatabase', room, database: 'main', password: 'secret of the export' } as const
  const { file } = await region().client.runJob('export', exportJob)
  const chunks: Uint8Array[] = []
  for await (const chunk of (await region().client.getFile(file)).content) chunks.push(chunk as Uint8Array)
  adb = new Uint8Array(Buffer.concat(chunks))
})
afterAll(() => network?.stop())
afterEach(() => mendRegion())

it('a job that failed for a reason that passes is begun anew, and the operation is done', async () => {
  const room = await network.newRoom()
  await breakRegion()
  const id = await backUp(room)
  await untilTriedAgain(id)
  await mendRegion()
  await network.settle()
  expect(await stateOf(id)).toBe('done')
})

it('a server killed after a later try has worked finds that try, and begins no other', async () => {
  const room = await network.newRoom()
  await breakRegion()
  await network.planFault('database.backup:export-database:after:kill')
  const id = await backUp(room)
  await untilTriedAgain(id)
  await mendRegion()
  await serverKilled(network)
  const begun = await triesOf(`${id}-1-backup`)
  expect(begun.filter((state) => state === 'done')).toHaveLength(1)
  await network.restartServer()
  await network.settle()
  expect(await stateOf(id)).toBe('done')
  expect(await triesOf(`${id}-1-backup`)).toEqual(begun)
})

it('what a later try brought is put back when the operation fails', async () => {
  const room = await network.newRoom()
  const before = await wholeRoom(network, room)
  const { fileName } = await network.upload('uploadDatabase', { name: 'extra.adb', content: adb })
  await breakRegion()
  await network.planFault('database.import:import-database:after:fail')
  const body = { dbName: 'extra', dbPassword: 'secret of the export', file: fileName, roomName: room }
  const { operationId } = (await network.admin.call('importDatabase', { body })).body
  await untilTriedAgain(operationId)
  await mendRegion()
  await network.settle()
  expect(await network.faultHappened()).toBe(true)
  expect(await stateOf(operationId)).toBe('failed')
  expect(await wholeRoom(network, room)).toEqual(before)
})

/** The folder for temporary files of jobs. If it is a file, all jobs fail with a transient error of the region. */
const workFolder = () => join(region().dataDir, 'work')

async function breakRegion(): Promise<void> {
  await rm(workFolder(), { recursive: true, force: true })
  await writeFile(workFolder(), '')
}

async function mendRegion(): Promise<void> {
  await rm(workFolder(), { recursive: true, force: true })
  await mkdir(workFolder())
}

async function backUp(projectRoomName: string): Promise<string> {
  const body = { projectRoomName, databaseName: 'main' }
  return (await network.admin.call('backupDatabase', { body })).body.operationId
}

function untilTriedAgain(id: string): Promise<void> {
  return until('the job has failed and is to be tried again', async () => {
    const tried = `select 1 from operation_log where operation_id = $1 and text like '%could not do this. Trying again%'`
    return (await network.database.rows(tried, [id])).length > 0
  })
}

async function stateOf(id: string): Promise<string | undefined> {
  const [row] = await network.database.rows<{ state: string }>('select state from operations where id = $1', [id])
  return row?.state
}

/** How the tries of a job ended, in order. */
async function triesOf(key: string): Promise<string[]> {
  const states: string[] = []
  for (;;) {
    const job = await region()
      .client.job(`${key}-${states.length}`)
      .catch(() => null)
    if (job === null) return states
    states.push(job.state)
  }
}

function region(): RunningRegion {
  const [first] = network.regions
  if (first === undefined) throw new Error('The network has no region.')
  return first
}
