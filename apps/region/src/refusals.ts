/** Every expected failure by its code, with status and text. Any other error is a bug: 500 without details. */
import { type RegionCode, type RegionProblem, refusalTypePrefix, regionCodes } from '@roomkeeper/region-protocol'

const row = (title: string, detail: string) => ({ title, detail })

/** `{name}` in a text is replaced by the refusal's field `name`. */
const texts = {
  malformed: row('Malformed request', '{reason}'),
  'invalid-input': row('Invalid input', '{reason}'),
  'wrong-credentials': row('Wrong credentials', 'Wrong user name or password.'),
  'signed-out': row('Not signed in', 'The session is over or was never opened.'),
  'object-store-refused': row('Object store not usable', '{what}.'),
  'room-suspended': row('Room suspended', 'The project room {room} is suspended.'),
  'room-expired': row('Room expired', 'The project room {room} was valid until {day}.'),
  'wrong-system-password': row('Wrong system password', 'The system password is wrong.'),
  'no-such-call': row('Not found', 'There is no such call.'),
  'room-unknown': row('Unknown room', 'There is no project room named {room} on this region.'),
  'user-unknown': row('Unknown user', 'The project room {room} has no such user.'),
  'database-unknown': row('Unknown database', 'There is no database named {database}.'),
  'document-unknown': row('Unknown document', 'There is no such document.'),
  'job-unknown': row('Unknown job', 'There is no such job on this region.'),
  'content-gone': row('Content gone', 'What the project room {room} held before is not kept any more.'),
  'file-unknown': row('Unknown file', 'There is no such file on this region.'),
  'object-unknown': row(
    'Unknown object',
    'The object store has no object {key} in a bucket {bucket}, or no such bucket.',
  ),
  'too-slow': row('Too slow', 'The content hardly got on: the upload was given up.'),
  'room-damaged': row(
    'Room damaged',
    'The project room {room} is on this region but cannot be read: {reason}. Its folder has to be looked at.',
  ),
  'room-differs': row('Another room', 'The project room {room} of this region has another roomId.'),
  'room-exists': row('Room exists', 'The project room {room} exists and was created with other values.'),
  'product-not-served': row('Product not served', 'This region does not serve {product}.'),
  'locked-by-another': row('Locked by another', 'The project room {room} is locked by another holder.'),
  'owner-kept': row('Owner of a room', 'The owner of the project room {room} cannot be deleted.'),
  'database-exists': row('Database exists', 'A database named {database} already exists.'),
  'no-documents': row('No documents', 'The database {database} was imported and holds no documents.'),
  'job-differs': row('Job id in use', 'This job id was used before for another job.'),
  'job-has-ended': row('Job ended', 'The job has ended: its file is read like any other.'),
  'file-not-begun': row('File not begun', 'The job has not begun to write a file that could be read meanwhile.'),
  'file-exists': row('File id in use', 'This file id was used before for another content.'),
  'file-incomplete': row('File incomplete', 'The file has not arrived completely.'),
  'range-mismatch': row('Wrong range', 'The content must go on at byte {received}.'),
  'upload-overtaken': row('Upload overtaken', 'Another upload of this file has taken over.'),
  overtaken: row('Overtaken', 'A newer worker has taken this operation over.'),
  cancelled: row('Cancelled', 'The job was cancelled.'),
  'length-required': row('Length required', 'Please send Content-Length.'),
  'too-large': row('Too large', 'The request is too large.'),
  'wrong-media-type': row('Wrong media type', 'Please send {expected}.'),
  'wrong-range': row('Wrong range', 'The file has {size} bytes.'),
  'digest-mismatch': row('Wrong digest', 'The content that arrived is not that of its digest.'),
  'wrong-password': row('Wrong password', 'The password of the database export is wrong.'),
  'damaged-file': row('Damaged file', 'The file is damaged: {reason}'),
  'wrong-content': row('Wrong file content', 'Wrong file content: {reason}'),
  'takes-too-long': row(
    'Takes too long',
    'Looking at the content took longer than {seconds} seconds: it was given up.',
  ),
  'takes-too-much': row(
    'Takes too much memory',
    'Looking at the content took more memory than the region has for it: it was given up.',
  ),
  'reading-fails': row(
    'Reading fails',
    'Looking at the content ended the process that did it: it is damaged, or made to do harm.',
  ),
  'product-differs': row('Another product', 'The backup is of the product {found}, the project room of {expected}.'),
  'schema-too-new': row('Backup too new', 'The backup has schema version {found}, this region knows up to {known}.'),
  'room-locked': row('Room locked', 'The project room {room} is locked: it can be read but not changed.'),
  'too-many-attempts': row('Too many attempts', 'Too many failed sign-ins. Please try again in a minute.'),
  internal: row('Internal error', 'The region could not do this.'),
  'object-differs': row('Wrong object', 'What was read back from the object store is not what was written to it.'),
  'file-not-sent': row('File not sent', 'The other region did not take the file: {reason}'),
  interrupted: row('Interrupted', 'The region was restarted while the job ran.'),
  unfinished: row('Unfinished', '{what}: the job has to be started again.'),
  'object-store-unreachable': row(
    'Object store not reachable',
    'The object store cannot be reached, or cannot answer now ({reason}).',
  ),
  'sandbox-killed': row('Killed', 'The process that did the work was killed, perhaps because memory was short.'),
  fault: row('Injected fault', 'A test asked for this failure.'),
  'storage-full': row('Storage full', 'There is no space left on the storage of the region.'),
} as const satisfies Record<RegionCode, ReturnType<typeof row>> & Record<string, ReturnType<typeof row>>
export type RefusalCode = keyof typeof texts

/** Those of the data plane and of tests are no part of the protocol. */
const statuses: Record<RefusalCode, { status: number }> = {
  ...regionCodes,
  'document-unknown': { status: 404 },
  'no-documents': { status: 409 },
  fault: { status: 503 },
}

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
  const { title, detail } = texts[code]
  const { status } = statuses[code]
  const text = detail.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name] ?? ''))
  return { type: `${refusalTypePrefix}${code}`, title, status, detail: text }
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
