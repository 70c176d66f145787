import { attentionTexts } from './attention-texts.ts'
import { auditTexts } from './audit-texts.ts'
import { checkRegionLogin } from './check-region-login.ts'
import { findingTexts } from './finding-texts.ts'
import { logTexts } from './log-texts.ts'

/** The English texts of all reasons why something is not possible, by code. Refusals, findings and buttons use them. */
export const reasonTexts = {
  ...logTexts,
  ...auditTexts,
  ...findingTexts,
  ...attentionTexts,
  /** A text that this program did not write: from a region, a store or a library. */
  told: '{{told}}',

  // What can be done with a project room
  role: 'Your role does not allow this.',
  'online-shop': 'This is not possible for Online Shop project rooms.',
  'online-shop-admin-only': 'Only administrators can do this for Online Shop project rooms.',
  'region-disabled': 'The region of this project room is disabled.',
  'in-progress': 'An operation is running for this project room.',
  'on-deleting': 'This project room is being deleted.',
  'in-error': 'This project room is in error.',
  suspended: 'This project room is suspended.',
  'not-suspended': 'The project room must be suspended first.',
  'room-neither-active-nor-suspended': 'The project room {{room}} is neither active nor suspended.',
  'room-not-in-error': 'The project room {{room}} is not in error (any more).',
  'room-changed-since-failure': 'The project room {{room}} is not as it was when this failed.',
  'former-region-gone':
    'The region that its project room was in is not enabled, or does not serve its product. Another region gets the backup only when the project room is restored there.',
  'backup-not-here': 'This backup is in the object store and cannot be downloaded here.',

  // Bulks
  'room-gone': 'There is no such project room any more.',
  'already-in-region': 'The project room is already in the region {{region}}.',
  'valid-for-longer': 'Valid until then, or for longer, already.',
  'without-last-day': 'Without an expiration date: there is nothing to extend.',
  'labels-at-most': 'It would have more than {{max}} labels.',
  'no-room-failed': 'No project room has failed.',
  'not-in-error': 'The project room is not in error.',
  'nothing-to-retry': 'Nothing failed last that can be tried again.',
  'failed-otherwise': 'It did not fail for this cause.',
  'retry-waits-already': 'It is retried already once its region is back, for {{by}}.',
  'bulk-rooms-failed': 'It failed for {{rooms}} of {{total}} [[total:project room|project rooms]].',

  // A new project room without a possible owner
  'no-designer': 'Please add minimum one designer licence',
  'no-analyst': 'Please add minimum one analyst licence',
  'no-analyst-or-engineer': 'Please add minimum one analyst licence or engineer',
  'no-admin': 'Please add minimum one admin licence',

  // Live migrations
  'migration-running': 'Live migration is still running',
  'migration-under-way': 'Project rooms of this live migration are still on their way.',

  // Deleted rooms
  'region-cannot-purge':
    'The region {{region}} does not offer to remove all of a project room, so it cannot prove that nothing is left there. If a newer version of its software offers that, update it, then choose Retry.',
  'still-in-store': '{{location}} is still there, or is there again. Choose Retry.',
  'still-in-region':
    'The region {{region}} had something of the project room again, which is removed now. Choose Retry.',
  'room-still-in-region':
    'The region still has this project room, or has it again, and what it holds may be newer than any backup: nothing was touched. Let Consistency look, and adopt it.',
  'last-backup-lost':
    'The last backup is not there any more as it was made: the project room was not deleted. Choose Retry, which takes another one.',
  'deleted-and-busy': 'It is among the deleted project rooms, and is restored or purged right now.',
  'deleted-and-purged':
    'It is among the deleted project rooms, and its purge has begun: choose Retry there, which removes it here, too.',
  'no-longer-among-deleted': 'The project room is not among the deleted ones any more.',

  // What keeps a room from being moved
  'move-region-disabled': 'The target region {{region}} is disabled.',
  'move-same-server': 'The regions {{source}} and {{target}} are the same server: there is nothing to move.',
  'move-room-unknown': 'There is no such project room (any more).',
  'move-not-in-source': 'The project room is not in the region {{region}}.',
  'move-busy': 'Another operation is running for the project room {{room}}.',
  'move-state-not-movable': 'Only active and suspended project rooms can be moved.',
  'move-product-not-served': 'The region {{region}} does not serve {{product}}.',
  'move-capacity':
    'Exceeded maximum number of project room on region {{region}}. Use another region or increase limit.',
  'move-force-delete-running': 'A force delete in the target region is under way.',
  'move-former-copy': 'Its former copy in the target region is still being removed.',
  'move-missing-in-source': 'The server of the region {{region}} does not have this project room.',
  'move-locked': 'The project room is locked by another process.',
  'move-in-use-once': 'The project room is in use: 1 active session.',
  'move-in-use': 'The project room is in use: {{sessions}} active sessions.',
  'move-left-copy': 'The region {{region}} still has what an earlier migration of this project room left.',
  'move-name-taken': 'The region {{region}} has another project room of this name.',
  'move-while-in-use-once': 'One active session: the project room is moved while it is in use.',
  'move-while-in-use': '{{sessions}} active sessions: the project room is moved while it is in use.',
  'move-capacity-left':
    'The region {{region}} has capacity for {{free}} of {{total}} [[total:project room|project rooms]].',
  'move-disk-full': 'The disk of the region {{region}} is too full.',
  'move-disk-full-later': 'The disk of the region {{region}} may be too full after the project rooms before.',
  'move-too-early':
    'Failed project rooms were deleted in the target region {{region}} a short while ago. Please wait another {{minutes}} min.',
  'move-region-refuses': 'The region {{region}} refuses to answer: {{told}}',
  'move-region-refuses-login': `The region {{region}} refused the stored user name or password. ${checkRegionLogin}`,

  // Operations
  'not-failed': 'Only a failed operation can be retried.',
  'newer-operation': 'Another operation has run for this project room since.',
  'past-return': "It can no longer be cancelled: '{{step}}' has begun.",
  'start-check-again': 'Please start a new check.',
  'sap-number-taken': 'This SAP contract number is already used by another project room.',
  'change-again': 'Please make the change again.',
  'migrate-again': 'Please start the live migration again.',
  'migrate-room-again': 'Please start the live migration again to move this room.',
  'room-has-moved': 'The project room has moved: nothing is left to be retried.',
  'room-on-its-way-back': 'The project room {{room}} is on its way there again.',
  'room-in-use-there': 'The project room {{room}} is in use there again.',
  'room-perhaps-in-use-there': 'The project room {{room}} may be in use there again.',

  // The list of rooms
  'search-lists-differ': 'search_keys and search_values must have as many entries as each other.',
  'filter-too-long':
    'Filters can compare with at most {{max}} values, and with at most {{names}} names of project rooms.',
  'filter-lists-differ': 'filter_keys, filter_values and filter_conditions must have as many entries as each other.',
  'not-sortable': 'The list cannot be sorted by {{field}}.',
  'not-searchable': 'The list cannot be searched by {{field}}.',
  'not-filterable': 'The list cannot be filtered by {{field}}.',
  'condition-unknown': 'There is no filter condition {{condition}}.',
  'searched-nul': 'A searched text must not hold the character NUL.',
  'takes-one-of': '{{field}} takes one of {{members}}.',
  'takes-whole-number': '{{field}} takes a whole number.',
  'takes-time': '{{field}} takes a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00.000Z.',

  // Malformed requests
  'text-unstorable': 'a text contains a NUL or half a character.',
  'body-empty': 'the body is empty.',
  'body-of-other-length': 'the body does not have the length that was announced.',
  'body-no-json': 'the body is not JSON.',
  'no-http': 'it is not a well-formed HTTP request.',
  'form-not-whole': 'the form is not whole.',
  'form-without-boundary': 'the form names no boundary.',
  'connection-cut-off': 'the connection was cut off.',
  'nothing-arrived': 'nothing arrived for two minutes.',

  // The second factor
  'other-email': 'it belongs to another e-mail address.',
  'no-identity': 'it holds no identity.',
  'no-email': 'it names no e-mail address.',
  'email-not-verified': 'its e-mail address is not verified.',
  'factor-expired': 'it has expired.',
  'not-confirmed': 'the identity provider did not confirm it. Please try again.',

  // Backups in use
  'backup-read-by-test': 'The backup is being restored in a test (begun by {{by}}).',
  'backup-read-by-restore': 'The backup is being restored (begun by {{by}}).',
  'backup-read-by-download': '{{by}} is downloading the backup.',
  'backup-read-by-check': 'The content of the backup is being checked.',
  'backup-being-taken': 'The backup is still being taken.',
  'backup-being-removed': 'The backup is being removed.',

  // Object stores
  'of-object-store': 'The object store: {{reason}}',
  'of-backup-store': 'The backup store: {{reason}}',
  'store-too-slow': 'The store sends {{location}} too slowly.',
  'store-list-endless': 'its list does not come to an end.',
  'store-not-marked':
    'This is not the store of this console: it has no file {{file}}. Its disk is not mounted, or BACKUP_STORE is wrong. Please mount it, or correct the setting; the rest goes on by itself.',
  'store-marked-by-another':
    'The file {{file}} in this place says that another console uses it, or this console has used it in another state of its database. If none does any more, please remove that file and run this again.',
  'store-of-another':
    'This is not the store of this console: its file {{file}} is another one. Please correct BACKUP_STORE. If the store was moved here, run npm run store:use.',
  'store-lost-file': 'it says that it has kept a file, and does not have it.',
  'store-sends-too-much': 'it sends more than it was asked for.',
  'store-knows-no-key': 'it does not know the access key.',
  'store-secret-wrong': 'the secret key is wrong.',
  'store-token-wrong': 'the session token is wrong.',
  'store-token-expired': 'the session token has expired.',
  'store-denies': 'access is denied: access key, secret key or session token are wrong, or do not allow it.',
  'store-clocks-differ': 'the clocks differ too much.',
  'store-bucket-unknown': 'there is no such bucket.',
  'store-file-unknown': 'there is no such file in the bucket.',
  'store-bucket-elsewhere': 'the bucket is in another region.',
  'store-takes-not': 'it does not take these values: the session token or the S3 URI is wrong.',
  'store-file-empty': 'the file is empty.',
  'store-answered': 'it answered {{status}} {{name}}.',
  'store-answered-strangely': 'it answered {{status}}, but not as an object store does.',
  'store-certificate': 'its certificate is not accepted ({{error}}).',
  'store-unreachable': 'it cannot be reached.',
  'store-connection-failed': 'the connection to it failed ({{error}}).',
  'store-cannot-be-asked': 'it cannot be asked ({{error}}).',

  // The test of a region's connection
  'region-denies': '{{host}} is a region, but it does not accept this user name and password.',
  'region-denies-system':
    '{{host}} is a region and accepts the user name and the superuser password, but not the system password.',
  'region-answers': 'The region at {{host}} answers with {{status}}.',
  'host-redirects': '{{host}} answers with a redirect, which is not followed.',
  'host-no-region': '{{host}} answers, but it is not a region (status {{status}}).',
  'host-no-http': '{{host}} answers, but it is not a region: it does not speak HTTP.',
  'host-not-found': 'The name {{host}} is not found.',
  'port-forbidden': 'The port of {{host}} belongs to another protocol and is never used for HTTP.',
  'nothing-listens': '{{host}} refuses the connection: nothing listens there.',
  'no-way-to-host': 'There is no way to {{host}} in the network ({{error}}).',
  'host-too-slow': '{{host}} did not answer within {{seconds}} seconds.',
  'host-closed': '{{host}} closed the connection ({{error}}).',
  'host-unreachable': '{{host}} cannot be reached ({{error}}).',
  'tls-failed': 'The secure connection (TLS) to {{host}} failed: {{reason}}.',
  'certificate-self-signed': 'its certificate is self-signed, and NODE_EXTRA_CA_CERTS does not name it',
  'certificate-untrusted': 'its certificate is of an authority that is neither public nor named by NODE_EXTRA_CA_CERTS',
  'certificate-expired': 'its certificate has expired',
  'certificate-not-yet-valid': 'its certificate is not valid yet',
  'certificate-of-other-name': 'its certificate is for another name',
  'no-tls': 'it does not speak TLS on this port',

  // Why the doctor could not ask a region
  'of-region': '{{region}}: {{reason}}',
  'region-unreachable': 'The region cannot be reached ({{error}}).',
  'another-server': 'Another server answers there than the one that is registered.',
  'password-unreadable': 'Its stored password cannot be opened with this SECRET_KEY.',
  'stopped-answering': 'It stopped answering on the way.',
  'same-server': 'It is the same server as {{region}}.',
  'left-after-findings': 'Its check ended after {{findings}} findings.',
  'left-after-suspects': 'Its check ended: {{times}} times it did not confirm what it had told.',
  'rooms-not-in-order': 'It does not list its project rooms by name.',
  'redirects-not-in-order': 'It does not list its redirections by name.',

  // What the doctor found
  'other-size': '{{found}} instead of {{made}} bytes',
  'other-digest': 'another SHA-256',
  'not-restorable': 'it cannot be restored: {{told}}',
  'rooms-of-region': 'Project rooms of the region {{region}}',
  'room-totals': 'Totals of project rooms and licences',
  'rooms-by-month': 'Project rooms by month',
  'rooms-by-customer': 'Project rooms and licences by customer',
  'last-backups': 'Project rooms with the right last backup',
  'rooms-of-migrations': 'Project rooms of live migrations by state',

  // Repairs of what it found
  'not-so-any-more': 'It is not so any more.',
  'under-way': 'Something works with it right now: please try again later.',
  'no-repair-for-finding': 'This is no repair for this finding.',
  'room-not-here': 'The console does not have the project room (any more).',
  'region-not-registered': 'The region is not registered any more.',
  'region-has-not-room': 'The region does not have the project room.',
  'room-in-this-region': 'The project room is in this region itself: the redirection has to end.',
  'redirection-unknown': 'The console knows of no redirection there: it can only be ended.',
  'region-too-old': 'The region is too old: it does not tell licences and contacts.',
  'product-unknown': 'The console does not know this product.',
  'settings-impossible': 'Its region tells licences or contacts that no project room can have.',
  'home-has-room': 'The region {{region}} has a project room of this name.',
  'other-has-not': 'The region {{region}} does not have it.',
  'locked-in-region': 'It is locked in the region {{region}}: something works with it.',
  'perhaps-elsewhere': 'It may be there too, but cannot be asked: {{regions}}.',
  'several-have-it': 'Several regions have it: {{region}}, {{others}}.',
  'region-lost-it': 'The region does not have it any more.',
  'region-answers-other': 'The region answers with a project room {{room}}.',
  locked: 'It is locked: something works with it.',
  'room-known': 'The console already has a project room {{room}}.',
  'other-room-of-name': 'It is another project room of this name now.',
  'copy-in-use': 'This is the copy in use.',
  'no-second-copy': 'There is no second copy of this project room there.',
  'perhaps-only-copy': 'The region of the project room does not have it: the copy may be the only one.',
  'used-copy-locked': 'The copy in use is locked: it may be on its way, or both regions are one and the same server.',
  'second-copy-locked': 'The second copy is locked: something works with it.',
  'copies-differ':
    'The second copy does not hold the same as the one in use, so nothing is removed: what only one of them has would be lost.',

  // Why an operation failed, and what its log says about it
  'operation-cancelled': 'The operation was cancelled.',
  'something-went-wrong': 'Something went wrong on our side; the log of the server says what.',
  'room-active-as-before': 'The project room is active as before.',
  'room-suspended-as-before': 'The project room is suspended as before.',
  'not-put-back': 'This could not be put back: {{step}}. {{reason}}',
  'not-all-put-back': 'Not everything could be put back; the log of the operation says what.',
  'result-not-recorded': 'The result could not be recorded; the log of the server says why.',
  'state-uncertain':
    'The result could not be recorded, so nobody knows for sure in which state the project room is. Choose Retry, or delete it.',
  'input-unreadable': 'What this operation was started with cannot be read (any more); it cannot be continued.',
  'taken-over-by-region': 'The region says that another worker has taken the operation over; by the record none has.',
  'database-ended-statement': 'The database ended a statement that took too long.',
  'database-away': 'The database cannot be reached.',
  'database-change-in-the-way': 'Another change to the same records was in the way.',
  'file-missing': 'The file {{file}} is missing in the backup store.',
  'operation-without-room': 'The operation has no project room.',
  'operation-lost': 'The operation was lost.',
  'in-step': '{{step}}:',
  'in-undo-of-step': 'undo: {{step}}:',
  'trying-again': 'Trying again in {{seconds}} s.',

  // Failures that the running check finds
  interrupted: '{{process}} was interrupted.',
  'interrupted-at-step': "{{process}} was interrupted at the step '{{step}}'.",
  'something-interrupted': 'An operation was interrupted.',

  // Failures of calls to regions
  'another-program-answers': 'The region cannot be reached (something else answers {{status}} in its place).',
  'named-region-unreachable': 'The region {{region}} cannot be reached ({{error}}).',
  'another-server-as-region':
    'At the address of the region {{region}} another server answers than the one that is registered.',
  'another-program-as-region':
    'The region {{region}} cannot be reached (something else answers {{status}} in its place).',
  'file-of-region-too-slow': 'The file hardly gets on between this console and the region {{region}}.',
  'told-by-region': '{{told}}',
  'told-by-named-region': 'Region {{region}}: {{told}}',
  'region-storage-full': 'Region {{region}}: There is no space left on the storage of the region.',
  'region-refused-login': `Region {{region}} refused the stored user name or password. ${checkRegionLogin}`,
  'wrong-export-password': 'The password of the database export is wrong.',
  'file-not-usable': '{{told}}',
  'other-password-needed':
    'Trying again would use the same password. Start the import again with the password of the export.',
  'other-file-needed': 'Trying again would use the same file. Start again with another one.',
  'other-backup-needed':
    'Trying again would use the same file. Delete this project room, and import it again from another one.',
  'with-next': '{{reason}} {{next}}',
  'file-too-slow': 'The file hardly gets on between this console and the region.',

  // Failures of creating and restoring
  'former-copy-open': 'It is open, so that users may have worked in it.',
  'former-copy-needed': 'It may hold what the project room has lost.',
  'name-of-former-copy':
    'The region still has a copy of an earlier project room of this name, which a clean-up of this console has left. Adopt it under Consistency and delete it, or purge the deleted project room.',
  'name-belongs-to-others': 'The region already has a project room of this name that does not belong to this console.',
  'created-room-kept':
    'The region has the project room, and the database was restored since its creation began: it may be in use, and is kept. Delete it when nobody needs it.',
  'created-room-unknown': 'The region does not know the project room that it has just created.',
  'licence-count-differs': 'The region holds another count for the licence {{licence}} than ordered.',
  'created-room-differs': 'The project room on the region is not the one that was ordered.',
  'upload-gone': 'The uploaded file is gone: please upload it again.',
  'not-suspended-on-region': 'The project room is not suspended on its region.',
  'old-content-gone':
    'The region does not have what the project room held before (any more): the project room stays as it is there.',

  // Failures with backups and databases
  'database-name-used': 'This database name already exists please type another one in the input field',
  'only-one-database': 'On Basic you can only import one database',
  'stored-backup-differs': 'The backup in the store is not the one that the region made.',
  'backup-gone': 'The backup was deleted meanwhile.',
  'backup-not-whole': 'The backup is not what it should be ({{reason}}). Do not restore it, and take a new one.',
  'region-cannot-verify': 'The region cannot restore backups in a test. Update its software.',
  'backup-elsewhere': 'The region named another location for the backup than its own.',
  'database-restored-after-all': 'The region has restored the database all the same.',
  'database-perhaps-restored': 'The region was interrupted and may have restored the database all the same.',
  'database-deleted-after-all': 'The region has deleted the database all the same.',
  'other-room-there': 'The region has another project room of this name.',
  'room-unknown-to-region': 'The region does not know this project room.',
  'system-database-updated-after-all': 'The region has updated the system database all the same.',
  'one-room-not-updated': '1 project room could not be updated; the log says more.',
  'rooms-not-updated': '{{rooms}} project rooms could not be updated; the log says more.',

  // What the doctor found of a room that was then marked as missing
  'found-room-missing': 'The region {{region}} does not have the project room {{room}}.',
  'found-room-elsewhere':
    'The region {{region}} does not have the project room {{room}}, but the region {{other}} has it.',
  'found-other-room': 'The project room {{room}} in the region {{region}} is another one of the same name.',

  // Failures of repairs
  'room-in-another-region': 'The project room is in another region now.',
  'lock-in-use': 'Its operation holds the lock.',
  'finding-closed': 'The finding is closed: nothing is to be repaired.',
  'still-so': 'It is so as before.',

  // Failures of moves of live migrations
  'move-cancelled': 'The move was cancelled.',
  'move-cancelled-too-late': 'The move was cancelled when the project room was in the target already.',
  'remove-by-force-delete': 'Remove it by force delete first.',
  'not-of-this-console': 'It does not belong to this console.',
  'same-server-nothing-to-move': 'The target is the same server as the source: there is nothing to move.',
  'source-not-locked': 'The source does not hold the lock that it was given.',
  'target-not-locked': 'The target does not hold the lock that it was given.',
  'source-lock-gap': 'The lock of the project room in the source was gone for a while: it may have been changed.',
  'target-lock-gap': 'The lock of the project room in the target was gone for a while: it may have been changed.',
  'copy-lock-gap': 'The lock of the copy was gone for a while: it may have been changed.',
  'selection-added': 'Now in it: {{rooms}}.',
  'selection-removed': 'No longer in it: {{rooms}}.',
  'copy-not-equal': 'The copy in the target does not hold the same as the source.',
  'no-longer-in-source': 'The project room is not in the source region (any more).',
  'target-copy-locked': 'The copy in the target is locked by somebody else: it may be in use.',
  'source-stays-closed':
    'The project room may be in use in the target, so the source stays closed for users. When the target answers, choose Retry.',
  'source-open': 'The project room is open for users in {{region}}, where it was before: it is not opened twice.',
  'room-lost':
    'The region {{region}} does not have the project room (any more). The copy in {{copyIn}} is kept, closed for users. When the project room is back in its region, with all that was moved there, choose Retry.',
  'room-older':
    'The project room in {{region}} does not hold what was moved there: most likely its disk was put back from an older backup. Nothing is opened or removed: the copy in {{copyIn}} is kept. When {{region}} has the project room with all that was moved there, choose Retry.',
  'room-back-in-use': 'The project room is in use there again: nothing is removed.',
  'room-unknown-copy-kept': 'The console does not have the project room, and nobody deleted it: the copy is kept.',
  'room-moving': 'The project room {{room}} is being moved or deleted.',
  'target-not-open-yet': 'The project room in the target is not open for its users yet.',
  'room-not-open-yet': 'The project room in {{region}} is not open for its users yet.',
  'source-copy-open': 'The copy in the source is open for users: nothing is removed.',
  'copy-back': 'The copy in the target is there again.',
  'copy-perhaps-newer':
    'The copy in {{copyIn}} may hold what {{region}} does not: the disk of {{region}} seems to have been put back from a backup of before the move. The copy is kept, closed for users. When it is not needed, or its content is saved, remove it there and choose Retry.',
  'copy-open':
    'The copy in {{copyIn}} is open for users, so it may be in use: it is kept. When it is removed there, or its content is saved, choose Retry.',
  'copy-changed':
    'The copy in {{copyIn}} has been changed since it was compared, so it may be in use: it is kept. When it is removed there, or its content is saved, choose Retry.',
  'source-missing': '{{source}} does not have the project room, and what {{target}} has cannot be told.',
  'retry-when-region-answers': 'When {{region}} answers, choose Retry.',
  'perhaps-moved':
    '{{source}} does not have the project room, {{target}} has it: most likely the move had ended, and this database is of before. When the project room in {{target}} is the right one, choose Retry: it is taken as moved.',
  'copy-perhaps-not-whole':
    '{{source}} does not have the project room, and the copy in {{target}} may not be whole. When the project room is back in {{source}}, choose Retry.',
  'neither-has-room':
    'Neither {{source}} nor {{target}} has the project room. When it is back in {{source}}, choose Retry.',
  'nothing-removed': 'Nothing was removed.',
  'moved-content-unknown':
    "{{target}} does not know what was moved to it: most likely its disk was put back from an older backup before the project room went on to {{region}}. Nothing is removed: the doctor's Remove copy compares both.",
  'no-record-of-move':
    "The move is so long ago that {{target}} keeps no record of it any more, so nothing proves that it holds what was moved. Nothing is removed: the doctor's Remove copy compares both.",

  // Force delete
  'perhaps-only-copies': 'Not removed, because it may be the only copy: {{reason}}.',
  'copies-open': 'Not removed, because it is open for users: {{reason}}.',
  'removal-refused': 'Not removed, because the region refused: {{reason}}.',
  'rooms-named': '{{rooms}}',
  'rooms-named-and-more': '{{rooms}} and {{more}} more; the log says which',
  'home-not-locked': 'The project room could not be locked in {{region}}, where it is in use: {{told}}',
  'target-is-home': 'It is the copy in use: the target is the same server as {{region}}.',
  'copy-open-compare': "It is open for users and may be in use; the doctor's Remove copy compares both.",
} as const
export type ReasonCode = keyof typeof reasonTexts
