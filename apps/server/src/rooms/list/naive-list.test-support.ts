/** A simple in-memory list over a few rooms, to compare the real list with. */
import {
  codesOfCauses,
  editionCodes,
  type FailureCause,
  failureCauses,
  type LicenceTotals,
  licences,
  licenceTotalKeys,
  type ProjectRoom,
  productCodes,
  projectRoomStates,
  type RoomField,
  type RoomListQuery,
  salesChannelCodes,
  subLicences,
  subMiningTypes,
  wordFields,
} from '@roomkeeper/contract'

export interface NaiveList {
  names: string[]
  licenses: LicenceTotals
}

/** Returns all pages at once. */
export function naiveList(rooms: readonly ProjectRoom[], query: RoomListQuery): NaiveList {
  const matches = rooms.filter(
    (room) => isFound(room, query) && hasWords(room, query.search) && passesFilters(room, query),
  )
  const direction = query.order_dir === 'asc' ? 1 : -1
  const field = query.order_by as RoomField
  const sorted = matches.toSorted((a, b) => {
    return direction * (compareKeys(sortKey(a, field), sortKey(b, field)) || compareKeys(a.tenantName, b.tenantName))
  })
  return { names: sorted.map(({ tenantName }) => tenantName), licenses: totalsOf(matches) }
}

function isFound(room: ProjectRoom, { search_keys, search_values }: RoomListQuery): boolean {
  const terms = search_keys.map((key, index) => ({ key, text: search_values[index] ?? '' })).filter(({ text }) => text)
  if (terms.length === 0) return true
  const isIn = ({ key, text }: { key: string; text: string }) =>
    lower(room[key as 'tenantName'] ?? '').includes(lower(text))
  const isWholeName = ({ key, text }: { key: string; text: string }) =>
    key === 'customerFirstName' &&
    terms.some((other) => other.key === 'customerLastName' && other.text === text) &&
    [...text.matchAll(/ /g)].some(({ index }) => {
      const [first, last] = [lower(text.slice(0, index)), lower(text.slice(index + 1))]
      const areNames = first.trim() !== '' && last.trim() !== ''
      return areNames && lower(room.customerFirstName).endsWith(first) && lower(room.customerLastName).startsWith(last)
    })
  return terms.some((term) => isIn(term) || isWholeName(term))
}

function hasWords(room: ProjectRoom, search: string): boolean {
  const texts = [...wordFields.map((field) => lower(room[field] ?? '')), ...room.labels.map(lower)]
  return search.split(/\s+/).every((word) => texts.some((text) => text.includes(lower(word))))
}

function passesFilters(room: ProjectRoom, { filter_keys, filter_values, filter_conditions }: RoomListQuery): boolean {
  return filter_keys.every((key, index) => {
    return passes(room, key as RoomField, filter_conditions[index] ?? '', filter_values[index] ?? '')
  })
}

function passes(room: ProjectRoom, field: RoomField, condition: string, joined: string): boolean {
  const values = joined.split('||')
  const any = (holds: (value: string) => boolean) => values.some(holds)
  if (field === 'labels') return passesLabels(room, condition, values)
  switch (condition) {
    case 'EQUALS':
    case 'IN':
    case 'IS':
      return any((value) => equals(room, field, value))
    case 'NOT_EQUALS':
    case 'IS_NOT':
      return !any((value) => equals(room, field, value))
    case 'CONTAINS':
      return any((value) => wireText(room, field)?.includes(lower(value)) ?? false)
    case 'NOT_CONTAINS':
      return !any((value) => wireText(room, field)?.includes(lower(value)) ?? false)
    case 'STARTS_WITH':
      return any((value) => wireText(room, field)?.startsWith(lower(value)) ?? false)
    case 'ENDS_WITH':
      return any((value) => wireText(room, field)?.endsWith(lower(value)) ?? false)
    case 'LT':
    case 'BEFORE':
      return any((value) => (compared(room, field, value) ?? 0) < 0)
    case 'GT':
    case 'AFTER':
      return any((value) => (compared(room, field, value) ?? 0) > 0)
    case 'LTE':
      return any((value) => (compared(room, field, value) ?? 1) <= 0)
    case 'GTE':
      return any((value) => (compared(room, field, value) ?? -1) >= 0)
    default:
      throw new Error(condition)
  }
}

/** A comparison holds if it holds with one of the labels, which are compared like companies. */
function passesLabels({ labels, ...room }: ProjectRoom, condition: string, values: readonly string[]): boolean {
  const isNegated = ['NOT_EQUALS', 'IS_NOT', 'NOT_CONTAINS'].includes(condition)
  const plain = condition === 'NOT_CONTAINS' ? 'CONTAINS' : isNegated ? 'EQUALS' : condition
  const holds = (value: string) =>
    labels.some((companyName) => passes({ ...room, labels, companyName }, 'companyName', plain, value)) ||
    (value === '' && labels.length === 0 && ['EQUALS', 'IN', 'IS'].includes(plain))
  return values.some(holds) !== isNegated
}

const timeFields: readonly RoomField[] = ['creationDate', 'expirationDate', 'lastBackup']

function equals(room: ProjectRoom, field: RoomField, value: string): boolean {
  const text = wireText(room, field)
  if (field === 'customer') return text === customerKey(value)
  if (timeFields.includes(field)) {
    if (value === '' || value === 'null') return text === null
    return text !== null && compared(room, field, value) === 0
  }
  return lower(value) === (text ?? '')
}

