import type { RoomDraft } from '@roomkeeper/contract'
import { checkNewRoom } from '@roomkeeper/rules'
import { expect, test } from 'vitest'
import { licenceVariants } from './licence-variants.ts'

test('every seeded combination of licences is one that the rules let an operator create', () => {
  const variants = licenceVariants(100)
  expect(new Set(variants.map(({ product, edition }) => `${product} ${edition}`)).size).toBe(7)
  for (const variant of variants) {
    const draft: RoomDraft = {
      ...variant,
      tenantName: 'seeded1',
      region: 1,
      sapNumber: '1',
      productType: 'direct-sales',
      expirationDate: null,
      customerFirstName: 'A',
      customerLastName: 'B',
      customerEmail: 'a@b',
      customerContactDetails: null,
      companyName: 'C',
      salesman: null,
      salesmanEmail: 's@b',
      additionalEmail: variant.canHaveDelegate && variant.product !== 'ENTERPRISE' ? 'd@b' : null,
      priority: 0,
    }
    expect(checkNewRoom(draft, { today: '2026-01-01' }), JSON.stringify(variant)).toEqual([])
  }
})
