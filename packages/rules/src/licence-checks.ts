/** Checks the licences of a draft. */
import {
  type CodedError,
  codedError,
  type Edition,
  type FieldError,
  fieldError,
  type Licence,
  type LicenceInformation,
  licencesOf,
  maximumLicenceCount,
  type SubLicence,
  type SubLicenceEntry,
  subLicencesOf,
} from '@roomkeeper/contract'
import { countsOf, isProcess, type LicenceDraft } from './licences.ts'

/**
 * The errors of the licences by themselves: keys, types, amounts, sub-licences. The licences that a room needs at least
 * also depend on its delegate: see mandatory-licences.ts.
 */
export function whyInvalidLicences(draft: LicenceDraft): FieldError[] {
  return [...whyInvalidCounts(draft), ...whyInvalidInformation(draft), ...whyInvalidSubLicences(draft)]
}

function whyInvalidCounts(draft: LicenceDraft): FieldError[] {
  const offered = new Map(licencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const counts = countsOf(draft)
  return Object.keys(draft.licenses).flatMap((key) => {
    const licence = offered.get(key)
    const wrong = licence === undefined ? foreignLicence(key) : whyInvalidCount(licence, counts)
    return wrong === null ? [] : [{ field: `licenses.${key}`, ...wrong }]
  })
}

function whyInvalidCount(licence: Licence, counts: (key: string) => number): CodedError | null {
  const count = counts(licence.key)
  if (!Number.isInteger(count) || count < 0) return codedError('licence-count-invalid')
  if (count > licence.maximum) return codedError('licence-count-too-large', { max: licence.maximum })
  if (licence.needs !== undefined && count > 0 && counts(licence.needs) === 0)
    return codedError('licence-needs-architect', { licence: licence.label })
  return null
}

function whyInvalidInformation(draft: LicenceDraft): FieldError[] {
  const offered = new Map(licencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const counts = countsOf(draft)
  const seen = new Set<string>()
  return draft.licensesInformation.flatMap((given) => {
    const wrong = whyInvalidEntry(given, offered.get(given.licenseKey), counts, seen.has(given.licenseKey))
    seen.add(given.licenseKey)
    return wrong === null ? [] : [{ field: `licensesInformation.${given.licenseKey}`, ...wrong }]
  })
}

function whyInvalidEntry(
  given: LicenceInformation,
  licence: Licence | undefined,
  counts: (key: string) => number,
  repeated: boolean,
): CodedError | null {
  if (licence === undefined) return foreignLicence(given.licenseKey)
  if (repeated) return codedError('licence-twice', { licence: licence.key })
  if (!licence.types.includes(given.licenseType)) return otherType(licence)
  const count = counts(licence.key)
  // A count that is not a whole number is an error of its own.
  if (Number.isInteger(count) && given.licenseAmount !== count)
    return codedError('licence-amount-differs', { amount: given.licenseAmount, counted: count })
  return null
}

function whyInvalidSubLicences(draft: LicenceDraft): FieldError[] {
  const offered = new Map(subLicencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const seen = new Set<string>()
  const errors = draft.subLicenses.flatMap((given) => {
    const wrong = whyInvalidSubLicence(given, offered.get(given.licenseKey), draft.edition, seen.has(given.licenseKey))
    seen.add(given.licenseKey)
    return wrong === null ? [] : [{ field: `subLicenses.${given.licenseKey}`, ...wrong }]
  })
  return [...errors, ...whyWrongProcess(draft, [...offered.values()].filter(isProcess))]
}

function whyInvalidSubLicence(
  given: SubLicenceEntry,
  subLicence: SubLicence | undefined,
  edition: Edition,
  repeated: boolean,
): CodedError | null {
  if (subLicence === undefined) return foreignLicence(given.licenseKey)
  if (repeated) return codedError('licence-twice', { licence: subLicence.key })
  const parent = subLicence.parent[edition]
  if (given.productKey !== '' && given.productKey !== parent)
    return codedError('licence-of-other-parent', { parent: parent ?? '' })
  if (isProcess(subLicence)) return [0, 1].includes(given.subLicenseAmount) ? null : codedError('process-size-amount')
  if (!Number.isInteger(given.subLicenseAmount) || given.subLicenseAmount < subLicence.minimum)
    return codedError('data-volume-minimum', { min: subLicence.minimum })
  if (given.subLicenseAmount <= maximumLicenceCount) return null
  return codedError('licence-count-too-large', { max: maximumLicenceCount })
}

function whyWrongProcess(draft: LicenceDraft, sizes: SubLicence[]): FieldError[] {
  const first = sizes[0]
  if (first === undefined) return []
  const keys = new Set(sizes.map((each) => each.key))
  const chosen = draft.subLicenses.filter((each) => keys.has(each.licenseKey) && each.subLicenseAmount > 0)
  if (chosen.length === 0) return [fieldError('subLicenses', 'process-size-missing')]
  if (chosen.length === 1) return []
  return [fieldError('subLicenses', 'process-size-twice')]
}

function foreignLicence(key: string): CodedError {
  return codedError('licence-unknown', { licence: key })
}

/** A licence has one type, or two to choose from. */
function otherType({ types: [type, otherType] }: Licence): CodedError {
  return otherType === undefined
    ? codedError('licence-type-fixed', { type: type ?? '' })
    : codedError('licence-type-either', { type: type ?? '', otherType })
}
