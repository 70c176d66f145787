/** Makes examples for the OpenAPI document from its schemas, with one value for each field name. */
import type { Json } from './schemas.ts'

const moment = '2027-01-31T09:30:00.000Z'
const later = '2027-02-07T09:30:00.000Z'
const someId = '0190a3c2-5b7e-7c3a-9d1f-2b6c8e4f0a11'

/** Values by field name, or by that of its object and its own; those of other fields are made from the schema. */
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

/** Optional fields that are sent in the place of one that the example has: `backupId` of `tmpFileName`. */
const leftOut: ReadonlySet<string> = new Set(['backupId'])

function named(value: unknown, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value]))
}

/**
 * A value that is valid for the schema.
 * @param schemas the schemas of `#/components/schemas/…`
 * @param field the name of the field whose value it is
 * @param parent the name of the field that holds that field
 */
export function exampleOf(schema: Json, schemas: Record<string, Json>, field = '', parent = ''): unknown {
  const described = resolved(schema, schemas)
  const given = exampleValues[`${parent}.${field}`] ?? exampleValues[field]
  if (given !== undefined && fits(described, schemas, given)) return given
  if (described.enum !== undefined) return (described.enum as unknown[])[0]
  if (described.const !== undefined) return described.const
  const choices = (described.anyOf ?? described.oneOf) as Json[] | undefined
  if (choices !== undefined) return exampleOf(choices[0] ?? {}, schemas, field, parent)
  switch (typesOf(described)[0]) {
    case 'object':
      return exampleObject(described, schemas, field)
    case 'array':
      return [exampleOf((described.items ?? {}) as Json, schemas, field, parent)]
    case 'string':
      return described.format === undefined
        ? 'text'.padEnd(Number(described.minLength ?? 0), '-')
        : ofFormat(described.format)
    case 'integer':
    case 'number':
      return Math.max(1, Number(described.minimum ?? 0))
    case 'boolean':
      return false
    default:
      return null
  }
}

function exampleObject({ properties = {} }: Json, schemas: Record<string, Json>, parent: string): Json {
  const fields = Object.entries(properties as Record<string, Json>).filter(
    ([name, { readOnly }]) => readOnly !== true && !leftOut.has(name),
  )
  return Object.fromEntries(fields.map(([name, each]) => [name, exampleOf(each, schemas, name, parent)]))
}

function ofFormat(format: unknown): string {
  switch (format) {
    case 'uuid':
      return someId
    case 'date-time':
      return moment
    case 'date':
      return moment.slice(0, 10)
    case 'uri':
      return 'https://console.example/component.js'
    default:
      throw new Error(`No example for the format ${String(format)}.`)
  }
}

function resolved(schema: Json, schemas: Record<string, Json>): Json {
  if (typeof schema.$ref !== 'string') return schema
  return resolved(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, schemas)
}

function typesOf({ type }: Json): unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** Whether the value is valid for the schema: fields of one name may have different types. */
function fits(schema: Json, schemas: Record<string, Json>, value: unknown): boolean {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices !== undefined) return choices.some((each) => fits(resolved(each, schemas), schemas, value))
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (schema.const !== undefined) return schema.const === value
  if (schema.format === 'uuid' && value !== someId) return false
  if (schema.format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(value))) return false
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(String(value)))) return false
  const types = typesOf(schema)
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'object') return types.includes('object') && schema.properties === undefined
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number')
  return types.includes(typeof value)
}
