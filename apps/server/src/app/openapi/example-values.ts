/** The values in the examples of the OpenAPI document. */
import { moment, someId } from './examples.ts'

const later = '2027-02-07T09:30:00.000Z'

export const exampleValues: Readonly<Record<string, unknown>> = {
  // Project rooms and the people around them.
  ...named('acme', ['tenantName', 'projectRoomName', 'roomName', 'room', 'projectRoom', 'currentMigratedProjectRoom']),
  ...named('ada@acme.example', ['customerEmail', 'additionalEmail']),
  ...named('grace@provider.example', ['email', 'salesmanEmail', 'startedBy', 'actor', 'createdBy', 'changedBy']),
  customerFirstName: 'Ada',
  customerLastName: 'Lovelace',
  customerContactDetails: '+49 30 1234567',
  companyName: 'Acme',
  salesman: 'Grace Hopper',
  name: 'Grace Hopper',
  sapNumber: '4711',
  sapNumberLast: '4712',
  licenses: { YABD: 5, YABV: 20 },
  licenseKey: 'YABD',
  productKey: 'YPMBA',
  databaseName: 'Processes',
  dbName: 'Processes',
  // Regions and live migrations.
  ...named(1, ['region', 'regionId', 'sourceRegion']),
  targetRegion: 2,
  ...named('Frankfurt', ['regionName', 'source']),
  ...named('Dublin', ['target']),
  ...named('https://region1.example', ['regionIP', 'regionIPorURL']),
  userName: 'superuser',
  selectedSourceRegion: [2],
  maxNumOfTenants: 500,
  maximum: 500,
  // What webhooks are sent.
  ...named('acme', ['room.name']),
  ...named('Frankfurt', ['room.region', 'region.name', 'data.region']),
  'policy.name': 'Nightly',
  policies: ['Nightly'],
  'webhook.name': 'Alarms to the chat',
  'operation.kind': 'room.suspend',
  'operation.process': 'Suspend PR',
  url: 'https://hooks.example/roomkeeper',
  // Files and stores.
  ...named('3f1c7a52b0.zip', ['tmpFileName', 'productTmpFileName', 'fileName', 'file']),
  backupLocationPath: 's3://backups/acme/2027-01-31.zip',
  location: 's3://backups/acme/2027-01-31.zip',
  bucket: 'backups',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size: 1_048_576,
  limit: '1 MiB',
  // Times.
  ...named(moment, ['startDate', 'startedAt', 'createdAt', 'creationDate', 'since', 'at']),
  ...named(later, ['endDate', 'endedAt']),
  expirationDate: '2027-01-31T00:00:00.000Z',
  nextExpiry: '2027-01-31T00:00:00.000Z',
  expirationDateFromLocalDate: '2027-01-31',
  month: '2027-01',
  minutes: 15,
  // Texts.
  ...named('Please do not sign in on Sunday.', ['message', 'maintenanceMessage']),
  ...named('The region answered with 500.', ['reason', 'errorMessage', 'errorText', 'errorInfo']),
  ...named('Room suspended', ['text', 'logInfo', 'detail']),
  ...named('Do not suspend before 12 December, ticket 4711.', ['.text', 'pinnedNotes.text']),
  ...named('VIP', ['label', 'labels', 'add', 'remove']),
  ...named('ada@example.com', ['author', 'changedBy']),
  step: 'suspend the room on the region',
  stepId: 'suspend-room',
  action: 'room.suspend',
  field: 'companyName',
  ...named('Acme', ['from']),
  ...named('Acme Ltd', ['to']),
  youtubeIdentifier: 'dQw4w9WgXcQ',
  localeKey: 'de',
  version: 3,
  expected: 'application/json',
  ...named('correct horse battery', ['password', 'oldPassword', 'newPassword', 'newPasswordReentered']),
  ...named(someId, ['id', 'operationId', 'failedOperationId', 'requestId']),
  found: 'MINING',
  product: 'ARIS',
  database: 'Processes',
}

/**
 * Optional fields that are sent in the place of one that the example has, by the name of their object and their own:
 * `backupId` of `tmpFileName`, `add` and `remove` of `labels`.
 */
export const leftOut: ReadonlySet<string> = new Set(['.backupId', '.add', '.remove'])

function named(value: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value]))
}
