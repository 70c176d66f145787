/** Files of regions that send more than they announced. */
import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { RegionRefusal } from '@roomkeeper/region-protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { digestOf, type LyingRegion, pour, startLyingRegion } from './lying-region.ts'

let region: LyingRegion
afterEach(() => region.stop())

describe('a region that sends more than it announced', () => {
  test('by compression is refused before anything is taken, and is asked for none', async () => {
    const content = Buffer.alloc(20_000_000)
    const sent = gzipSync(gzipSync(content))
    let asked = ''
    region = await startLyingRegion((request, answer) => {
      asked = String(request.headers['accept-encoding'])
      const headers = { 'content-length': sent.length, digest: digestOf(content), 'content-encoding': 'gzip, gzip' }
      answer.writeHead(200, headers).end(sent)
    })
    const opened = region.newClient().getFile('file')
    await expect(opened).rejects.toMatchObject({ name: 'RegionRefusal', status: 502 })
    expect(asked).toBe('identity')
  })

  test('in the rest after a broken connection is not taken beyond its end', async () => {
    const content = randomBytes(1000)
    let answers = 0
    let surplus = () => 0
    region = await startLyingRegion((_, answer) => {
      answers += 1
      if (answers === 1) {
        answer.writeHead(200, { 'content-length': content.length, digest: digestOf(content) })
        answer.write(content.subarray(0, 500), () => answer.destroy())
        return
      }
      answer.writeHead(206, { 'content-length': 500_000_000 })
      surplus = pour(answer, 500_000_000)
    })
    const { content: found, size } = await region.newClient().getFile('file')
    let taken = 0
    const reading = (async () => {
      for await (const chunk of found) taken += chunk.length
    })()
    await expect(reading).rejects.toBeInstanceOf(RegionRefusal)
    expect([size, answers]).toEqual([1000, 2])
    expect(taken).toBeLessThanOrEqual(1000)
    expect(surplus()).toBeLessThan(100_000_000)
  })

  test('than the file that it had made is not opened', async () => {
    const content = randomBytes(1000)
    region = await startLyingRegion((_, answer) => {
      answer.writeHead(200, { 'content-length': content.length, digest: digestOf(content) }).end(content)
    })
    const sha256 = createHash('sha256').update(content).digest('hex')
    const client = region.newClient()
    const refused = { name: 'RegionRefusal', passing: false }
    await expect(client.getFile('file', { size: 999, sha256 })).rejects.toMatchObject(refused)
    await expect(client.getFile('file', { size: 1000, sha256: '0'.repeat(64) })).rejects.toMatchObject(refused)
    const { content: same } = await client.getFile('file', { size: 1000, sha256 })
    expect(Buffer.concat(await same.toArray())).toEqual(content)
  })
})
