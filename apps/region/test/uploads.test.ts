import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { sourceOf } from '@roomkeeper/region-protocol/conformance'
import { afterEach, expect, test } from 'vitest'
import type { FileCall } from '#disk/files.ts'
import { setFaults } from './injected-faults.ts'
import { eventually, type RegionProcess, startRegion } from './region-process.ts'
import { uploadHeaders } from './upload-headers.ts'

const regions: RegionProcess[] = []
afterEach(async () => {
  for (const region of regions.splice(0)) await region.remove()
})

const content = randomBytes(5_000_000)

/** Sends more than half of the content and breaks the connection when the region has written some of it. */
async function breakOff(region: RegionProcess, id: string): Promise<void> {
  const headers = await uploadHeaders(region.url, content)
  const upload = request(`${region.url}/region/v1/files/${id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-length': content.length },
  })
  upload.on('error', () => undefined)
  upload.write(content.subarray(0, 3_000_000))
  await eventually(async () => {
    const calls = (await (await fetch(`${region.url}/faults/files`)).json()) as FileCall[]
    return calls.some(({ call, path }) => call === 'write' && path.endsWith(`/${id}/part`))
  })
  await new Promise((resolve) => upload.once('close', resolve).destroy())
}

/** How many bytes count as received. */
async function received(region: RegionProcess, id: string): Promise<number> {
  const answer = await fetch(`${region.url}/region/v1/files/${id}`, {
    method: 'PUT',
    headers: { ...(await uploadHeaders(region.url, content)), 'content-range': `bytes */${content.length}` },
    body: '',
  })
  return ((await answer.json()) as { received: number }).received
}

test('of an upload that broke off only what is on disk counts as received', async () => {
  const region = await startRegion()
  regions.push(region)
  await breakOff(region, 'synced')
  expect(await received(region, 'synced')).toBeGreaterThanOrEqual(1_000_000)

  await setFaults(region, [{ file: 'sync', path: '/not-synced/part', action: 'EIO' }])
  await breakOff(region, 'not-synced')
  expect(await received(region, 'not-synced')).toBe(0)
  for (const id of ['synced', 'not-synced'])
    expect((await region.client.putFile(id, sourceOf(content))).complete).toBe(true)
})

test('after a kill an upload goes on at what was on disk', async () => {
  const region = await startRegion()
  regions.push(region)
  await breakOff(region, 'broken')
  const there = await received(region, 'broken')
  await region.kill()
  const next = await region.again()
  regions.push(next)
  expect(await received(next, 'broken')).toBe(there)
  expect((await next.client.putFile('broken', sourceOf(content))).complete).toBe(true)
})

test('a call without the media type that it needs is told which one that is', async () => {
  const region = await startRegion()
  regions.push(region)
  const { authorization = '', digest = '' } = await uploadHeaders(region.url, content)
  const told = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | Uint8Array<ArrayBuffer>,
  ) => {
    const options = { method, headers: { authorization, ...headers }, body }
    const answer = await fetch(`${region.url}/region/v1/${path}`, options)
    const { type, detail } = (await answer.json()) as { type: string; detail: string }
    return [answer.status, type, detail]
  }
  const refused = (expected: string) => [415, 'urn:roomkeeper-region:wrong-media-type', `Please send ${expected}.`]
  const file = refused('application/octet-stream')
  // A body of bytes has no media type of its own.
  const bytes = new Uint8Array(10)
  expect(await told('PUT', 'files/a', { digest }, bytes)).toEqual(file)
  expect(await told('PUT', 'files/a', { digest, 'content-type': 'application/zip' }, bytes)).toEqual(file)
  expect(await told('PUT', 'files/a', { digest, 'content-type': 'application/json' }, '{}')).toEqual(file)
  const json = refused('application/json')
  expect(await told('POST', 'files/a/tickets', { 'content-type': 'text/xml' }, '{"sizeAtMost":1}')).toEqual(json)
  expect(await told('PUT', 'rooms/files', {}, bytes)).toEqual(json)
})
