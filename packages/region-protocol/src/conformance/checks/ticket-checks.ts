/** Tickets: a region takes a file from another region that has a ticket for it, and from nobody else without a session. */
import { randomBytes } from 'node:crypto'
import { RegionJobFailed } from '../../client/errors.ts'
import { digestHeader, ticketHeader } from '../../files.ts'
import { type Check, expectEqual, expectProblem, expectThat, type Region } from '../check.ts'
import { sourceOf } from './source-of.ts'

export const ticketChecks: Check[] = [
  {
    name: 'a ticket takes one upload of the file that it was given for',
    run: async (region) => {
      const { client, newId } = region
      const [id, bytes] = [newId(), randomBytes(100_000)]
      const ticket = await ticketFor(region, id, bytes)
      expectEqual((await send(region, { id, bytes, ticket })).status, 200, 'the upload')
      expectThat(bytes.equals(Buffer.concat(await (await client.getFile(id)).content.toArray())), 'the content', null)
      expectProblem(await send(region, { id, bytes, ticket }), 401, 'the same ticket again')
      const next = await client.openUpload(id, sourceOf(bytes))
      expectEqual(next?.complete, true, 'complete, for a file that is there')
    },
  },
  {
    name: 'a ticket for one file takes no other, no other content, and nothing else',
    run: async (region) => {
      const { newId, raw } = region
      const [id, bytes] = [newId(), randomBytes(1000)]
      const ticket = await ticketFor(region, id, bytes)
      expectProblem(await send(region, { id: newId(), bytes, ticket }), 401, 'another file')
      expectProblem(await send(region, { id, bytes: randomBytes(1000), ticket }), 401, 'another content')
      expectProblem(await send(region, { id, bytes: randomBytes(999), ticket }), 401, 'another size')
      expectProblem(await send(region, { id, bytes, ticket: `${ticket}x` }), 401, 'another ticket')
      const headers = { authorization: ticketHeader(ticket) }
      expectProblem(await raw('GET', `/files/${id}`, { headers }), 401, 'reading')
      expectProblem(await raw('DELETE', `/files/${id}`, { headers }), 401, 'removing')
      expectProblem(await raw('GET', '/status', { headers }), 401, 'the status')
      expectProblem(await raw('POST', `/files/${id}/tickets`, { headers, body: sourceOf(bytes) }), 401, 'a ticket')
      expectEqual((await send(region, { id, bytes, ticket })).status, 200, 'the upload, after all that')
    },
  },
  {
    name: 'a ticket ends when its file is removed, so nobody can bring the file back',
    run: async (region) => {
      const { client, newId, raw } = region
      const [id, other, bytes] = [newId(), newId(), randomBytes(1000)]
      const tickets = [await ticketFor(region, id, bytes), await ticketFor(region, id, bytes)]
      const ticketOfOther = await ticketFor(region, other, bytes)
      expectEqual((await send(region, { id, bytes, ticket: tickets[0] ?? '' })).status, 200, 'the upload')
      await client.deleteFile(id)
      for (const ticket of tickets) expectProblem(await send(region, { id, bytes, ticket }), 401, 'after the removal')
      expectProblem(await raw('GET', `/files/${id}`), 404, 'the file')
      expectEqual((await send(region, { id: other, bytes, ticket: ticketOfOther })).status, 200, 'another file')
    },
  },
  {
    name: 'a call with a ticket raises no fence, so another region cannot have the calls of operations refused',
    run: async (region) => {
      const { client, newRoom, newId } = region
      const [{ name, roomId }, operation, id, bytes] = [await newRoom(), newId(), newId(), randomBytes(1000)]
      const ticket = await ticketFor(region, id, bytes)
      const marked = { 'roomkeeper-operation': operation, 'roomkeeper-fence': '999999' }
      const asked = await send(region, { id, bytes: Buffer.alloc(0), of: bytes, ticket, headers: marked })
      expectEqual(asked.status, 200, 'the question how much has arrived')
      expectEqual((await send(region, { id, bytes, ticket, headers: marked })).status, 200, 'the upload')
      const mark = { key: `${operation}:1`, operation, fence: 1 }
      expectEqual((await client.suspendRoom(name, roomId, mark)).state, 'suspended', "the operation's own call")
    },
  },
  {
    name: 'a job sends a file to a region that has given a ticket for it',
    run: async (region) => {
      const { client, newRoom, newId, target } = region
      const { name, roomId } = await newRoom()
      const made = await client.runJob(newId(), { type: 'backupRoom', room: name, roomId })
      const file = newId()
      const opened = await client.openUpload(file, made)
      const to = { url: target.url, file, ticket: opened?.ticket ?? '' }
      const job = { type: 'sendFile' as const, room: name, roomId, file: made.file, to }
      const { size, sha256 } = made
      expectEqual(await client.runJob(newId(), job), { size, sha256 }, 'the result')
      const read = async (id: string) => Buffer.concat(await (await client.getFile(id)).content.toArray())
      expectThat((await read(file)).equals(await read(made.file)), 'the same content', null)
    },
  },
  {
    name: 'a job that sends a file with a wrong ticket fails as what may pass, and its log does not tell the ticket',
    run: async ({ client, raw, newRoom, newId, target }) => {
      const { name, roomId } = await newRoom()
      const made = await client.runJob(newId(), { type: 'backupRoom', room: name, roomId })
      const id = newId()
      const to = { url: target.url, file: newId(), ticket: 'a-ticket-that-nobody-has-given' }
      const failed = await client
        .runJob(id, { type: 'sendFile', room: name, roomId, file: made.file, to })
        .catch((error: unknown) => error)
      expectThat(failed instanceof RegionJobFailed && failed.isTransient, 'a failure that may pass', failed)
      const told = await raw('GET', `/jobs/${id}`)
      expectThat(!Buffer.from(told.bytes).toString().includes(to.ticket), 'no ticket in the job', told.json)
      expectProblem(await raw('GET', `/files/${to.file}`), 404, 'the file')
    },
  },
]

async function ticketFor({ client }: Region, id: string, bytes: Buffer): Promise<string> {
  const { size, sha256 } = sourceOf(bytes)
  const opened = await client.openUpload(id, { size, sha256 })
  expectEqual(opened?.complete, false, 'complete, for a file that is not there')
  return opened?.ticket ?? ''
}

interface Sent {
  id: string
  bytes: Buffer
  ticket: string
  /** The whole content, of which the request only asks how much has arrived. */
  of?: Buffer
  headers?: Record<string, string>
}

function send({ raw }: Region, { id, bytes, ticket, of, headers: more = {} }: Sent) {
  const headers = {
    ...more,
    ...(of === undefined ? {} : { 'content-range': `bytes */${of.length}` }),
    authorization: ticketHeader(ticket),
    'content-type': 'application/octet-stream',
    digest: digestHeader(sourceOf(of ?? bytes).sha256),
  }
  return raw('PUT', `/files/${id}`, { headers, body: new Uint8Array(bytes) })
}
