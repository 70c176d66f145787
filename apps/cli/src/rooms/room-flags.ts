/** A flag for each field of a room that can be set, from the contract's catalogue: a new field has its flag at once. */

import {
  type LicenceType,
  licenceTypes,
  type RoomFieldEntry,
  type RoomFieldName,
  roomFieldCatalogue,
  roomFieldsWith,
} from '@roomkeeper/contract'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { day, oneOf } from '#arguments.ts'
import type { RoomFields } from './room-fields.ts'

/** These are arguments, or have flags that are described by hand. */
const byHand: readonly RoomFieldName[] = ['tenantName', 'region']

export interface LicenceFlags {
  licence?: Record<string, number>
  licenceType?: Record<string, LicenceType>
  subLicence?: Record<string, number>
}

export function addRoomFlags(command: Command, part: 'creation' | 'edit'): Command {
  for (const name of roomFieldsWith(part)) {
    if (!byHand.includes(name)) command.addOption(optionOf(name))
  }
  return command
    .option('--licence <key=count>', 'such as YABD=5; repeat it for others', collectCounts)
    .option('--licence-type <key=type>', 'such as ESV=CUC; repeat it for others', collectTypes)
    .option('--sub-licence <key=amount>', 'such as DataVolumeGB=20; repeat it for others', collectCounts)
}

function optionOf(name: RoomFieldName): Option {
  const entry: RoomFieldEntry = roomFieldCatalogue[name]
  const { comparedAs } = entry
  const title = entry.exportTitle ?? name
  const flag = flagOf(name)
  switch (comparedAs?.kind) {
    case 'closed': {
      const names = comparedAs.members.map((member) => member.name)
      return new Option(`${flag} <name>`, `${title}: ${names.join(', ')}`).argParser(oneOf(names))
    }
    case 'number':
      return new Option(`${flag} <number>`, title).argParser(integer)
    case 'day':
      return new Option(`${flag} <date>`, `${title}, such as 2027-01-31; '' for none`).argParser(dayOrNone)
    default:
      return new Option(`${flag} <text>`, entry.form?.isRequired === false ? `${title}; '' for none` : title)
  }
}

/** The fields that were given as flags. */
export function fieldsOfFlags(options: LicenceFlags): RoomFields {
  const known: readonly string[] = [...roomFieldsWith('creation'), ...roomFieldsWith('edit')]
  const given = Object.entries(options).filter(([name]) => known.includes(name))
  const { licence, licenceType, subLicence } = options
  return {
    ...Object.fromEntries(given),
    ...(licence === undefined ? {} : { licenses: licence }),
    ...(licenceType === undefined ? {} : { licenceTypes: licenceType }),
    ...(subLicence === undefined ? {} : { subLicenses: subLicence }),
  }
}

function integer(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It has to be a whole number.')
}

function dayOrNone(text: string): string | null {
  return text === '' ? null : day(text)
}

function pairOf(text: string, what: string): [key: string, value: string] {
  const [, key = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (key !== '') return [key, value]
  throw new InvalidArgumentError(`It has to look like ${what}.`)
}

function collectCounts(text: string, earlier: Record<string, number> = {}): Record<string, number> {
  const [key, value] = pairOf(text, 'YABD=5')
  return { ...earlier, [key]: integer(value) }
}

function collectTypes(text: string, earlier: Record<string, LicenceType> = {}): Record<string, LicenceType> {
  const [key, value] = pairOf(text, 'ESV=CUC')
  return { ...earlier, [key]: oneOf(licenceTypes)(value) }
}

const flagsOfLicences: Readonly<Record<string, string>> = {
  licenses: '--licence',
  licensesInformation: '--licence-type',
  subLicenses: '--sub-licence',
}

/** The flag that sets a field of a room: `customerEmail` is set by `--customer-email`. */
export function flagOf(field: string): string {
  return flagsOfLicences[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
