/** Regions that treat files wrong: uploads, downloads, files of running jobs, and uploads with tickets. */
import { digestAtEnd, digestHeader, sha256OfDigestHeader } from '@roomkeeper/region-protocol'
import {
  also,
  answering,
  asConsole,
  cancelledInWords,
  ended,
  putFile,
  refusal,
  saying,
  sha256Of,
  telling,
} from './faults.ts'
import type { Answer, Call, Faults, WrongRegion } from './wrong-region.ts'

const comesBack = 'a file comes back as it was sent, with Content-Length and Digest'
const ranges = 'ranges of a file are given with 206, ranges beyond it refused with 416'
const goesOn = 'an upload that broke off goes on where the region says'
const wrongDigest = 'content that is not that of its Digest is refused with 422 and not kept'
const ticketOnce = 'a ticket takes one upload of its file, which ends with its digest, and nothing else'
const wrongEnd = 'of an upload that is too long, or whose digest is another or missing, nothing is kept'
const unsent = 'a backup that cannot be sent fails as what may pass, and leaves nothing'
const straight = 'a job packs a room straight into the files of a region that has given a ticket'
const followed = 'a file that is read while its job makes it is the one that the job makes, or does not end properly'

export const wrongFiles: WrongRegion[] = [
  {
    name: 'digest-in-hexadecimal',
    does: 'The Digest of a download is hexadecimal.',
    caughtBy: { [comesBack]: 'Digest' },
    faults: {
      getFile: withHeaders((headers) => ({
        ...headers,
        digest: `sha-256=${sha256OfDigestHeader(headers.digest ?? '')}`,
      })),
    },
  },
  {
    name: 'downloads-as-text',
    does: 'Bytes above 127 are lost in large downloads, because they pass through a text.',
    losesData: true,
    caughtBy: { [comesBack]: 'expected' },
    faults: {
      getFile: async (call) => {
        const answer = await call.pass()
        const { bytes } = answer
        return bytes !== undefined && bytes.length > 1
          ? { ...answer, bytes: Buffer.from(bytes.toString('ascii')) }
          : answer
      },
    },
  },
  {
    name: 'empty-files-refused',
    does: 'A file without a byte is refused.',
    caughtBy: { [comesBack]: '400' },
    faults: {
      putFile: async (call) =>
        call.headers['content-range'] === undefined && (await call.bytes()).length === 0
          ? refusal(400, 'malformed')
          : call.pass(),
    },
  },
  {
    name: 'files-overwritten',
    does: 'Another content replaces the file of its id.',
    losesData: true,
    caughtBy: {
      'the same file again is the same answer; another content under its id is refused with 409': 'another content',
    },
    faults: {
      putFile: async (call) => {
        const answer = await call.pass()
        if (answer.status !== 409) return answer
        await also(call, 'DELETE', `/files/${call.id}`)
        return call.pass()
      },
    },
  },
  {
    name: 'removed-files-stay',
    does: 'The removal of a file is answered, and the file stays.',
    caughtBy: {
      'a removed file is gone, and its id can be used again; removing it once more is no failure': 'the removed file',
    },
    faults: { deleteFile: saying(204) },
  },
  {
    name: 'removal-once',
    does: 'The removal of a file that is not there is 404.',
    caughtBy: { 'a removed file is gone, and its id can be used again; removing it once more is no failure': '404' },
    faults: {
      deleteFile: async (call) => {
        const found = await also(call, 'GET', `/files/${call.id}`)
        return found.status === 404 ? refusal(404, 'file-unknown') : call.pass()
      },
    },
  },
  {
    name: 'ranges-one-off',
    does: 'The last byte of a range is left out.',
    losesData: true,
    caughtBy: { [ranges]: 'these bytes' },
    faults: {
      getFile: async (call) => {
        const answer = await call.pass()
        return answer.status === 206 ? { ...answer, bytes: answer.bytes?.subarray(0, -1) ?? Buffer.alloc(0) } : answer
      },
    },
  },
  {
    name: 'ranges-ignored',
    does: 'A range is answered with the whole file.',
    caughtBy: { [ranges]: 'expected 206, got 200' },
    faults: { getFile: (call) => call.pass({ headers: { range: undefined } }) },
  },
  {
    name: 'ranges-beyond-end',
    does: 'A range beyond the end is answered with nothing.',
    caughtBy: { [ranges]: 'beyond the end' },
    faults: {
      getFile: async (call) => {
        const answer = await call.pass()
        return answer.status === 416 ? { status: 206, bytes: Buffer.alloc(0) } : answer
      },
    },
  },
  {
    name: 'if-range-ignored',
    does: 'A range of a file that is another by now is given all the same, so two files are mixed.',
    losesData: true,
    caughtBy: { [ranges]: 'a stale If-Range' },
    faults: { getFile: (call) => call.pass({ headers: { 'if-range': undefined } }) },
  },
  {
    name: 'uploads-begin-anew',
    does: 'Nothing is kept of an upload whose connection breaks.',
    caughtBy: { [goesOn]: 'a part of a broken upload is kept' },
    faults: { putFile: answering((file) => ({ ...file, received: file.complete ? file.received : 0 })) },
  },
  {
    name: 'uploads-spliced',
    does: 'An upload goes on at the place that the client names, so a gap is in the file.',
    losesData: true,
    caughtBy: { [goesOn]: 'a gap: the status: expected 409, got 200' },
    faults: {
      putFile: async (call) => {
        if (call.headers['content-range'] === undefined) return null
        const answer = await call.pass()
        const size = Number(/\/(\d+)$/.exec(call.headers['content-range'] ?? '')?.[1])
        return answer.status === 409 ? told(call, size) : answer
      },
    },
  },
  {
    name: 'damaged-uploads-kept',
    does: 'What arrives is kept, whatever the Digest says.',
    losesData: true,
    caughtBy: { [wrongDigest]: 'a wrong Digest: the status: expected 422, got 200' },
    faults: { putFile: keepingDamaged },
  },
  {
    name: 'refused-uploads-stay',
    does: 'An upload with another digest is refused, but its content can be read.',
    losesData: true,
    caughtBy: { [wrongDigest]: 'the file: the status: expected 404, got 200' },
    faults: {
      putFile: async (call) => {
        const answer = await call.pass()
        if (answer.status === 422) await keepingDamaged(call)
        return answer
      },
    },
  },
  {
    name: 'uploads-without-digest',
    does: 'An upload needs no Digest.',
    losesData: true,
    caughtBy: { 'uploads without a Digest, and ids that climb, are refused': 'no Digest' },
    faults: { putFile: async (call) => (call.headers.digest === undefined ? keepingDamaged(call) : call.pass()) },
  },
  {
    name: 'ids-hidden',
    does: 'An id of a file may begin with a dot.',
    caughtBy: { 'uploads without a Digest, and ids that climb, are refused': '.hidden' },
    faults: { putFile: (call) => call.pass({ url: call.url.replace('/.', '/') }) },
  },
  {
    name: 'followed-file-cut',
    does: 'The file of a running job ends properly before it is whole.',
    losesData: true,
    caughtBy: { [followed]: 'the whole file' },
    faults: { jobFile: async (call) => fileOfJob(call, -100) },
  },
  {
    name: 'cancelled-file-ends-well',
    does: 'A job that is said to be cancelled goes on, and its file ends properly.',
    caughtBy: { [followed]: 'whether the answer ended properly' },
    faults: cancelledInWords(),
  },
  {
    name: 'follows-what-has-ended',
    does: 'The file of a job that has ended is given as if the job still made it.',
    caughtBy: { 'of a job that has ended, or that is unknown, no file is followed': 'expected 409, got 200' },
    faults: { jobFile: async (call) => fileOfJob(call) },
  },
  {
    name: 'tickets-for-ever',
    does: 'A ticket can be used again.',
    caughtBy: { [ticketOnce]: 'the same ticket again: the status: expected 401, got 200' },
    faults: () => {
      const used = new Set<string>()
      return {
        putFile: async (call) => {
          const ticket = call.headers.authorization ?? ''
          const answer = await call.pass()
          if (answer.status === 401 && used.has(ticket)) return told(call, 0)
          if (answer.status === 200) used.add(ticket)
          return answer
        },
      }
    },
  },
  {
    name: 'tickets-for-any-file',
    does: 'A ticket for one file lets another be sent.',
    caughtBy: { [ticketOnce]: 'another file: the status: expected 401, got 200' },
    faults: () => {
      const given = new Set<string>()
      return {
        openUpload: answering(({ ticket }) => void given.add(`Ticket ${ticket}`)),
        putFile: async (call) => {
          const answer = await call.pass()
          return answer.status === 401 && given.has(call.headers.authorization ?? '') ? told(call, 0) : answer
        },
      }
    },
  },
  {
    name: 'tickets-read',
    does: 'A ticket lets its holder read the file.',
    caughtBy: { [ticketOnce]: 'reading: the status: expected 401, got 404' },
    faults: {
      getFile: async (call) =>
        call.headers.authorization?.startsWith('Ticket ') ? (await asConsole(call)).pass() : call.pass(),
    },
  },
  {
    name: 'unknown-content-without-ticket',
    does: 'A session can send a file whose digest comes at its end.',
    caughtBy: { 'a session sends no file of unknown content': 'a session: the status: expected 400, got 200' },
    faults: {
      putFile: async (call) => {
        const answer = await call.pass()
        const isUnknown = call.headers[digestAtEnd.name] !== undefined && answer.status === 400
        return isUnknown ? told(call, 0) : answer
      },
    },
  },
  {
    name: 'tickets-raise-fences',
    does: 'The fence of a call with a ticket counts, so another region can have the console refused.',
    caughtBy: {
      'a call with a ticket raises no fence, so another region cannot have the calls of operations refused':
        'overtaken',
    },
    faults: {
      putFile: async (call) => {
        const { 'roomkeeper-operation': operation, 'roomkeeper-fence': fence } = call.headers
        const fences = [{ operation, fence: Number(fence) }]
        if (operation !== undefined) await also(await asConsole(call), 'PUT', '/fences', { fences })
        return call.pass()
      },
    },
  },
  {
    name: 'longer-than-allowed',
    does: 'An upload with a ticket may be of any size.',
    caughtBy: { [wrongEnd]: 'one byte too long: the status: expected 413, got 200' },
    faults: endingAnyhow(413),
  },
  {
    name: 'digest-at-end-ignored',
    does: 'The digest at the end of an upload is cut off, and not looked at.',
    losesData: true,
    caughtBy: { [wrongEnd]: 'another digest: the status: expected 422, got 200' },
    faults: endingAnyhow(422),
  },
  {
    name: 'tickets-replace-files',
    does: 'An upload with a ticket replaces the file that is there.',
    losesData: true,
    caughtBy: {
      'a file that is there is not replaced by an unknown one, and a removed one does not come back': 'another content',
    },
    faults: endingAnyhow(409),
  },
  {
    name: 'tickets-outlive-files',
    does: 'A ticket goes on when its file is removed, so what was removed comes back.',
    caughtBy: {
      'a file that is there is not replaced by an unknown one, and a removed one does not come back':
        'after the removal',
    },
    faults: endingAnyhow(401),
  },
  {
    name: 'tickets-in-jobs',
    does: 'The log of a job has the ticket of the other region.',
    caughtBy: { [straight]: 'no ticket in the job', [unsent]: 'no ticket in the job' },
    faults: () => {
      const tickets = new Map<string, string>()
      const shown = telling('backupRoom', (job) => {
        const text = `Sent with the ticket ${tickets.get(job.id)}.`
        job.lines = [{ n: 1, at: new Date().toISOString(), level: 'info', text }]
      })
      return {
        ...shown,
        startJob: async (call, behind) => {
          const { to } = await call.json()
          if (to !== undefined && !tickets.has(call.id)) tickets.set(call.id, to.ticket)
          return shown.startJob?.(call, behind) ?? call.pass()
        },
      }
    },
  },
  {
    name: 'tickets-are-input',
    does: 'The same job with another ticket counts as another job.',
    caughtBy: { [straight]: '409' },
    faults: (behind) => ({
      startJob: async (call) => {
        const { to } = await call.json()
        if (to !== undefined && behind.marked.has(call.id)) return refusal(409, 'job-differs')
        behind.marked.add(call.id)
        return ended(call)
      },
    }),
  },
  {
    name: 'sent-and-kept',
    does: 'A backup that goes straight to another region is stored here, too.',
    caughtBy: { [straight]: 'a file of its own' },
    faults: {
      startJob: async (call) => {
        const answer = await ended(call)
        const { to } = await call.json()
        if (to !== undefined) await putFile(call, call.id, Buffer.from('a backup'))
        return answer
      },
    },
  },
  {
    name: 'unsent-for-good',
    does: 'A backup that could not be sent fails with 422, so the console does not try again.',
    caughtBy: { [unsent]: 'a failure that may pass' },
    faults: telling('backupRoom', (job) => {
      if (job.state === 'failed') job.error.status = 422
    }),
  },
  {
    name: 'unsent-is-done',
    does: 'A backup that the other region did not take counts as done.',
    losesData: true,
    caughtBy: { [unsent]: 'expected a failure' },
    faults: telling('backupRoom', (job) => {
      const result = { file: job.id, size: 1, sha256: '0'.repeat(64) }
      return job.state === 'failed' ? { ...job, state: 'done', progress: 1, error: null, result } : job
    }),
  },
]

