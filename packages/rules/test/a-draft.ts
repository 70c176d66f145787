/** Makes drafts of rooms for the tests of the rules, valid by default. */
import { type Edition, editionsOf, type Product, products, type RoomDraft, roomDraft } from '@roomkeeper/contract'
import fc from 'fast-check'
import { defaultLicences } from '../src/index.ts'

export const today = '2026-06-15'

/** Fields that are not named here have their defaults. */
const plain = roomDraft.decode({
  tenantName: 'room1',
  product: 0,
  edition: 0,
  region: 1,
  sapNumber: '4711',
  customerFirstName: 'Ada',
  customerLastName: 'Byron',
  customerEmail: 'ada@example.org',
  companyName: 'Example',
  salesmanEmail: 'sales@example.org',
})

export function aDraft(product: Product, edition: Edition, changes: Partial<RoomDraft> = {}): RoomDraft {
  return {
    ...plain,
    product,
    edition,
    ...defaultLicences(product, edition),
    subMiningType: product === 'ENTERPRISE' ? 'MINING_BASIC' : 'NONE',
    ...changes,
  }
}

/** A draft with other counts and without `licensesInformation`, which forms would send along. */
export function withCounts(draft: RoomDraft, counts: RoomDraft['licenses']): RoomDraft {
  return { ...draft, licenses: { ...draft.licenses, ...counts }, licensesInformation: [] }
}

export const everyKind = products.flatMap((product) => editionsOf[product].map((edition) => ({ product, edition })))
export const anyKind = fc.constantFrom(...everyKind)
