/** Backups that a region sends straight to another one, with a ticket for a file whose content is not known in advance. */
import { randomBytes } from 'node:crypto'
import { digestAtEnd, digestHeader, ticketHeader } from '../../files.ts'
import { expectReads, readBackup } from '../backup.ts'
import { type Check, expectEqual, expectFailure, expectProblem, expectThat } from '../check.ts'
import { expectVector, fetchFile, roomWith } from '../content.ts'
import type { Region } from '../region-under-test.ts'
import { sourceOf } from '../source-of.ts'

export const straightBackupChecks: Check[] = [
  {
    name: 'a ticket takes one upload of its file, which ends with its digest, and nothing else',
    page: 'files.md#from-region-to-region',
    needs: ['receiveBackup'],
    run: async (region) => {
      const { newId, raw } = region
      const [id, bytes] = [newId(), randomBytes(100_000)]
      const ticket = await ticketFor(region, id, bytes.length)
      expectProblem(await send(region, { id: newId(), bytes, ticket }), 401, 'another file')
      expectProblem(await send(region, { id, bytes, ticket: `${ticket}x` }), 401, 'another ticket')
      const announced = { authorization: ticketHeader(ticket), digest: digestHeader(sourceOf(bytes).sha256) }
      const plain = { 'content-type': 'application/octet-stream', ...announced }
      expectProblem(await raw('PUT', `/files/${id}`, { headers: plain, body: bytes }), 401, 'an announced content')
      const headers = { authorization: ticketHeader(ticket) }
      expectProblem(await raw('GET', `/files/${id}`, { headers }), 401, 'reading')
      expectProblem(await raw('DELETE', `/files/${id}`, { headers }), 401, 'removing')
      expectProblem(await raw('GET', '/status', { headers }), 401, 'the status')
      const body = { sizeAtMost: bytes.length }
      expectProblem(await raw('POST', `/files/${id}/tickets`, { headers, body }), 401, 'a ticket')
      const taken = await send(region, { id, bytes, ticket })
      const { size, sha256 } = sourceOf(bytes)
      expectEqual(taken.json, { id, size, received: size, complete: true, sha256 }, 'the upload, after all that')
      const back = await fetchFile(region, { file: id })
      expectThat(bytes.equals(back), 'the content, without its digest', back.length)
      expectProblem(await send(region, { id, bytes, ticket }), 401, 'the same ticket again')
    },
  },
  {
    name: 'a session sends no file of unknown content',
    page: 'files.md#from-region-to-region',
    needs: ['receiveBackup'],
    run: async (region) => {
      const sent = { id: region.newId(), bytes: randomBytes(1000), authorization: await region.authorization() }
      expectProblem(await send(region, sent), 400, 'a session')
    },
  },
  {
    name: 'a call with a ticket raises no fence, so another region cannot have the calls of operations refused',
    page: 'files.md#from-region-to-region',
    needs: ['receiveBackup'],
    run: async (region) => {
      const { client, newRoom, newId } = region
      const [{ name, roomId }, operation, id, bytes] = [await newRoom(), newId(), newId(), randomBytes(1000)]
      const ticket = await ticketFor(region, id, bytes.length)
      const marked = { 'roomkeeper-operation': operation, 'roomkeeper-fence': '999999' }
      expectEqual((await send(region, { id, bytes, ticket, headers: marked })).status, 200, 'the upload')
      const mark = { key: `${operation}:1`, operation, fence: 1 }
      expectEqual((await client.suspendRoom(name, roomId, mark)).state, 'suspended', "the operation's own call")
    },
  },
  {
    name: 'of an upload that is too long, or whose digest is another or missing, nothing is kept',
    page: 'files.md#from-region-to-region',
    needs: ['receiveBackup'],
    run: async (region) => {
      const { raw, newId } = region
      const bytes = randomBytes(100_000)
      const nothing = Buffer.alloc(0)
      const { length } = bytes
      const wrong: [what: string, status: number, sizeAtMost: number, sent: Omit<Sent, 'id'>][] = [
        ['one byte too long', 413, length - 1, { bytes }],
        ['another digest', 422, length, { bytes, digest: randomBytes(32) }],
        ['no digest', 422, length, { bytes, digest: nothing }],
        ['less than a digest', 400, length, { bytes: nothing, digest: randomBytes(31) }],
      ]
      for (const [what, status, sizeAtMost, sent] of wrong) {
        const id = newId()
        const ticket = await ticketFor(region, id, sizeAtMost)
        expectProblem(await send(region, { ...sent, id, ticket }), status, what)
        expectProblem(await raw('GET', `/files/${id}`), 404, `the file, ${what}`)
      }
      const id = newId()
      const ticket = await ticketFor(region, id, 0)
      expectEqual((await send(region, { id, bytes: nothing, ticket })).status, 200, 'an empty file')
    },
  },
  {
    name: 'a file that is there is not replaced by an unknown one, and a removed one does not come back',
    page: 'files.md#from-region-to-region',
    needs: ['receiveBackup', 'deleteFile'],
    run: async (region) => {
      const { client, raw, newId } = region
      const [id, bytes] = [newId(), randomBytes(1000)]
      const tickets = [await ticketFor(region, id, 2000), await ticketFor(region, id, 2000)]
      await client.putFile(id, sourceOf(bytes))
      const other = { id, bytes: randomBytes(999) }
      expectProblem(await send(region, { ...other, ticket: tickets[0] ?? '' }), 409, 'another content')
      await client.deleteFile(id)
      expectProblem(await send(region, { ...other, ticket: tickets[1] ?? '' }), 401, 'after the removal')
      expectProblem(await raw('GET', `/files/${id}`), 404, 'the file')
    },
  },
  {
    name: 'a job packs a room straight into the files of a region that has given a ticket',
    page: 'files.md#from-region-to-region',
    needs: ['sendBackup', 'receiveBackup'],
    run: async (region) => {
      const { client, newId, target, raw } = region
      const { name, roomId, vector } = await roomWith(region, 'room.zip')
      const [id, file] = [newId(), newId()]
      const to = { url: target.url, file, ticket: await ticketFor(region, file, 100_000_000) }
      const digest = (await client.offers('digest')) ? ({ digest: true } as const) : {}
      const pack = { type: 'backupRoom' as const, room: name, roomId, ...digest }
      const made = await client.runJob(id, { ...pack, to })
      expectEqual(made.file, file, 'the file')
      if ('digest' in digest) expectEqual(made.digest, vector.digest, 'the digest')
      expectProblem(await raw('GET', `/files/${id}`), 404, 'a file of its own')
      expectReads((await readBackup(await fetchFile(region, made))).files, vector.reads, 'in what was sent')
      const same = await client.runJob(id, { ...pack, to: { ...to, ticket: 'another' } })
      expectEqual(same, made, 'the same job with another ticket')
      const told = await raw('GET', `/jobs/${id}`)
      expectThat(!Buffer.from(told.bytes).toString().includes(to.ticket), 'no ticket in the job', told.json)

      const copy = await roomWith(region, 'small.zip')
      await region.run({ type: 'restoreRoom', ...copy.own, file })
      await expectVector(region, copy.name, vector, 'once it is restored')
    },
  },
  {
    name: 'a backup that cannot be sent fails as what may pass, and leaves nothing',
    page: 'files.md#from-region-to-region',
    needs: ['sendBackup'],
    run: async ({ client, newRoom, newId, target, raw }) => {
      const { name, roomId } = await newRoom()
      const [id, file] = [newId(), newId()]
      const to = { url: target.url, file, ticket: 'a-ticket-that-nobody-has-given' }
      const job = client.runJob(id, { type: 'backupRoom', room: name, roomId, to })
      const failed = await expectFailure(job, null, 'a made-up ticket')
      expectThat(failed.isTransient, 'a failure that may pass', failed.status)
      const told = await raw('GET', `/jobs/${id}`)
      expectThat(!Buffer.from(told.bytes).toString().includes(to.ticket), 'no ticket in the job', told.json)
      for (const each of [id, file]) expectProblem(await raw('GET', `/files/${each}`), 404, 'a file')
    },
  },
]

async function ticketFor({ client }: Region, id: string, sizeAtMost: number): Promise<string> {
  return (await client.openUpload(id, { sizeAtMost })).ticket
}

interface Sent {
  id: string
  bytes: Buffer
  ticket?: string
  /** In place of the one with the ticket. */
  authorization?: string
  /** What follows the content; default: its SHA-256. */
  digest?: Buffer
  headers?: Record<string, string>
}

function send(
  { raw }: Region,
  { id, bytes, ticket = '', authorization = ticketHeader(ticket), digest, headers: more }: Sent,
) {
  const headers = {
    ...more,
    authorization,
    'content-type': 'application/octet-stream',
    [digestAtEnd.name]: digestAtEnd.value,
  }
  const end = digest ?? Buffer.from(sourceOf(bytes).sha256, 'hex')
  return raw('PUT', `/files/${id}`, { headers, body: new Uint8Array(Buffer.concat([bytes, end])) })
}