function withHeaders(change: (headers: Record<string, string>) => Record<string, string>) {
  return async (call: Call): Promise<Answer> => {
    const answer = await call.pass()
    return { ...answer, headers: change(answer.headers ?? {}) }
  }
}

/** The whole file is said to be there. */
function told(call: Call, size: number): Answer {
  const sha256 = sha256OfDigestHeader(call.headers.digest ?? '') ?? '0'.repeat(64)
  return { status: 200, json: { id: call.id, size, received: size, complete: true, sha256 } }
}

async function keepingDamaged(call: Call): Promise<Answer> {
  return call.pass({ headers: { digest: digestHeader(sha256Of(await call.bytes())) } })
}

/** The file of a job, as if it were still being made. */
async function fileOfJob(call: Call, end?: number): Promise<Answer> {
  while ((await also(call, 'GET', `/jobs/${call.id}?wait=10000`)).json.state === 'running');
  const file = await also(call, 'GET', `/files/${call.id}`)
  return file.status === 200 ? { status: 200, bytes: file.bytes?.subarray(0, end) ?? Buffer.alloc(0) } : call.pass()
}

/** Uploads with a ticket that the reference refuses with this status are said to be taken. */
function endingAnyhow(status: number): Faults {
  return {
    putFile: async (call) => {
      const answer = await call.pass()
      const hasTicket = call.headers[digestAtEnd.name] !== undefined
      return hasTicket && answer.status === status ? told(call, (await call.bytes()).length - 32) : answer
    },
  }
}
