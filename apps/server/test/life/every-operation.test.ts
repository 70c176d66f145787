/**
 * Every registered kind of operation goes wrong at every step. After a kill it continues and takes effect once. After a
 * failure or cancellation everything is undone. A new kind only needs a scenario to be tested like this.
 */
import { readFile } from 'node:fs/promises'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredKinds } from '#app/operation-kinds.ts'
import { type LyingStore, startLyingStore } from '../lying-store.ts'
import { everyStepGoesWrong } from './every-step-goes-wrong.ts'
import { writeDocuments } from './room-life.ts'
import { scenariosIn, walkedElsewhere } from './scenarios.ts'
import { adbPassword } from './world.ts'

let network: Network
let store: LyingStore
let backup: Uint8Array<ArrayBuffer>
let adb: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    regions: 3,
    env: {
      WORKER_LEASE_SECONDS: '3',
      OBJECT_STORE_URI: 's3://bucket/d2o',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
  const room = await network.newRoom({ tenantName: 'origin' })
  await writeDocuments(network, room, { one: { from: 'the backup' } })
  const { client } = network.regions[0] as Network['regions'][number]
  backup = await contentOf(await client.runJob('backup', { type: 'backupRoom', room }))
  const exportJob = { type: 'backupDatabase', room, database: 'main', password: adbPassword } as const
  adb = await contentOf(await client.runJob('export', exportJob))
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

const scenarios = scenariosIn({ network: () => network, backup: () => backup, adb: () => adb })
const kinds = [...new Set(registeredKinds.map(({ kind }) => kind))]

it('every registered kind has a scenario, and every scenario is of one', () => {
  expect([...Object.keys(scenarios), ...Object.keys(walkedElsewhere)].sort()).toEqual(kinds.sort())
})

it.each(Object.entries(walkedElsewhere))('%s is walked step by step in %s', async (kind, file) => {
  expect(await readFile(new URL(`../${file}`, import.meta.url), 'utf8')).toContain(`stepsOf('${kind}')`)
})

everyStepGoesWrong(() => network, scenarios)

async function contentOf({ file }: { file: string }): Promise<Uint8Array<ArrayBuffer>> {
  const { client } = network.regions[0] as Network['regions'][number]
  const chunks: Uint8Array[] = []
  for await (const chunk of (await client.getFile(file)).content) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}
