/**
 * The catalogue of a project room's fields: each single-valued field is named here, once. Derived from it are the
 * schemas of the wire, the columns of `rooms`, the filters, sorting and search of lists, the export, and the text
 * fields of the console's forms and lists. Licences have their own catalogue (licences.ts), because a room has many.
 *
 * The order is that of the export's columns. How to add a field: docs/recipes/add-a-room-field.md.
 */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { email, number, optionalEmail, optionalLines, optionalText, roomName, text, wireDate } from './room-fields.ts'
import { editionCode, productCode, salesChannelCode } from './wire-codecs.ts'
import {
  editionCodes,
  namesOf,
  productCodes,
  projectRoomStates,
  salesChannelCodes,
  subMiningTypes,
} from './wire-codes.ts'

export interface RoomFieldEntry {
  /** Its column of `rooms`, in camelCase; absent: the column has the field's name. */
  column?: string
  /** The schema of its value on the wire. A row holds the decoded value. */
  shown: z.ZodType
  /** Its schema in a creation; absent: the server sets the value of a new room. */
  creation?: z.ZodType
  /** Its schema in an edit; absent: the field cannot be changed. */
  edit?: z.ZodType
  /** How lists filter and sort by the field; absent: they cannot. */
  comparedAs?: Comparison
  /** Absent: cannot be searched. `indexed`: it is among the first in the column `rooms.search`. */
  search?: 'indexed' | 'plain'
  /** Its value says something about a person; other programs are told only that it has changed. */
  isAboutPerson?: true
  /** The title of its column in the export. */
  exportTitle?: string
  /** Where the console's forms show it, in which input. For texts only; other fields have inputs of their own. */
  form?: { section: FormSection; input: 'line' | 'lines' | 'email'; isRequired: boolean }
  /** The console's list of rooms has a column that shows the plain value; `choosable`: hidden until chosen. */
  listColumn?: 'shown' | 'choosable'
}

export type FormSection = 'users' | 'customer' | 'sales'

/** A value of a closed set: its name in the database and its form on the wire. */
export interface Member {
  name: string
  wire: string
}

/**
 * How values are ordered. `dictionary`: as in a dictionary; `plain`: character by character. Values of a closed set
 * have the order of its members.
 */
export type Comparison =
  | { kind: 'text'; order: 'dictionary' | 'plain' }
  | { kind: 'number' }
  | { kind: 'day' }
  | { kind: 'time' }
  | { kind: 'closed'; members: readonly Member[] }
  | { kind: 'shown-state'; members: readonly Member[] }

const dictionary = { kind: 'text', order: 'dictionary' } as const
const plain = { kind: 'text', order: 'plain' } as const
const named = (names: readonly string[]) => names.map((name) => ({ name, wire: name }))
const membersOf = <Name extends string>(codes: Record<Name, number>) =>
  namesOf(codes).map((name) => ({ name, wire: String(codes[name]) }))

/** Both a creation and an edit send the field. */
const changeable = <Sent extends z.ZodType>(sent: Sent) => ({ creation: sent, edit: sent })

type Form = Pick<NonNullable<RoomFieldEntry['form']>, 'section' | 'input'>

/** A text that every room has. */
const required = <Sent extends z.ZodType<string>>(sent: Sent, form: Form) => ({
  shown: z.string(),
  ...changeable(sent),
  form: { ...form, isRequired: true },
})

/** A text that a room need not have; it is then null. */
const optional = <Sent extends z.ZodType<string | null>>(sent: Sent, form: Form) => ({
  shown: z.string().nullable(),
  ...changeable(sent),
  form: { ...form, isRequired: false },
})

