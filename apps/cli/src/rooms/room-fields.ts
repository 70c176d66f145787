/**
 * The fields of a room that the user named, and no others. Licences are kept by key, because only the named ones
 * change.
 */
import {
  type BodyGiven,
  type DuplicateDraft,
  type LicenceType,
  type ProjectRoom,
  type RoomFieldName,
  type Routes,
  roomFieldsWith,
  type SubLicenceEntry,
  subLicencesOf,
} from '@roomkeeper/contract'
import { isProcess } from '@roomkeeper/rules'

export interface RoomFields extends Partial<Record<RoomFieldName, unknown>> {
  licenses?: Readonly<Record<string, number | null>>
  licenceTypes?: Readonly<Record<string, LicenceType>>
  subLicenses?: Readonly<Record<string, number>>
}

/** Licences of both are kept; the second wins in other fields and in the same licence. */
export function mergedFields(first: RoomFields, second: RoomFields): RoomFields {
  const both = <Name extends 'licenses' | 'licenceTypes' | 'subLicenses'>(name: Name) =>
    first[name] === undefined && second[name] === undefined ? {} : { [name]: { ...first[name], ...second[name] } }
  return { ...first, ...second, ...both('licenses'), ...both('licenceTypes'), ...both('subLicenses') }
}

/**
 * The body of a creation. It is checked when it is sent, and what is missing is the server's to say.
 * @param region its id
 */
export function draftOf(wanted: RoomFields, region: number | undefined): BodyGiven<Routes['createRoom']> {
  const { licenses, licenceTypes, subLicenses, ...fields } = wanted
  const given = roomFieldsWith('creation').filter((name) => name in fields)
  const body: Record<string, unknown> = {
    ...Object.fromEntries(given.map((name) => [name, fields[name]])),
    ...(licenses === undefined ? {} : { licenses }),
    ...(licenceTypes === undefined ? {} : { licensesInformation: typesWithCounts(licenceTypes, licenses ?? {}) }),
    ...(subLicenses === undefined ? {} : { subLicenses: entriesOf(subLicenses, fields as Kind) }),
    region,
  }
  return body as BodyGiven<Routes['createRoom']>
}

/** The fields of a duplicate. @param subLicences the wanted ones */
export function duplicateOf(draft: DuplicateDraft, subLicences: Readonly<Record<string, number>> = {}): RoomFields {
  const { licensesInformation, subLicenses: _, proposedName, ...fields } = draft
  return { ...fields, licenceTypes: typesIn(licensesInformation), subLicenses: mergedSubLicences(draft, subLicences) }
}

type Kind = Pick<ProjectRoom, 'product' | 'edition'>

/** The body of an edit: the whole room, with the wanted fields in the place of its own. It is checked when it is sent. */
export function editOf(room: ProjectRoom, wanted: RoomFields): BodyGiven<Routes['editRoom']> {
  const kept = Object.fromEntries(
    roomFieldsWith('edit').map((name) => [name, name in wanted ? wanted[name] : room[name]]),
  )
  const licenses = { ...room.licenses, ...wanted.licenses }
  const body: Record<string, unknown> = {
    tenantName: room.tenantName,
    version: room.version,
    ...kept,
    // Absent, so that the server says that it is missing.
    ...(kept.sapNumberLast === null ? { sapNumberLast: undefined } : {}),
    licenses,
    licensesInformation: typesWithCounts({ ...typesIn(room.licensesInformation), ...wanted.licenceTypes }, licenses),
    subLicenses: entriesOf(mergedSubLicences(room, wanted.subLicenses ?? {}), room),
  }
  return body as BodyGiven<Routes['editRoom']>
}

function typesIn(licences: ProjectRoom['licensesInformation']): Record<string, LicenceType> {
  return Object.fromEntries(licences.map((each) => [each.licenseKey, each.licenseType]))
}

function typesWithCounts(
  types: Readonly<Record<string, LicenceType>>,
  counts: Readonly<Record<string, number | null>>,
) {
  return Object.entries(types).map(([licenseKey, licenseType]) => ({
    licenseKey,
    licenseAmount: counts[licenseKey] ?? 0,
    licenseType,
  }))
}

/** A room has one process size: another one that is wanted takes its place. */
function mergedSubLicences(
  room: Kind & Pick<ProjectRoom, 'subLicenses'>,
  wanted: Readonly<Record<string, number>>,
): Record<string, number> {
  const sizes = subLicencesOf(room.product, room.edition).filter(isProcess)
  const choosesSize = sizes.some(({ key }) => (wanted[key] ?? 0) > 0)
  const kept = room.subLicenses.filter(({ licenseKey }) => !choosesSize || !sizes.some(({ key }) => key === licenseKey))
  const before = Object.fromEntries(kept.map((each) => [each.licenseKey, each.subLicenseAmount]))
  return { ...before, ...wanted }
}

function entriesOf(amounts: Readonly<Record<string, number>>, { product, edition }: Kind): SubLicenceEntry[] {
  const known = new Map(subLicencesOf(product, edition).map((each) => [each.key, each.parent[edition] ?? '']))
  return Object.entries(amounts).map(([licenseKey, subLicenseAmount]) => ({
    licenseKey,
    subLicenseAmount,
    // The server says that it does not know the licence.
    productKey: known.get(licenseKey) ?? '',
  }))
}
