/**
 * The codes of refusals: what follows `urn:roomkeeper-region:` in the type of a problem. docs/region/errors.md is made
 * from this table.
 */

interface Code {
  status: number
  /** When a region answers it, in Markdown. */
  when: string
  /** What the console does because of the code; otherwise it goes by the status alone. */
  console?: string
}

const code = (status: number, when: string, console?: string): Code => ({
  status,
  when,
  ...(console === undefined ? {} : { console }),
})

const notUsable =
  'Tells the operator that the file cannot be used, with the `detail`. A test marks the backup as damaged.'

export const regionCodes = {
  malformed: code(400, 'The JSON, or a header, cannot be read.'),
  'invalid-input': code(
    400,
    'A field of path, query, body or fence headers is missing or out of bounds; `detail` names it.',
  ),
  'wrong-credentials': code(
    401,
    'Sign-in with a wrong user name or password.',
    'Marks the region: it refuses the login.',
  ),
  'signed-out': code(
    401,
    'The token is missing, unknown or over. A ticket: used, over, of another file, or in another call than its upload.',
    'Signs in again and repeats the call once.',
  ),
  'object-store-refused': code(
    403,
    'Wrong credentials, a certificate that is not trusted, or a request that the object store never takes.',
  ),
  'room-suspended': code(403, 'A session in a suspended room.'),
  'room-expired': code(403, 'A session in a room whose last day has passed.'),
  'wrong-system-password': code(
    403,
    '`updateSystemDatabase` with another system password.',
    'The test of a connection names this password as the wrong one.',
  ),
  'no-such-call': code(
    404,
    'The region has no such call.',
    'Concludes nothing about rooms, jobs and files; the only 404 that does not mean "it is not there".',
  ),
  'room-unknown': code(
    404,
    'There is no room of this name.',
    'Takes the room as not there. The test of a connection counts it as success.',
  ),
  'user-unknown': code(404, 'The room has no such user.'),
  'database-unknown': code(404, 'The room has no such database.'),
  'job-unknown': code(404, 'There is no such job, or the region has forgotten it.', 'Takes the job as never started.'),
  'content-gone': code(
    404,
    '`putBackRoom`: the room was replaced, and its former content is no longer kept.',
    'The undo ends: the operation says that the old content is gone, and the room stays suspended.',
  ),
  'file-unknown': code(
    404,
    'There is no such file.',
    'Makes a backup anew that it still needs. An undo says that the old content is gone.',
  ),
  'object-unknown': code(404, 'The object store says in its own words that there is no such bucket or object.'),
  'too-slow': code(408, 'An upload with a ticket brought less than 600 kB in ten minutes.'),
  'room-damaged': code(
    409,
    'The room is there but cannot be read.',
    'Never takes the room as gone: deletions, undos and moves stop with the `detail`; *Consistency* reports it.',
  ),
  'room-differs': code(
    409,
    'The room of this name has another `roomId`.',
    'Takes its own room as not there. The test of a connection counts it as success.',
  ),
  'room-exists': code(
    409,
    'The same `roomId` was created with another body.',
    'A move leaves that room alone and asks whose it is.',
  ),
  'product-not-served': code(409, 'The region does not host this product.'),
  'locked-by-another': code(
    409,
    'The lock is held by another holder.',
    'A move is postponed. A forced deletion leaves the copy.',
  ),
  'owner-kept': code(409, 'The user owns a room, so the user cannot be deleted.'),
  'database-exists': code(409, 'There is a database of this name, and it may not be replaced.'),
  'job-differs': code(409, 'The id belongs to a job with another input.'),
  'job-has-ended': code(409, 'The job is over; its result names the file.', 'Reads the file with `GET files/{id}`.'),
  'file-not-begun': code(409, 'The job has written nothing yet that could be read.', 'Asks again after a moment.'),
  'file-exists': code(409, 'The id belongs to a complete file of another content.'),
  'file-incomplete': code(409, 'The file has not arrived completely.'),
  'range-mismatch': code(
    409,
    'The content does not begin where the region has stopped, or is longer or shorter than announced.',
    'Asks how much has arrived, and goes on from there, up to four times without progress.',
  ),
  'upload-overtaken': code(409, 'A newer upload of this file, or its removal, ended this one.'),
  overtaken: code(
    409,
    'The operation has had a higher fence.',
    'The worker looks into the record of the operation, which decides who goes on.',
  ),
  cancelled: code(409, 'In the `error` of a job: it was cancelled.'),
  'length-required': code(411, 'An upload without `Content-Length`.'),
  'too-large': code(413, 'The body is larger than the region takes, or than the ticket allows.'),
  'wrong-media-type': code(415, 'The body has another `Content-Type`; `detail` says which one the call needs.'),
  'wrong-range': code(416, 'The range lies behind the end of the file.'),
  'digest-mismatch': code(
    422,
    'What arrived does not have the announced SHA-256. The upload is dropped.',
    'A test of a backup reads the file in the store again: it may have been altered there.',
  ),
  'wrong-password': code(422, 'The password does not open the export.', 'Says so at the field of the password.'),
  'damaged-file': code(422, 'The file is of the right kind, but not whole.', notUsable),
  'wrong-content': code(422, 'The file is no backup or export, or holds what none has; `detail` says what.', notUsable),
  'takes-too-long': code(422, 'A check was given up: it made no progress.'),
  'takes-too-much': code(422, 'A check was given up: it took too much memory.'),
  'reading-fails': code(422, 'The process that read the content crashed.', 'A test marks the backup as damaged.'),
  'product-differs': code(422, 'The backup is of another product.', notUsable),
  'schema-too-new': code(
    422,
    'The backup has a newer schema version than the region knows.',
    'Tells the operator that the file cannot be used, with the `detail`.',
  ),
  'room-locked': code(423, 'The room is locked, and the job does not name the holder.'),
  'too-many-attempts': code(429, 'Another wrong sign-in after many from the same network.'),
  internal: code(500, 'A defect of the region.'),
  'object-differs': code(502, 'What was read back from the object store is not what was written.'),
  'file-not-sent': code(
    502,
    'The other region did not take the backup, or the way to it failed.',
    'Carries the backup itself, and does not try the direct way between these two regions for ten minutes.',
  ),
  interrupted: code(
    503,
    'In the `error` of a job: the region stopped while it ran. Of a call: the region is stopping.',
  ),
  unfinished: code(
    503,
    'In the `error` of an interrupted job: it took effect but for its last step, such as the removal of a redirect.',
  ),
  'object-store-unreachable': code(503, 'No connection to the object store, or 408, 429, 5xx from it.'),
  'sandbox-killed': code(503, 'The process that did the work was killed from outside.'),
  'storage-full': code(
    507,
    'There is no space left.',
    'Does not try again; asks the operator to make space on this region.',
  ),
} as const satisfies Record<string, Code>
export type RegionCode = keyof typeof regionCodes
