/** Reads the wanted fields of project rooms from a file in YAML or JSON. */
import {
  closestTo,
  englishError,
  fieldErrorsOf,
  type LicenceType,
  licenceInformation,
  projectRoom,
  type RoomFieldEntry,
  roomFieldCatalogue,
  roomFieldsWith,
  shortened,
  subLicenceEntry,
} from '@roomkeeper/contract'
import { type Document, isScalar, LineCounter, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { type Failure, usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { RoomFields } from './room-fields.ts'

const settable: readonly string[] = [...new Set([...roomFieldsWith('creation'), ...roomFieldsWith('edit')])]
const listed = ['licenses', 'licensesInformation', 'subLicenses', 'regionName']
/** A file may hold everything that is printed of a room; what only the server sets is ignored. */
const printed = Object.keys(projectRoom.shape)
const known = [...new Set([...settable, ...listed, ...printed])]

/** @param path `-` is stdin @throws Failure */
export async function readRoomsFile(terminal: Terminal, path: string): Promise<RoomFields[]> {
  return parseRoomsFile(await terminal.read(path), path === '-' ? 'stdin' : path)
}

function parseRoomsFile(text: string, name: string): RoomFields[] {
  return documentsIn(text, name)
    .flatMap((document) => contentOf(document, name))
    .map((room, index) => fieldsOf(room, { file: name, index }))
}

/** A file may hold several documents, with `---` between them. */
function documentsIn(text: string, name: string): Document.Parsed[] {
  const documents = parseAllDocuments(text, { lineCounter: new LineCounter(), prettyErrors: true })
  const given = Array.isArray(documents) ? documents.filter((each) => !isEmpty(each)) : []
  // A file that was not written, as by a command that failed, is no list without rooms.
  if (given.length === 0) throw usageFailure(`${name} is empty.`, 'A list without project rooms is written [].')
  const [error] = given.flatMap(({ errors }) => errors)
  if (error === undefined) return given
  throw usageFailure(`${name} cannot be read: ${error.message.split('\n')[0]?.replace(/:$/, '.')}`)
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null)
}

/** @returns its rooms */
function contentOf(document: Document.Parsed, name: string): unknown[] {
  try {
    const content: unknown = document.toJS({ maxAliasCount: 100 })
    return Array.isArray(content) ? content : [content]
  } catch (tooManyAliases) {
    throw usageFailure(`${name} cannot be read: ${tooManyAliases instanceof Error ? tooManyAliases.message : ''}`)
  }
}

interface Place {
  file: string
  /** Of the room in the file. */
  index: number
  room?: string
}

function wrong({ file, index, room }: Place, what: string, ...hints: string[]): Failure {
  return usageFailure(`${file}: ${room ?? `room ${index + 1}`}: ${what}`, ...hints)
}

function fieldsOf(given: unknown, at: Place): RoomFields {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong(at, 'a room is written as fields with values.')
  const fields = given as Record<string, unknown>
  const place = typeof fields.tenantName === 'string' ? { ...at, room: shortened(fields.tenantName) } : at
  for (const field of Object.keys(fields)) {
    if (known.includes(field)) continue
    const meant = closestTo(field, known)
    throw wrong(place, `there is no field ${shortened(field)}.${meant === null ? '' : ` Is it ${meant}?`}`)
  }
  const values = settable.filter((field) => field !== 'region' && isGiven(fields, field))
  for (const field of values) checkValue(field, fields[field], place)
  return {
    ...Object.fromEntries(values.map((field) => [field, fields[field]])),
    ...regionOf(fields, place),
    ...licencesOf(fields, place),
  }
}

/** Null stands for 'none' where a room need not have the field, and says nothing elsewhere. */
function isGiven(fields: Record<string, unknown>, field: string): boolean {
  const value = fields[field]
  return value !== undefined && (value !== null || schemaOf(field).safeEncode(null).success)
}

function schemaOf(field: string): z.ZodType {
  const entry: RoomFieldEntry | undefined = (roomFieldCatalogue as Record<string, RoomFieldEntry>)[field]
  return entry?.creation ?? entry?.edit ?? z.unknown()
}

function checkValue(field: string, value: unknown, place: Place): void {
  const read = schemaOf(field).safeEncode(value)
  if (read.success) return
  const [error] = fieldErrorsOf(read.error)
  const quotes = typeof value === 'number' ? ' Texts of digits need quotes.' : ''
  throw wrong(place, `${field}: ${error === undefined ? 'this value is wrong.' : englishError(error)}${quotes}`)
}

function regionOf({ region, regionName }: Record<string, unknown>, place: Place): RoomFields {
  const given = region ?? regionName
  if (given === undefined || given === null) return {}
  if (typeof given !== 'number' && typeof given !== 'string') throw wrong(place, 'region is a name or an id.')
  return { region: given }
}

const counts = z.record(licenceInformation.shape.licenseKey, licenceInformation.shape.licenseAmount.nullable())
const types = z.array(licenceInformation)
const amounts = z.array(subLicenceEntry.partial({ productKey: true }))

function licencesOf(fields: Record<string, unknown>, place: Place): RoomFields {
  const read = <Schema extends z.ZodType>(schema: Schema, field: string, looks: string) => {
    if (fields[field] === undefined || fields[field] === null) return undefined
    const found = schema.safeParse(fields[field])
    if (found.success) return found.data
    throw wrong(place, `${field} looks like ${looks}`)
  }
  const licenses = read(counts, 'licenses', '{ YABD: 5 }')
  const information = read(types, 'licensesInformation', '[{ licenseKey: ESV, licenseAmount: 5, licenseType: CUC }]')
  const subLicenses = read(amounts, 'subLicenses', '[{ licenseKey: DataVolumeGB, subLicenseAmount: 20 }]')
  const differs = information?.find(
    ({ licenseKey: key, licenseAmount }) => (licenses?.[key] ?? licenseAmount) !== licenseAmount,
  )
  if (differs !== undefined)
    throw wrong(place, `licenses and licensesInformation name different counts of ${differs.licenseKey}.`)
  const counted = information?.map(({ licenseKey, licenseAmount }) => [licenseKey, licenseAmount] as const)
  const typed = information?.map(({ licenseKey, licenseType }): [string, LicenceType] => [licenseKey, licenseType])
  return {
    ...(licenses === undefined && counted === undefined
      ? {}
      : { licenses: { ...Object.fromEntries(counted ?? []), ...licenses } }),
    ...(typed === undefined ? {} : { licenceTypes: Object.fromEntries(typed) }),
    ...(subLicenses === undefined
      ? {}
      : { subLicenses: Object.fromEntries(subLicenses.map((each) => [each.licenseKey, each.subLicenseAmount])) }),
  }
}
