/** Files: content, digest, ranges, and resuming a broken upload. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { digestHeader, fileInfo, sha256OfDigestHeader } from '../../files.ts'
import { regionBasePath } from '../../routes.ts'
import { type Check, CheckFailed, expectEqual, expectProblem, expectThat } from '../check.ts'
import { fetchFile } from '../content.ts'
import type { Region } from '../region-under-test.ts'
import { sourceOf } from '../source-of.ts'

export const fileChecks: Check[] = [
  // shows: region-files
  {
    name: 'a file comes back as it was sent, with Content-Length and Digest',
    page: 'files.md#downloads',
    run: async ({ client, raw, newId }) => {
      for (const size of [0, 1, 3_000_000]) {
        const id = newId()
        const bytes = randomBytes(size)
        const source = sourceOf(bytes)
        const info = await client.putFile(id, source)
        expectEqual([info.complete, info.size, info.sha256], [true, size, source.sha256], 'the file')
        const { status, headers, bytes: found } = await raw('GET', `/files/${id}`)
        expectEqual([status, Number(headers.get('content-length'))], [200, size], 'status and Content-Length')
        expectEqual(sha256OfDigestHeader(headers.get('digest')), source.sha256, 'Digest')
        expectThat(bytes.equals(found), 'the same content', found.length)
      }
    },
  },
  {
    name: 'the same file again is the same answer; another content under its id is refused with 409',
    page: 'files.md#uploads',
    run: async ({ client, raw, newId }) => {
      const id = newId()
      const source = sourceOf(randomBytes(1000))
      const first = await client.putFile(id, source)
      expectEqual(await client.putFile(id, source), first, 'the answer')
      const other = randomBytes(1000)
      const answer = await put(raw, id, other, { digest: digestHeader(sourceOf(other).sha256) })
      expectProblem(answer, 409, 'another content')
    },
  },
  {
    name: 'ids that differ in case, or of which one begins with the other, are those of different files',
    page: 'calls.md#callerid',
    run: async ({ client, newId }) => {
      const id = newId()
      const files = [id, id.replace('c', 'C'), `${id}.1`].map((each, at) => ({ id: each, bytes: randomBytes(50 + at) }))
      const isRemoving = await client.offers('deleteFile')
      try {
        for (const { id, bytes } of files) await client.putFile(id, sourceOf(bytes))
        if (isRemoving) await client.deleteFile(id)
        for (const { id, bytes } of isRemoving ? files.slice(1) : files)
          expectThat(bytes.equals(Buffer.concat(await (await client.getFile(id)).content.toArray())), 'its content', id)
      } finally {
        if (isRemoving) await Promise.all(files.map(({ id }) => client.deleteFile(id)))
      }
    },
  },
  {
    name: 'a removed file is gone, and its id can be used again; removing it once more is no failure',
    page: 'calls.md#delete-filesid',
    needs: ['deleteFile'],
    run: async ({ client, raw, newId }) => {
      const id = newId()
      await client.putFile(id, sourceOf(randomBytes(1000)))
      await client.deleteFile(id)
      await client.deleteFile(id)
      expectProblem(await raw('GET', `/files/${id}`), 404, 'the removed file')
      const info = await client.putFile(id, sourceOf(randomBytes(500)))
      expectEqual([info.complete, info.size], [true, 500], 'another content under its id')
    },
  },
  // shows: region-files-range
  {
    name: 'ranges of a file are given with 206, ranges beyond it refused with 416',
    page: 'files.md#downloads',
    run: async ({ client, raw, newId }) => {
      const id = newId()
      const bytes = randomBytes(1000)
      const { sha256 } = await client.putFile(id, sourceOf(bytes))
      const cases = [
        ['bytes=0-9', 0, 9],
        ['bytes=990-', 990, 999],
        ['bytes=-5', 995, 999],
        ['bytes=500-5000', 500, 999],
      ] as const
      for (const [range, first, last] of cases) {
        const answer = await raw('GET', `/files/${id}`, { headers: { range } })
        expectEqual(answer.status, 206, range)
        expectEqual(answer.headers.get('content-range'), `bytes ${first}-${last}/1000`, `${range}: Content-Range`)
        expectThat(bytes.subarray(first, last + 1).equals(answer.bytes), `${range}: these bytes`, answer.bytes.length)
      }
      const beyond = await raw('GET', `/files/${id}`, { headers: { range: 'bytes=1000-' } })
      expectProblem(beyond, 416, 'beyond the end')
      const stale = { range: 'bytes=5-', 'if-range': `"${'0'.repeat(64)}"` }
      expectEqual((await raw('GET', `/files/${id}`, { headers: stale })).status, 200, 'a stale If-Range')
      const fresh = { range: 'bytes=5-', 'if-range': `"${sha256}"` }
      expectEqual((await raw('GET', `/files/${id}`, { headers: fresh })).status, 206, 'a fresh If-Range')
    },
  },
  // shows: region-files-resume
  {
    name: 'an upload that broke off goes on where the region says',
    page: 'files.md#uploads',
    run: async (region) => {
      const { client, raw, newId } = region
      const id = newId()
      const bytes = randomBytes(2_000_000)
      const source = sourceOf(bytes)
      const received = await breakOff(region, id, bytes)
      const early = await put(raw, id, bytes.subarray(received + 1), {
        digest: digestHeader(source.sha256),
        'content-range': `bytes ${received + 1}-${bytes.length - 1}/${bytes.length}`,
      })
      expectProblem(early, 409, 'a gap')
      // A connection may break once more; then the client asks again where to go on.
      const openedAt = new Set<number>()
      const info = await client.putFile(id, {
        ...source,
        open: (first, signal) => {
          openedAt.add(first)
          return source.open(first, signal)
        },
      })
      expectEqual([info.complete, [...openedAt]], [true, [received]], 'complete, and where the client went on')
      expectThat(bytes.equals(await fetchFile(region, { file: id })), 'the content', null)
    },
  },
  // shows: region-files-digest
  {
    name: 'content that is not that of its Digest is refused with 422 and not kept',
    page: 'files.md#uploads',
    run: async ({ raw, newId }) => {
      const id = newId()
      const answer = await put(raw, id, randomBytes(100), { digest: digestHeader('0'.repeat(64)) })
      expectProblem(answer, 422, 'a wrong Digest')
      expectProblem(await raw('GET', `/files/${id}`), 404, 'the file')
    },
  },
  {
    name: 'uploads without a Digest, and ids that climb, are refused',
    page: 'files.md#uploads',
    run: async ({ raw, newId }) => {
      expectProblem(await put(raw, newId(), randomBytes(10), {}), 400, 'no Digest')
      const digest = digestHeader(sourceOf(new Uint8Array([1])).sha256)
      for (const id of ['..%2fx', '%2e%2e', '.hidden', 'a%00b']) {
        const { status } = await put(raw, id, new Uint8Array([1]), { digest })
        expectThat(status === 400 || status === 404, `400 or 404 for ${id}`, status)
      }
      expectProblem(await raw('GET', `/files/${newId()}`), 404, 'an unknown file')
    },
  },
]

function put(raw: Region['raw'], id: string, body: Uint8Array, headers: Record<string, string>) {
  return raw('PUT', `/files/${id}`, { headers: { 'content-type': 'application/octet-stream', ...headers }, body })
}

/** Sends half of a file and breaks the connection, repeatedly, until the region has kept some. @returns how much */
export async function breakOff({ target, authorization, raw }: Region, id: string, bytes: Buffer): Promise<number> {
  const digest = digestHeader(sourceOf(bytes).sha256)
  for (let wait = 20; wait < 10_000; wait *= 2) {
    const breaking = new AbortController()
    const content = async function* () {
      yield bytes.subarray(0, bytes.length / 2)
      await pause(wait)
      breaking.abort()
    }
    const upload = fetch(`${target.url}${regionBasePath}/files/${id}`, {
      method: 'PUT',
      signal: breaking.signal,
      headers: {
        authorization: await authorization(),
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.length),
        digest,
      },
      body: ReadableStream.from(content()),
      duplex: 'half',
    })
    await upload.catch(() => undefined)
    const asked = await put(raw, id, new Uint8Array(), { digest, 'content-range': `bytes */${bytes.length}` })
    const { received, complete } = fileInfo.parse(asked.json)
    expectThat(!complete && received < bytes.length, 'not yet the whole file', asked.json)
    if (received > 0) return received
  }
  throw new CheckFailed('expected that a part of a broken upload is kept, got nothing kept')
}
