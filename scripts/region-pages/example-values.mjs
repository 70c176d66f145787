/** The values in the examples of the region protocol, by field name, or by that of its object and its own. */
const moment = '2027-01-31T09:30:00.000Z'
const roomId = '0190a3c2-5b7e-7c3a-9d1f-2b6c8e4f0a11'
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const exampleValues = {
  ...named('acme', ['name', 'room', 'next', 'withoutDelegate']),
  ...named(roomId, [
    'roomId',
    'userId',
    'instanceId',
    ...objects('id', ['sessionsAnswer', 'openSessionAnswer', 'UserSession', 'OpenedSession']),
  ]),
  ...named('Frankfurt', objects('name', ['statusAnswer', 'RegionStatus'])),
  id: 'backup-7',
  userName: 'superuser',
  ...named('correct horse battery', ['password', 'systemPassword']),
  ...named('mWcG8eJX0N1vRrQp', ['token', 'ticket', 'accessKey', 'secretKey', 'sessionToken']),
  version: '2.4.1',
  capabilities: ['deleteFile', 'routes'],
  rooms: 42,
  freeBytes: 812_000_000_000,
  reason: 'its room.json cannot be read',
  licenseKey: 'YABD',
  licenseAmount: 5,
  subLicenseAmount: 20,
  productKey: 'YPMBA',
  companyName: 'Acme',
  customerFirstName: 'Ada',
  customerLastName: 'Lovelace',
  customerContactDetails: '+49 30 1234567',
  ...named('ada@acme.example', ['ownerEmail', 'user']),
  delegateEmail: 'grace@acme.example',
  expirationDate: '2027-12-31',
  product: 'ARIS',
  edition: 'advanced',
  record: 'v1.k3.9mXq…',
  ...named('move-7', ['holder', 'lockHolder', 'operation']),
  fence: 3,
  ...named('replace-7', ['keep', 'kept']),
  ...named(1_048_576, ['size', 'sizeAtMost', 'received', 'bytes']),
  schemaVersion: 2,
  ...named(['main'], ['databases', 'rebuilt']),
  ...named('main', objects('name', ['databasesAnswer', 'DatabaseInfo'])),
  database: 'main',
  used: 2,
  after: 'acme',
  limit: 100,
  wait: 1000,
  ...named(moment, ['startedAt', 'lastActiveAt', 'createdAt', 'changedAt', 'backupAt', 'heldSince', 'at']),
  expiresAt: '2027-01-31T09:31:00.000Z',
  ...named('https://region2.example', ['url', 'targetUrl']),
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'backups',
  key: 'acme/2027-01-31.zip',
  location: 's3://backups/acme/2027-01-31.zip',
  ...named(sha256, ['sha256', 'digest']),
  file: 'backup-7',
  path: 'databases/main.db',
  files: ['backup-7'],
  ...named(2, objects('files', ['PurgeRoomResult', 'VerifyBackupResult'])),
  copies: 1,
  state: 'done',
  error: null,
  progress: 1,
  isNew: true,
  n: 1,
  text: 'The backup has 1048576 bytes.',
  from: { file: 'backup-7' },
  type: 'urn:roomkeeper-region:room-unknown',
  title: 'Unknown room',
  status: 404,
  detail: 'There is no project room named acme on this region.',
}

/** The keys of a field of several objects. */
function objects(field, parents) {
  return parents.map((parent) => `${parent}.${field}`)
}

function named(value, fields) {
  return Object.fromEntries(fields.map((field) => [field, value]))
}
