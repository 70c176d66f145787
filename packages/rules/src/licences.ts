/** The licences of a room: the defaults of a new room, the counts in a draft, and the stored form. */
import {
  type Edition,
  type Licence,
  type LicenceTotalKey,
  licencesOf,
  type Product,
  type ProjectRoom,
  type RoomDraft,
  type SubLicence,
  type SubLicenceEntry,
  subLicencesOf,
} from '@roomkeeper/contract'

export type LicenceDraft = Pick<RoomDraft, 'product' | 'edition' | 'licenses' | 'licensesInformation' | 'subLicenses'>
/** Every licence of the product and edition with its count and type, the data volume, and the chosen process size. */
export type CompleteLicences = Pick<ProjectRoom, 'licenses' | 'licensesInformation' | 'subLicenses'>

/** The licences in a new room's form: the catalogue's defaults and, if one is needed, the smallest Living process. */
export function defaultLicences(product: Product, edition: Edition): CompleteLicences {
  const counts = licencesOf(product, edition).map((licence) => [licence.key, licence.default] as const)
  const offered = subLicencesOf(product, edition)
  const process = offered.find((each) => each.kind === 'process-living')
  const volume = offered.find((each) => each.kind === 'data-volume')
  const chosen = [volume, process].filter((each) => each !== undefined)
  return completeLicences({
    product,
    edition,
    licenses: Object.fromEntries(counts),
    licensesInformation: [],
    subLicenses: chosen.map((each) => subLicenceEntry(each, edition, each.default[edition] ?? 1)),
  })
}

/**
 * The stored form of a draft's licences. An empty count becomes 0, or 1 for a mandatory licence; an absent data volume
 * becomes the edition's default; types and parents are filled in; process sizes that were not chosen are left out.
 * Check the draft first, because keys that the product and edition do not have are left out too.
 */
export function completeLicences(draft: LicenceDraft): CompleteLicences {
  const offered = licencesOf(draft.product, draft.edition)
  const counts = countsOf(draft)
  const types = new Map(draft.licensesInformation.map((each) => [each.licenseKey, each.licenseType]))
  return {
    licenses: Object.fromEntries(offered.map((licence) => [licence.key, counts(licence.key)])),
    licensesInformation: offered.map((licence) => ({
      licenseKey: licence.key,
      licenseAmount: counts(licence.key),
      licenseType: types.get(licence.key) ?? defaultType(licence),
    })),
    subLicenses: completeSubLicences(draft),
  }
}

/** Gives the count of a licence in a draft by its key; 0 for licences that the product and edition do not have. */
export function countsOf(draft: Pick<LicenceDraft, 'product' | 'edition' | 'licenses'>): (key: string) => number {
  const given = new Map(Object.entries(draft.licenses))
  const offered = new Map(licencesOf(draft.product, draft.edition).map((each) => [each.key, each]))
  return (key) => {
    const licence = offered.get(key)
    return licence === undefined ? 0 : (given.get(key) ?? emptyMeans(licence))
  }
}

/** The count that an empty input for this licence means. */
export function emptyMeans(licence: Licence): number {
  return licence.minimum > 0 ? 1 : 0
}

/** The licence of this product and edition that counts towards a total, such as `designers`. */
export function licenceCountedAs(product: Product, edition: Edition, total: LicenceTotalKey): Licence | undefined {
  return licencesOf(product, edition).find((each) => each.countedAs === total)
}

/** Whether a sub-licence is a process size and not the data volume. A room has exactly one process size. */
export function isProcess(subLicence: SubLicence): boolean {
  return subLicence.kind !== 'data-volume'
}

/** How a MINING room's processes are licensed; null for rooms without a process size. */
export function processTypeOf(
  room: LicenceDraft | Pick<ProjectRoom, 'product' | 'edition' | 'subLicenses'>,
): ProjectRoom['options'] {
  const chosen = new Set(room.subLicenses.filter((each) => each.subLicenseAmount > 0).map((each) => each.licenseKey))
  const process = subLicencesOf(room.product, room.edition).find((each) => isProcess(each) && chosen.has(each.key))
  if (process === undefined) return null
  return process.kind === 'process-flex' ? 'FLEX' : 'LIVING'
}

function completeSubLicences(draft: LicenceDraft): SubLicenceEntry[] {
  const given = new Map(draft.subLicenses.map((each) => [each.licenseKey, each.subLicenseAmount]))
  return subLicencesOf(draft.product, draft.edition)
    .map((each) => ({ each, amount: given.get(each.key) ?? each.default[draft.edition] ?? 0 }))
    .filter(({ each, amount }) => amount > 0 || !isProcess(each))
    .map(({ each, amount }) => subLicenceEntry(each, draft.edition, amount))
}

function subLicenceEntry(subLicence: SubLicence, edition: Edition, amount: number): SubLicenceEntry {
  return { licenseKey: subLicence.key, subLicenseAmount: amount, productKey: subLicence.parent[edition] ?? '' }
}

function defaultType(licence: Licence) {
  return licence.types[0] ?? 'NUC'
}
