/** What can be wrong with the licences of a draft. */
import {
  type Edition,
  type FieldError,
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
 * What is wrong with the licences by themselves: keys, types, amounts, sub-licences. How many of which licence a
 * room needs depends on its delegate too and is in mandatory-licences.ts.
 */
export function whyInvalidLicences(draft: LicenceDraft): FieldError[] {
  return [...whyInvalidCounts(draft), ...whyInvalidInformation(draft), ...whyInvalidSubLicences(draft)]
}

function whyInvalidCounts(draft: LicenceDraft): FieldError[] {
  const offered = new Map(licencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const counts = countsOf(draft)
  return Object.keys(draft.licenses).flatMap((key) => {
    const licence = offered.get(key)
    const message = licence === undefined ? foreignLicence(key) : whyInvalidCount(licence, counts)
    return message === null ? [] : [{ field: `licenses.${key}`, message }]
  })
}

function whyInvalidCount(licence: Licence, counts: (key: string) => number): string | null {
  const count = counts(licence.key)
  if (!Number.isInteger(count) || count < 0) return 'Must be a whole number of 0 or more.'
  if (count > licence.maximum) return `Must be at most ${licence.maximum}.`
  if (licence.needs !== undefined && count > 0 && counts(licence.needs) === 0)
    return `${licence.label} licences need at least one architect licence.`
  return null
}

function whyInvalidInformation(draft: LicenceDraft): FieldError[] {
  const offered = new Map(licencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const counts = countsOf(draft)
  const seen = new Set<string>()
  return draft.licensesInformation.flatMap((given) => {
    const message = whyInvalidEntry(given, offered.get(given.licenseKey), counts, seen.has(given.licenseKey))
    seen.add(given.licenseKey)
    return message === null ? [] : [{ field: `licensesInformation.${given.licenseKey}`, message }]
  })
}

function whyInvalidEntry(
  given: LicenceInformation,
  licence: Licence | undefined,
  counts: (key: string) => number,
  repeated: boolean,
): string | null {
  if (licence === undefined) return foreignLicence(given.licenseKey)
  if (repeated) return `The licence ${licence.key} is named twice.`
  if (!licence.types.includes(given.licenseType))
    return `The type of this licence must be ${licence.types.join(' or ')}.`
  const count = counts(licence.key)
  // A count that is no number is reported by itself.
  if (Number.isInteger(count) && given.licenseAmount !== count)
    return `The amount ${given.licenseAmount} differs from the count ${count} in licenses.`
  return null
}

function whyInvalidSubLicences(draft: LicenceDraft): FieldError[] {
  const offered = new Map(subLicencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  const seen = new Set<string>()
  const errors = draft.subLicenses.flatMap((given) => {
    const message = whyInvalidSubLicence(
      given,
      offered.get(given.licenseKey),
      draft.edition,
      seen.has(given.licenseKey),
    )
    seen.add(given.licenseKey)
    return message === null ? [] : [{ field: `subLicenses.${given.licenseKey}`, message }]
  })
  return [...errors, ...whyWrongProcess(draft, [...offered.values()].filter(isProcess))]
}

function whyInvalidSubLicence(
  given: SubLicenceEntry,
  subLicence: SubLicence | undefined,
  edition: Edition,
  repeated: boolean,
): string | null {
  if (subLicence === undefined) return foreignLicence(given.licenseKey)
  if (repeated) return `The licence ${subLicence.key} is named twice.`
  const parent = subLicence.parent[edition]
  if (given.productKey !== '' && given.productKey !== parent) return `This licence belongs to ${parent}.`
  if (isProcess(subLicence)) return given.subLicenseAmount > 1 ? 'A process size is licensed once (amount 1).' : null
  if (!Number.isInteger(given.subLicenseAmount) || given.subLicenseAmount < subLicence.minimum)
    return `Data volume must be more or equal to ${subLicence.minimum}`
  return given.subLicenseAmount > maximumLicenceCount ? `Must be at most ${maximumLicenceCount}.` : null
}

function whyWrongProcess(draft: LicenceDraft, sizes: SubLicence[]): FieldError[] {
  const first = sizes[0]
  if (first === undefined) return []
  const keys = new Set(sizes.map((each) => each.key))
  const chosen = draft.subLicenses.filter((each) => keys.has(each.licenseKey) && each.subLicenseAmount > 0)
  if (chosen.length === 0) return [{ field: 'subLicenses', message: 'Please select a process size.' }]
  if (chosen.length === 1) return []
  return [{ field: 'subLicenses', message: 'Please select only one process size.' }]
}

function foreignLicence(key: string): string {
  return `This product and edition have no licence ${key}.`
}
