import { roomDraft } from '@roomkeeper/contract'
import { checkNewRoom } from '@roomkeeper/rules'
import { expect, test } from 'vitest'
import { licenceVariants } from './licence-variants.ts'

test('every seeded combination of licences is one that the rules let an operator create', () => {
  const variants = licenceVariants(100)
  expect(new Set(variants.map(({ product, edition }) => `${product} ${edition}`)).size).toBe(7)
  const plain = roomDraft.decode({
    tenantName: 'seeded1',
    product: 0,
    edition: 0,
    region: 1,
    sapNumber: '1',
    customerFirstName: 'A',
    customerLastName: 'B',
    customerEmail: 'a@b',
    companyName: 'C',
    salesmanEmail: 's@b',
  })
  for (const variant of variants) {
    const additionalEmail = variant.canHaveDelegate && variant.product !== 'ENTERPRISE' ? 'd@b' : null
    const draft = { ...plain, ...variant, additionalEmail }
    expect(checkNewRoom(draft, { today: '2026-01-01' }), JSON.stringify(variant)).toEqual([])
  }
})
