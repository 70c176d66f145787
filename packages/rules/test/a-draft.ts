/** Drafts of rooms for the tests of the rules: valid unless told otherwise. */
import { type Edition, editionsOf, type Product, products, type RoomDraft } from '@roomkeeper/contract'
import fc from 'fast-check'
import { defaultLicences } from '../src/index.ts'

export const today = '2026-06-15'

export function aDraft(product: Product, edition: Edition, changes: Partial<RoomDraft> = {}): RoomDraft {
  return {
    tenantName: 'room1',
    product,
    edition,
    region: 1,
    sapNumber: '4711',
    productType: 'direct-sales',
    expirationDate: null,
    customerFirstName: 'Ada',
    customerLastName: 'Byron',
    customerEmail: 'ada@example.org',
    customerContactDetails: null,
    companyName: 'Example',
    salesman: null,
    salesmanEmail: 'sales@example.org',
    additionalEmail: null,
    priority: 0,
    ...defaultLicences(product, edition),
    subMiningType: product === 'ENTERPRISE' ? 'MINING_BASIC' : 'NONE',
    ...changes,
  }
}

/** A draft with other counts; what the forms would send along in licensesInformation is left out. */
export function withCounts(draft: RoomDraft, counts: RoomDraft['licenses']): RoomDraft {
  return { ...draft, licenses: { ...draft.licenses, ...counts }, licensesInformation: [] }
}

export const everyKind = products.flatMap((product) => editionsOf[product].map((edition) => ({ product, edition })))
export const anyKind = fc.constantFrom(...everyKind)