/** Negative if the field is less than the value. Null if there is nothing to compare. */
function compared(room: ProjectRoom, field: RoomField, value: string): number | null {
  switch (field) {
    case 'product':
    case 'edition':
    case 'productType':
    case 'region':
    case 'priority':
      return Number(wireText(room, field)) - Number(value)
    case 'projectRoomState':
    case 'state':
      return projectRoomStates.indexOf(room.projectRoomState) - projectRoomStates.indexOf(value as 'ERROR')
    case 'subMiningType':
      return subMiningTypes.indexOf(room.subMiningType) - subMiningTypes.indexOf(value as 'NONE')
    case 'failureCause': {
      const cause = causeOf(room)
      return cause === null ? null : failureCauses.indexOf(cause) - failureCauses.indexOf(value as 'lost')
    }
    case 'hasPinnedNote':
      return compareKeys(wireText(room, field), value)
    case 'labels':
      return null
    case 'customer':
      return compareKeys(new Dictionary(customerKey(room.companyName)), new Dictionary(value))
    case 'lastBackup':
    case 'creationDate':
    case 'expirationDate': {
      const text = wireText(room, field)?.toUpperCase()
      if (text === undefined) return field === 'lastBackup' ? -1 : null
      // A day includes all times on it. An expiration date is a day.
      const shortest = field === 'expirationDate' || value.length === 10 ? 10 : 24
      const wanted = new Date(value).toISOString().slice(0, shortest)
      return compareKeys(text.slice(0, shortest), wanted)
    }
    case 'tenantName':
    case 'sapNumber':
    case 'sapNumberLast':
      return room[field] === null ? null : compareKeys(room[field], value)
    default:
      return room[field] === null ? null : compareKeys(new Dictionary(room[field]), new Dictionary(value))
  }
}

/** The wire form of the field in lower case. */
function wireText(room: ProjectRoom, field: RoomField): string | null {
  switch (field) {
    case 'product':
      return String(productCodes[room.product])
    case 'edition':
      return String(editionCodes[room.edition])
    case 'productType':
      return String(salesChannelCodes[room.productType])
    case 'region':
    case 'priority':
      return String(room[field])
    case 'state':
      return lower(room.projectRoomState)
    case 'failureCause':
      return causeOf(room)
    case 'customer':
      return customerKey(room.companyName)
    case 'hasPinnedNote':
      return String(room.pinnedNotes.length > 0)
    case 'labels':
      return null
    case 'lastBackup':
      return room.lastBackupAt === null ? null : lower(room.lastBackupAt)
    case 'expirationDate':
      return room.expirationDate === null ? null : lower(`${room.expirationDate}T00:00:00.000Z`)
    default:
      return room[field] === null ? null : lower(room[field])
  }
}

function customerKey(name: string): string {
  return lower(name.trim().replaceAll(/\s+/g, ' '))
}

function causeOf({ projectRoomState, errorReasons }: ProjectRoom): FailureCause | null {
  if (projectRoomState !== 'ERROR') return null
  const codes = errorReasons.flatMap(codesIn)
  const named = Object.entries(codesOfCauses) as [FailureCause, readonly string[]][]
  return named.find(([, all]) => all.some((code) => codes.includes(code)))?.[0] ?? 'other'
}

/** Of a reason and those within it, and of refusals that they repeat. */
function codesIn({ code, params }: ProjectRoom['errorReasons'][number]): string[] {
  const { refusal } = params
  const within = Object.values(params).flatMap((each) => (typeof each === 'object' ? codesIn(each) : []))
  return [code, ...(typeof refusal === 'string' ? [refusal] : []), ...within]
}

class Dictionary {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
const collator = new Intl.Collator('und')
type Key = string | number | null | Dictionary

function sortKey(room: ProjectRoom, field: RoomField): Key {
  switch (field) {
    case 'product':
    case 'edition':
    case 'productType':
    case 'priority':
      return Number(wireText(room, field))
    case 'projectRoomState':
    case 'state':
      return projectRoomStates.indexOf(room.projectRoomState)
    case 'subMiningType':
      return subMiningTypes.indexOf(room.subMiningType)
    case 'region':
    case 'regionName':
      return new Dictionary(room.regionName)
    case 'failureCause': {
      const cause = causeOf(room)
      return cause === null ? null : failureCauses.indexOf(cause)
    }
    case 'customer':
      return new Dictionary(customerKey(room.companyName))
    case 'hasPinnedNote':
      return room.pinnedNotes.length
    case 'labels':
      return room.labels.length === 0 ? null : new Dictionary(room.labels.join(', '))
    case 'lastBackup':
      return room.lastBackupAt ?? ''
    case 'creationDate':
    case 'expirationDate':
    case 'tenantName':
    case 'sapNumber':
    case 'sapNumberLast':
      return room[field]
    default:
      return room[field] === null ? null : new Dictionary(room[field])
  }
}

/** Null is greater than every value. */
function compareKeys(a: Key, b: Key): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (a instanceof Dictionary && b instanceof Dictionary) {
    return collator.compare(a.text, b.text) || Buffer.compare(Buffer.from(a.text), Buffer.from(b.text))
  }
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return Number(a) - Number(b)
}

function totalsOf(rooms: readonly ProjectRoom[]): LicenceTotals {
  const totals = Object.fromEntries(licenceTotalKeys.map((key) => [key, 0])) as LicenceTotals
  for (const room of rooms) {
    for (const { key, countedAs } of licences) if (countedAs) totals[countedAs] += room.licenses[key] ?? 0
    for (const { key, countedAs } of subLicences) {
      const amount = room.subLicenses.find(({ licenseKey }) => licenseKey === key)?.subLicenseAmount ?? 0
      if (countedAs) totals[countedAs] += amount
    }
  }
  return totals
}

function lower(text: string): string {
  return text.toLowerCase()
}
