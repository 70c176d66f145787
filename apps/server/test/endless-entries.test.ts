/** Backups (.zip) whose central directory contains huge numbers of needless fields. */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { manifestOf, roomFiles } from './craft-backup.ts'
import { craftZip, type ZipEntry } from './craft-zip.ts'
import { refusalOf, sendFiles } from './send-file.ts'

let network: Network
beforeAll(async () => {
  // A small heap, so that filling it would end the server.
  network = await bootNetwork({ regions: 0, env: { NODE_OPTIONS: '--max-old-space-size=512' } })
})
afterAll(() => network?.stop())

const said = Buffer.alloc(65_532)

it.each<[string, number, Partial<ZipEntry>]>([
  ['additional fields', 300, { extra: said }],
  ['comments', 300, { comment: said }],
  ['names', 300, { name: 'n'.repeat(65_000) }],
  ['entries with a few fields each', 10_050, { extra: said.subarray(0, 2000) }],
])('a .zip with endless %s is refused by a server that goes on', async (_, count, more) => {
  const entries = Array.from({ length: count }, (_, index) => {
    const name = `${more.name ?? 'x'}${index}`
    return { content: '', compressed: false, ...more, name }
  })
  const manifest = { name: 'manifest.json', content: JSON.stringify(manifestOf(roomFiles)) }
  const content = craftZip([...entries, manifest])
  const sales = await network.as('CLOUD_SALES')
  expect(await refusalOf(sendFiles(network, 'uploadImport', [{ content }], sales))).toBe('422 Wrong file content')
  expect((await fetch(`${network.server.address}/healthz`)).status).toBe(200)
})