export const roomFieldCatalogue = {
  product: {
    shown: productCode,
    creation: productCode,
    comparedAs: { kind: 'closed', members: membersOf(productCodes) },
    exportTitle: 'Product',
  },
  tenantName: {
    column: 'name',
    shown: z.string(),
    creation: roomName,
    comparedAs: plain,
    search: 'indexed',
    exportTitle: 'Name',
  },
  edition: {
    shown: editionCode,
    creation: editionCode,
    comparedAs: { kind: 'closed', members: membersOf(editionCodes) },
    exportTitle: 'Edition',
  },
  customerFirstName: {
    ...required(text('customer-first-name-missing'), { section: 'customer', input: 'line' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'indexed',
    exportTitle: 'Customer first name',
  },
  customerLastName: {
    ...required(text('customer-last-name-missing'), { section: 'customer', input: 'line' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'indexed',
    exportTitle: 'Customer last name',
  },
  customerEmail: {
    ...required(email('owner-email-missing'), { section: 'users', input: 'email' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'indexed',
    exportTitle: 'Customer E-mail',
    listColumn: 'shown',
  },
  /** The sales channel; Direct Sales when absent. */
  productType: {
    column: 'salesChannel',
    shown: salesChannelCode,
    creation: salesChannelCode.default('direct-sales'),
    comparedAs: { kind: 'closed', members: membersOf(salesChannelCodes) },
    exportTitle: 'Sales channel',
  },
  /** The id of the region; the export has its name. */
  region: {
    column: 'regionId',
    shown: z.int(),
    creation: z
      .int({ error: coded('region-not-selected') })
      .min(1, coded('region-not-selected'))
      .max(2_147_483_647, coded('region-not-selected')),
    comparedAs: { kind: 'number' },
    exportTitle: 'Region',
  },
  creationDate: {
    column: 'createdAt',
    shown: z.iso.datetime(),
    comparedAs: { kind: 'time' },
    exportTitle: 'Created',
  },
  expirationDate: {
    shown: wireDate.nullable(),
    ...changeable(wireDate.nullable().default(null)),
    comparedAs: { kind: 'day' },
    exportTitle: 'Valid until',
  },
  /** The shown state: DISABLED_REGION is derived from the region. */
  projectRoomState: {
    column: 'state',
    shown: z.enum(projectRoomStates),
    comparedAs: { kind: 'shown-state', members: named(projectRoomStates) },
    exportTitle: 'Status',
  },
  companyName: {
    ...required(text('company-name-missing'), { section: 'customer', input: 'line' }),
    comparedAs: dictionary,
    search: 'plain',
    exportTitle: 'Company',
    listColumn: 'shown',
  },
  customerContactDetails: {
    ...optional(optionalLines(2000), { section: 'customer', input: 'lines' }),
    isAboutPerson: true,
    exportTitle: 'Contact details',
    listColumn: 'choosable',
  },
  /** The delegate. */
  additionalEmail: {
    ...optional(optionalEmail, { section: 'users', input: 'email' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'plain',
    exportTitle: 'Delegate E-mail',
    listColumn: 'choosable',
  },
  sapNumber: {
    shown: z.string(),
    creation: number('sap-number-missing'),
    comparedAs: plain,
    search: 'plain',
    exportTitle: 'Original SAP contract number',
    listColumn: 'choosable',
  },
  /** The new SAP contract number. */
  sapNumberLast: {
    shown: z.string().nullable(),
    edit: number('new-sap-number-missing'),
    comparedAs: plain,
    search: 'plain',
    exportTitle: 'New SAP contract number',
    listColumn: 'choosable',
  },
  salesman: {
    ...optional(optionalText(), { section: 'sales', input: 'line' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'plain',
    exportTitle: 'Sales contact',
    listColumn: 'choosable',
  },
  salesmanEmail: {
    ...required(email('sales-email-missing'), { section: 'sales', input: 'email' }),
    isAboutPerson: true,
    comparedAs: dictionary,
    search: 'plain',
    exportTitle: 'Sales contact E-mail',
    listColumn: 'choosable',
  },
  subMiningType: {
    shown: z.enum(subMiningTypes),
    ...changeable(z.enum(subMiningTypes).default('NONE')),
    comparedAs: { kind: 'closed', members: named(subMiningTypes) },
    exportTitle: 'Mining sub-type',
  },
  errorMessage: { shown: z.string().nullable(), exportTitle: 'Error' },
  priority: {
    shown: z.int(),
    creation: z.int().min(0).max(1_000_000).default(0),
    comparedAs: { kind: 'number' },
  },
} as const satisfies Record<string, RoomFieldEntry>

type Catalogue = typeof roomFieldCatalogue
export type RoomFieldName = keyof Catalogue

/** The fields whose entry has this part: the fields of `RoomFieldWith<'edit'>` can be edited. */
export type RoomFieldWith<Part extends keyof RoomFieldEntry> = {
  [Name in RoomFieldName]: Catalogue[Name] extends Record<Part, unknown> ? Name : never
}[RoomFieldName]

/** In the order of the catalogue. */
export function roomFieldsWith<Part extends keyof RoomFieldEntry>(part: Part): RoomFieldWith<Part>[] {
  const names = Object.keys(roomFieldCatalogue) as RoomFieldName[]
  return names.filter((name) => part in roomFieldCatalogue[name]) as RoomFieldWith<Part>[]
}

type SchemaPart = 'shown' | 'creation' | 'edit'
type SchemasOf<Part extends SchemaPart, Name extends RoomFieldName> = {
  [Each in Name]: Catalogue[Each] extends Record<Part, infer Schema> ? Schema : never
}

/** The fields' schemas for `z.object`, as shown or as sent by a creation or an edit. */
export function roomFieldSchemas<Part extends SchemaPart, Name extends RoomFieldWith<Part> = RoomFieldWith<Part>>(
  part: Part,
  fields: readonly Name[] = roomFieldsWith(part) as Name[],
) {
  const entries: Readonly<Record<string, RoomFieldEntry>> = roomFieldCatalogue
  return Object.fromEntries(fields.map((name) => [name, entries[name]?.[part]])) as SchemasOf<Part, Name>
}

/** The text fields of the console's forms. */
export type RoomText = RoomFieldWith<'form'>

/** In the order of the form. */
export function roomTextsIn(section: FormSection): RoomText[] {
  return roomFieldsWith('form').filter((name) => roomFieldCatalogue[name].form.section === section)
}
