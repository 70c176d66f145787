/** Plausible licences for every product and edition, in their stored form. */
import {
  type Edition,
  editionsOf,
  type Licence,
  licencesOf,
  type Product,
  products,
  type SubLicence,
  type SubMiningType,
  subLicencesOf,
} from '@roomkeeper/contract'
import { type CompleteLicences, completeLicences, delegateApplies, isProcess } from '@roomkeeper/rules'

export interface LicenceVariant extends CompleteLicences {
  product: Product
  edition: Edition
  subMiningType: SubMiningType
  canHaveDelegate: boolean
}

/** @param perEdition how many variants to make for each product and edition */
export function licenceVariants(perEdition: number): LicenceVariant[] {
  return products.flatMap((product) =>
    editionsOf[product].flatMap((edition) => Array.from({ length: perEdition }, () => variant(product, edition))),
  )
}

function variant(product: Product, edition: Edition): LicenceVariant {
  const offered = licencesOf(product, edition)
  const counts = new Map(offered.map((licence) => [licence.key, plausibleCount(licence)]))
  for (const { key, needs } of offered) if (needs !== undefined && counts.get(needs) === 0) counts.set(key, 0)
  const complete = completeLicences({
    product,
    edition,
    licenses: Object.fromEntries(counts),
    licensesInformation: offered.map(({ key, types }) => ({
      licenseKey: key,
      licenseAmount: counts.get(key) ?? 0,
      licenseType: pick(types),
    })),
    subLicenses: subLicences(product, edition).map(([{ key, parent }, amount]) => ({
      licenseKey: key,
      subLicenseAmount: amount,
      productKey: parent[edition] ?? '',
    })),
  })
  const subMiningType = product === 'ENTERPRISE' ? pick(['MINING_BASIC', 'MINING_ENTERPRISE'] as const) : 'NONE'
  const room = { product, edition, ...complete }
  return { ...room, subMiningType, canHaveDelegate: delegateApplies(room) }
}

/** Mostly small, sometimes hundreds. At least the default, so that every room can have an owner. */
function plausibleCount(licence: Licence): number {
  const least = Math.max(licence.minimum, licence.default)
  if (licence.obsolete && Math.random() < 0.8) return 0
  const count = Math.floor(2 ** (Math.random() * 9)) - 1
  return Math.min(licence.maximum, Math.max(least, count))
}

function subLicences(product: Product, edition: Edition): [SubLicence, number][] {
  const offered = subLicencesOf(product, edition)
  const processes = offered.filter(isProcess)
  const volumes = offered.filter((each) => !isProcess(each))
  const chosen = processes.length === 0 ? [] : [pick(processes)]
  return [
    ...volumes.map((each): [SubLicence, number] => [each, 10 * (1 + Math.floor(Math.random() * 20))]),
    ...chosen.map((each): [SubLicence, number] => [each, 1]),
  ]
}

function pick<T>(from: readonly T[]): T {
  const picked = from[Math.floor(Math.random() * from.length)]
  if (picked === undefined) throw new Error('Nothing to pick from.')
  return picked
}
