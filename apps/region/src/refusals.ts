/** Every expected failure by its code, with status and text. Any other error is a bug: 500 without details. */
import type { RegionProblem } from '@roomkeeper/region-protocol'

const row = (status: number, title: string, detail: string) => ({ status, title, detail })

/** `{name}` in a text is replaced by the refusal's field `name`. */
const refusals = {
  malformed: row(400, 'Malformed request', '{reason}'),
  'invalid-input': row(400, 'Invalid input', '{reason}'),
  'wrong-credentials': row(401, 'Wrong credentials', 'Wrong user name or password.'),
  'signed-out': row(401, 'Not signed in', 'The session is over or was never opened.'),
  'object-store-refused': row(403, 'Refused by the object store', 'The object store refused {what}.'),
  'room-suspended': row(403, 'Room suspended', 'The project room {room} is suspended.'),
  'room-expired': row(403, 'Room expired', 'The project room {room} was valid until {day}.'),
  'wrong-system-password': row(403, 'Wrong system password', 'The system password is wrong.'),
  'no-such-call': row(404, 'Not found', 'There is no such call.'),
  'room-unknown': row(404, 'Unknown room', 'There is no project room named {room} on this region.'),
  'user-unknown': row(404, 'Unknown user', 'The project room {room} has no such user.'),
  'database-unknown': row(404, 'Unknown database', 'There is no database named {database}.'),
  'document-unknown': row(404, 'Unknown document', 'There is no such document.'),
  'job-unknown': row(404, 'Unknown job', 'There is no such job on this region.'),
  'content-gone': row(404, 'Content gone', 'What the project room {room} held before is not kept any more.'),
  'file-unknown': row(404, 'Unknown file', 'There is no such file on this region.'),
  'object-unknown': row(
    404,
    'Unknown object',
    'The object store has no object {key} in a bucket {bucket}, or no such bucket.',
  ),
  'too-slow': row(408, 'Too slow', 'The content hardly got on: the upload was given up.'),
  'room-damaged': row(
    409,
    'Room damaged',
    'The project room {room} is on this region but cannot be read: {reason}. Its folder has to be looked at.',
  ),
  'room-differs': row(409, 'Another room', 'The project room {room} of this region has another roomId.'),
  'room-exists': row(409, 'Room exists', 'The project room {room} exists and was created with other values.'),
  'product-not-served': row(409, 'Product not served', 'This region does not serve {product}.'),
  'locked-by-another': row(409, 'Locked by another', 'The project room {room} is locked by another holder.'),
  'owner-kept': row(409, 'Owner of a room', 'The owner of the project room {room} cannot be deleted.'),
  'database-exists': row(409, 'Database exists', 'A database named {database} already exists.'),
  'no-documents': row(409, 'No documents', 'The database {database} was imported and holds no documents.'),
  'job-differs': row(409, 'Job id in use', 'This job id was used before for another job.'),
  'job-has-ended': row(409, 'Job ended', 'The job has ended: its file is read like any other.'),
  'file-not-begun': row(409, 'File not begun', 'The job has not begun to write a file that could be read meanwhile.'),
  'file-exists': row(409, 'File id in use', 'This file id was used before for another content.'),
  'file-incomplete': row(409, 'File incomplete', 'The file has not arrived completely.'),
  'range-mismatch': row(409, 'Wrong range', 'The content must go on at byte {received}.'),
  'upload-overtaken': row(409, 'Upload overtaken', 'Another upload of this file has taken over.'),
  overtaken: row(409, 'Overtaken', 'A newer worker has taken this operation over.'),
  cancelled: row(409, 'Cancelled', 'The job was cancelled.'),
  'length-required': row(411, 'Length required', 'Please send Content-Length.'),
  'too-large': row(413, 'Too large', 'The request is too large.'),
  'wrong-media-type': row(415, 'Wrong media type', 'Please send {expected}.'),
  'wrong-range': row(416, 'Wrong range', 'The file has {size} bytes.'),
  'digest-mismatch': row(422, 'Wrong digest', 'The content that arrived is not that of its digest.'),
  'wrong-password': row(422, 'Wrong password', 'The password of the database export is wrong.'),
  'damaged-file': row(422, 'Damaged file', 'The file is damaged: {reason}'),
  'wrong-content': row(422, 'Wrong file content', 'Wrong file content: {reason}'),
  'takes-too-long': row(
    422,
    'Takes too long',
    'Looking at the content took longer than {seconds} seconds: it was given up.',
  ),
  'takes-too-much': row(
    422,
    'Takes too much memory',
    'Looking at the content took more memory than the region has for it: it was given up.',
  ),
  'reading-fails': row(
    422,
    'Reading fails',
    'Looking at the content ended the process that did it: it is damaged, or made to do harm.',
  ),
  'product-differs': row(
    422,
    'Another product',
    'The backup is of the product {found}, the project room of {expected}.',
  ),
  'schema-too-new': row(
    422,
    'Backup too new',
    'The backup has schema version {found}, this region knows up to {known}.',
  ),
  'room-locked': row(423, 'Room locked', 'The project room {room} is locked: it can be read but not changed.'),
  'too-many-attempts': row(429, 'Too many attempts', 'Too many failed sign-ins. Please try again in a minute.'),
  internal: row(500, 'Internal error', 'The region could not do this.'),
  'object-differs': row(502, 'Wrong object', 'What was read back from the object store is not what was written to it.'),
  'file-not-sent': row(502, 'File not sent', 'The other region did not take the file: {reason}'),
  interrupted: row(503, 'Interrupted', 'The region was restarted while the job ran.'),
  unfinished: row(503, 'Unfinished', '{what}: the job has to be started again.'),
  'object-store-unreachable': row(
    503,
    'Object store not reachable',
    'The object store cannot be reached, or cannot answer now ({reason}).',
  ),
  'sandbox-killed': row(503, 'Killed', 'The process that did the work was killed, perhaps because memory was short.'),
  fault: row(503, 'Injected fault', 'A test asked for this failure.'),
  'storage-full': row(507, 'Storage full', 'There is no space left on the storage of the region.'),
} as const
export type RefusalCode = keyof typeof refusals

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly problem: RegionProblem
  readonly fields: Record<string, string | number>
  constructor(code: RefusalCode, fields: Record<string, string | number>) {
    const problem = problemOf(code, fields)
    super(problem.detail)
    this.code = code
    this.problem = problem
    this.fields = fields
  }
}

/** `throw refuse('room-unknown', { room })` */
export function refuse(code: RefusalCode, fields: Record<string, string | number> = {}): Refusal {
  return new Refusal(code, fields)
}

export function problemOf(code: RefusalCode, fields: Record<string, string | number> = {}): RegionProblem {
  const { status, title, detail } = refusals[code]
  const text = detail.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name] ?? ''))
  return { type: `urn:roomkeeper-region:${code}`, title, status, detail: text }
}

/** The refusal that answers any error: a refusal itself, a full disk with 507, a bug with 500 without details. */
export function refusalOfError(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (storageIsFull(error)) return refuse('storage-full')
  return refuse('internal')
}

/** The file system's codes, SQLITE_FULL (13, in the low byte of the code) and SQLITE_IOERR_SHMSIZE (4874). */
function storageIsFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  if (code === 'ENOSPC' || code === 'EDQUOT') return true
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && ((errcode & 0xff) === 13 || errcode === 4874)
}
