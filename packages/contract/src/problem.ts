/**
 * Refusals: every expected failure by its code, with its status, title and text.
 * Any other error is a bug: the server answers 500 with nothing but the request id.
 */
import { z } from 'zod'
import { codedParams, type Params } from './coded-text.ts'
import { fieldProblem } from './field-errors.ts'

/**
 * application/problem+json (RFC 9457). `type` is `urn:roomkeeper:<code>`. The code and its `params` say the same as
 * `detail`, which is in English.
 */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  /** The parameters of the code in `type`. */
  params: codedParams.default({}),
  errors: z.array(fieldProblem).optional(),
})
export type Problem = z.output<typeof problem>

const row = <Title extends string, Detail extends string>(status: number, title: Title, detail: Detail) => ({
  status,
  title,
  detail,
})

/** `{{name}}` in a text stands for the refusal's parameter `name`. */
export const refusals = {
  'invalid-input': row(400, 'Invalid input', 'Please check the marked fields.'),
  malformed: row(400, 'Malformed request', 'The request could not be read: {{reason}}'),
  'invalid-filter': row(400, 'Invalid filter', '{{reason}}'),
  'wrong-credentials': row(401, 'Wrong credentials', 'Wrong username or password'),
  'session-expired': row(401, 'Session Expired', 'You were logged out. Please log in again.'),
  'not-allowed': row(403, 'Not allowed', 'Your role does not allow this.'),
  'administrators-only': row(403, 'Not allowed', '{{reason}}'),
  'second-factor-missing': row(403, 'Second factor missing', 'Please complete the second factor first.'),
  'no-such-call': row(404, 'Not found', 'There is no such call.'),
  'room-unknown': row(404, 'Unknown project room', 'There is no project room named {{room}}.'),
  'deleted-room-unknown': row(404, 'Unknown project room', 'There is no such deleted project room (any more).'),
  'certificate-unknown': row(404, 'Unknown certificate', 'There is no certificate of a purge of this project room.'),
  'purge-begun': row(
    409,
    'Purge has begun',
    'The purge of the project room {{room}} has begun: it cannot be brought back any more.',
  ),
  'region-unknown': row(404, 'Unknown region', 'There is no region with the id {{region}}.'),
  'operator-unknown': row(404, 'Unknown operator', 'There is no such operator.'),
  'operation-unknown': row(404, 'Unknown operation', 'There is no such operation.'),
  'name-taken': row(409, 'Name taken', 'A project room named {{room}} already exists.'),
  'email-taken': row(409, 'E-mail address in use', 'Another operator already has this e-mail address.'),
  'last-administrator': row(
    409,
    'Last administrator',
    'The last CLOUD_ADMINISTRATOR can be neither deleted nor demoted.',
  ),
  'own-account': row(409, 'Own account', 'Nobody can delete or demote themself.'),
  'sap-number-taken': row(
    409,
    'SAP number in use',
    'This SAP contract number is already used by another project room.',
  ),
  'region-name-taken': row(
    409,
    'Region name in use',
    'Could not save region. Region name is still in use. Please use a another one.',
  ),
  'region-name-used': row(
    409,
    'Region name in use',
    'Could not save region. Region name is already in use. Please use a another one.',
  ),
  'server-registered': row(409, 'Already registered', 'This server is already registered as region {{region}}.'),
  'other-server': row(
    502,
    'Another server',
    'Another server answers at the address of the region {{region}} than the one that was registered. Nothing was sent to it. If it is to be this region from now on, an administrator can confirm that by editing the region.',
  ),
  'region-in-migration': row(409, 'Region in use', 'Region is still part of livemigration!'),
  'region-busy': row(409, 'Region in use', 'Operations still run or wait on the region {{region}}.'),
  'update-running': row(
    409,
    'Update is still running',
    'The system databases are already being updated. Please wait until that has ended.',
  ),
  'migration-unknown': row(
    404,
    'Unknown live migration',
    'There is no live migration configuration with the id {{id}}.',
  ),
  'migration-state-unknown': row(404, 'Unknown state entry', 'There is no such live migration state entry.'),
  'migration-running': row(409, 'Live migration is still running', 'Live migration is still running'),
  'migration-not-running': row(409, 'Live migration not running', 'Live migration can only be stopped if it running'),
  'migration-warning': row(
    409,
    'Live migration may still run',
    'Please click refresh to see if the live migration ended',
  ),
  'migration-too-early': row(
    409,
    'Too early',
    'Failed project rooms were deleted from the target region. Please wait another {{minutes}} [[minutes:minute|minutes]].',
  ),
  'same-server': row(
    409,
    'Same server',
    'The regions {{source}} and {{target}} are the same server: there is nothing to move.',
  ),
  'priority-not-reset': row(400, 'Priority not reset', '{{reason}}'),
  'copy-in-use': row(409, 'Copy in use', 'The project room {{room}} in the target region is the one in use.'),
  'backup-policy-unknown': row(404, 'Unknown backup policy', 'There is no such backup policy (any more).'),
  'backup-policy-name-taken': row(409, 'Name in use', 'There is already a backup policy named {{name}}.'),
  'backup-policy-stale': row(409, 'Changed meanwhile', 'The backup policy was changed by somebody else meanwhile.'),
  'view-unknown': row(404, 'Unknown view', 'There is no such view.'),
  'view-of-another': row(
    403,
    'View of another operator',
    'Only {{owner}} can change this view. Save it as a view of your own.',
  ),
  'view-name-taken': row(409, 'Name in use', 'You already have a view named {{name}}.'),
  'too-many-views': row(409, 'Too many views', 'You already have {{max}} views. Delete one first.'),
  'too-many-shared-views': row(
    409,
    'Too many shared views',
    '{{max}} views are shared already. Delete one first, or keep this one to yourself.',
  ),
  'notification-unknown': row(404, 'Unknown notification', 'There is no such notification.'),
  // Not 401: the session stays open and may try again.
  'second-factor-refused': row(403, 'Second factor refused', 'The second factor was not accepted: {{reason}}'),
  'identity-provider-unreachable': row(
    503,
    'Identity provider unreachable',
    'The identity provider cannot be reached. Please try again.',
  ),
  'second-factor-off': row(409, 'No second factor', 'No identity provider is configured.'),
  'wrong-old-password': row(400, 'Wrong password', 'The old password is wrong.'),
  'address-unknown': row(404, 'Unknown project room', 'There is no project room of this name.'),
  'too-many-calls': row(429, 'Too many calls', 'Too many calls. Please try again in a minute.'),
  'too-many-exports': row(429, 'Too many exports', 'Too many exports are running. Please try again in a minute.'),
  'region-full': row(
    409,
    'Region full',
    'Exceeded maximum number of project room on region {{region}}. Use another region or increase limit.',
  ),
  'region-disabled': row(409, 'Region disabled', 'The region {{region}} is disabled.'),
  'product-not-served': row(409, 'Product not served', 'The region {{region}} does not serve {{product}}.'),
  'room-busy': row(409, 'Operation is still running', 'Another operation is running for the project room {{room}}.'),
  'wrong-state': row(409, 'Wrong state', '{{reason}}'),
  'region-stale': row(409, 'Changed meanwhile', 'The region was changed by somebody else meanwhile.'),
  'migration-stale': row(
    409,
    'Changed meanwhile',
    'The live migration configuration was changed by somebody else meanwhile.',
  ),
  'migration-exists': row(
    409,
    'Configuration exists',
    'There is already a live migration configuration from {{source}} to {{target}}.',
  ),
  'version-stale': row(409, 'Changed meanwhile', 'The project room was changed by somebody else meanwhile.'),
  'database-taken': row(
    409,
    'Database exists',
    'This database name already exists please type another one in the input field',
  ),
  'single-database': row(409, 'Only one database', 'On Basic you can only import one database'),
  'database-unknown': row(404, 'Unknown database', 'The project room has no database named {{database}}.'),
  'no-database-backup': row(409, 'No backup', 'There is no backup of the database {{database}}.'),
  'backup-unknown': row(404, 'Unknown backup', 'There is no such backup.'),
  'verification-running': row(409, 'Under way', 'This backup is being restored in a test already.'),
  'link-expired': row(404, 'Link expired', 'This link is not valid (any more). Please ask for a new one.'),
  'range-not-satisfiable': row(416, 'Range not satisfiable', 'The file has {{size}} bytes.'),
  'upload-unknown': row(404, 'Unknown upload', 'There is no such upload (any more). Please upload the file again.'),
  'other-room': row(409, 'Backup of another room', 'This backup was made of the project room {{room}}.'),
  'operation-ended': row(409, 'Operation ended', 'The operation has already ended.'),
  'operation-not-cancellable': row(409, 'Cannot be cancelled', '{{reason}}'),
  'operation-not-retryable': row(409, 'Cannot be retried', '{{reason}}'),
  'start-again': row(409, 'Cannot be retried', 'Please start again'),
  'idempotency-mismatch': row(
    409,
    'Idempotency key reused',
    'This Idempotency-Key was used before with another request body.',
  ),
  'selection-changed': row(
    409,
    'Selection changed',
    'The selection has changed: it is now {{rooms}} [[rooms:project room|project rooms]]',
  ),
  'bulk-unknown': row(404, 'Unknown bulk', 'There is no such bulk (any more).'),
  'too-many-bulks': row(
    409,
    'Too many bulks',
    'At most {{own}} bulks of one operator, and {{all}} of all, are under way at once. Please wait until one has ended.',
  ),
  'bulk-ended': row(409, 'Bulk ended', 'The bulk has already ended.'),
  'bulk-not-retryable': row(409, 'Cannot be retried', '{{reason}}'),
  'doctor-running': row(
    409,
    'Check is still running',
    'The console and its regions are already being compared. Please wait until that has ended.',
  ),
  'finding-unknown': row(404, 'Unknown finding', 'There is no such finding (any more).'),
  'repair-impossible': row(409, 'Cannot be repaired', '{{reason}}'),
  'too-large': row(413, 'Too large', 'The request is larger than {{limit}}.'),
  'wrong-file': row(422, 'File upload fail', 'Wrong file'),
  'wrong-file-content': row(422, 'File upload fail', 'Wrong file content'),
  'unpacks-too-large': row(
    422,
    'File upload fail',
    'The files in this backup have {{size}} when they are unpacked. At most {{limit}} are accepted.',
  ),
  'no-upload-content': row(422, 'File upload fail', 'No content in uploaded zip file'),
  'other-product': row(422, 'Other product', 'The backup is of {{found}}, the project room is of {{product}}.'),
  'wrong-media-type': row(415, 'Wrong media type', 'Please send {{expected}}.'),
  'too-many-attempts': row(
    429,
    'Too many attempts',
    'Too many failed sign-ins. Please try again in {{minutes}} [[minutes:minute|minutes]].',
  ),
  'object-store-refused': row(502, 'The object store refused', '{{reason}}'),
  'object-store-unreachable': row(503, 'The object store cannot be reached', '{{reason}}'),
  'object-store-not-set': row(409, 'No object store', 'No object store is configured: please set OBJECT_STORE_URI.'),
  'region-refused': row(502, 'The region refused', '{{reason}}'),
  'region-unreachable': row(503, 'Region unreachable', 'The region {{region}} cannot be reached.'),
  'database-unreachable': row(503, 'Database unreachable', 'The database cannot be reached. Please try again.'),
  'database-busy': row(503, 'Database busy', 'The database took too long, so the request was ended. Please try again.'),
  'storage-full': row(507, 'Storage full', 'There is no space left on the storage.'),
} as const
export type RefusalCode = keyof typeof refusals
export type RefusalText<Code extends RefusalCode> = (typeof refusals)[Code]['detail']

/**
 * How long the text of a refusal says to wait, for the header Retry-After, so that both always agree. Texts that say
 * `{{minutes}}` have the parameter; the others say 'in a minute'.
 * @returns null if the text names no time
 */
export function secondsToWait(code: RefusalCode, params: Params): number | null {
  const { minutes } = params
  if (typeof minutes === 'number') return minutes * 60
  return code === 'too-many-calls' || code === 'too-many-exports' ? 60 : null
}
