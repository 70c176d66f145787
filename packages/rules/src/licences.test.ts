import { licences, licencesOf, type RoomDraft, subLicences, subLicencesOf } from '@roomkeeper/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aDraft, anyKind, everyKind, today, withCounts } from '../test/a-draft.ts'
import { inEnglish } from '../test/in-english.ts'
import {
  checkNewRoom,
  completeLicences,
  defaultLicences,
  type LicenceDraft,
  processTypeOf,
  whyInvalidLicences,
} from './index.ts'

describe('the licences that a new room starts with', () => {
  // shows: catalogue-start
  test.each(everyKind)('$product $edition: valid as they are', ({ product, edition }) => {
    expect(checkNewRoom(aDraft(product, edition), { today })).toEqual([])
  })

  // shows: catalogue-start
  test('are those of the catalogue', () => {
    expect(defaultLicences('ARIS', 'basic')).toEqual({
      licenses: { YABV: 0, YABD: 1 },
      licensesInformation: [
        { licenseKey: 'YABV', licenseAmount: 0, licenseType: 'NUC' },
        { licenseKey: 'YABD', licenseAmount: 1, licenseType: 'NUC' },
      ],
      subLicenses: [],
    })
    expect(defaultLicences('MINING', 'basic').subLicenses).toEqual([
      { licenseKey: 'DataVolumeGB', subLicenseAmount: 10, productKey: 'YPMBA' },
    ])
    expect(defaultLicences('MINING', 'advanced').subLicenses).toEqual([
      { licenseKey: 'DataVolumeGB', subLicenseAmount: 10, productKey: 'YPMAA' },
      { licenseKey: 'YPMA1', subLicenseAmount: 1, productKey: 'YPMAA' },
    ])
    expect(defaultLicences('MINING', 'enterprise')).toMatchObject({
      licenses: { YPMEA: 1, YPMEE: 0, YPMEV: 0 },
      subLicenses: [
        { licenseKey: 'DataVolumeGB', subLicenseAmount: 20, productKey: 'YPMEA' },
        { licenseKey: 'YPME1', subLicenseAmount: 1, productKey: 'YPMEA' },
      ],
    })
    expect(defaultLicences('ENTERPRISE', 'enterprise-shared')).toMatchObject({
      licenses: { ESV: 0, ESVP: 0, ESD: 0, ESA: 1, ESSC: 0, ESAI: 0 },
      subLicenses: [],
    })
  })
})

describe('completing licences', () => {
  // shows: licence-empty
  test('an empty count becomes 0, that of a mandatory licence 1', () => {
    const draft: LicenceDraft = {
      product: 'ARIS',
      edition: 'advanced',
      licenses: { YAAV: null },
      licensesInformation: [],
      subLicenses: [],
    }
    expect(completeLicences(draft).licenses).toEqual({
      YAAV: 0,
      YAAD: 1,
      YAAA: 0,
      YAADS: 0,
      YAABS: 0,
      YAAEAM: 0,
      YAAAS: 0,
    })
  })

  test('an absent data volume becomes that of the edition, a parent is filled in, and a size of 0 goes', () => {
    const draft: LicenceDraft = {
      product: 'MINING',
      edition: 'enterprise',
      licenses: { YPMEA: 3 },
      licensesInformation: [],
      subLicenses: [
        { licenseKey: 'YPME4', subLicenseAmount: 1, productKey: '' },
        { licenseKey: 'YPMEF', subLicenseAmount: 0, productKey: '' },
      ],
    }
    expect(completeLicences(draft).subLicenses).toEqual([
      { licenseKey: 'DataVolumeGB', subLicenseAmount: 20, productKey: 'YPMEA' },
      { licenseKey: 'YPME4', subLicenseAmount: 1, productKey: 'YPMEA' },
    ])
  })

  test('a chosen type is kept, the others get their first', () => {
    const draft = aDraft('ENTERPRISE', 'enterprise-shared', {
      licenses: { ESV: 4, ESAI: 9 },
      licensesInformation: [{ licenseKey: 'ESV', licenseAmount: 4, licenseType: 'CUC' }],
    })
    const types = completeLicences(draft).licensesInformation.map((each) => [each.licenseKey, each.licenseType])
    expect(Object.fromEntries(types)).toEqual({
      ESV: 'CUC',
      ESVP: 'NUC',
      ESD: 'NUC',
      ESA: 'NUC',
      ESSC: 'TEN',
      ESAI: 'TEN',
    })
  })

  test('twice is the same as once, and what comes out agrees with itself', () => {
    fc.assert(
      fc.property(anyLicenceDraft, (draft) => {
        const once = completeLicences(draft)
        expect(completeLicences({ ...draft, ...once })).toEqual(once)
        expect(Object.keys(once.licenses)).toEqual(licencesOf(draft.product, draft.edition).map((each) => each.key))
        for (const each of once.licensesInformation) expect(once.licenses[each.licenseKey]).toBe(each.licenseAmount)
        const unchosen = once.subLicenses.filter((each) => each.subLicenseAmount === 0)
        expect(unchosen.filter((each) => each.licenseKey !== 'DataVolumeGB')).toEqual([])
      }),
    )
  })

  test('a valid draft stays valid', () => {
    fc.assert(
      fc.property(anyLicenceDraft, (draft) => {
        fc.pre(whyInvalidLicences(draft).length === 0)
        expect(whyInvalidLicences({ ...draft, ...completeLicences(draft) })).toEqual([])
      }),
    )
  })
})

describe('refused licences', () => {
  const refused = (draft: RoomDraft) => whyInvalidLicences(draft).map((each) => each.field)

  // shows: catalogue-foreign
  test('a licence of another product or edition, whatever its count', () => {
    fc.assert(
      fc.property(anyKind, fc.constantFrom(...licences), fc.nat(3), ({ product, edition }, licence, count) => {
        const own = licence.product === product && licence.editions.includes(edition)
        const found = refused(withCounts(aDraft(product, edition), { [licence.key]: count }))
        if (!own) expect(found).toContain(`licenses.${licence.key}`)
      }),
    )
    expect(refused(withCounts(aDraft('ARIS', 'basic'), { constructor: 1 }))).toEqual(['licenses.constructor'])
  })

  test('a sub-licence of another product or edition', () => {
    fc.assert(
      fc.property(anyKind, fc.constantFrom(...subLicences), ({ product, edition }, sub) => {
        fc.pre(!subLicencesOf(product, edition).includes(sub))
        const draft = aDraft(product, edition)
        const entry = { licenseKey: sub.key, subLicenseAmount: 1, productKey: '' }
        expect(refused({ ...draft, subLicenses: [...draft.subLicenses, entry] })).toContain(`subLicenses.${sub.key}`)
      }),
    )
  })

  test('amounts in licensesInformation that differ from the counts', () => {
    const draft = aDraft('ARIS', 'basic', {
      licenses: { YABD: 3 },
      licensesInformation: [{ licenseKey: 'YABD', licenseAmount: 4, licenseType: 'NUC' }],
    })
    expect(inEnglish(whyInvalidLicences(draft))).toEqual([
      { field: 'licensesInformation.YABD', message: 'The amount 4 differs from the count 3 in licenses.' },
    ])
  })

  // shows: catalogue-types
  test('a type that the licence cannot have, and the same licence twice', () => {
    const entry = { licenseKey: 'ESA', licenseAmount: 1, licenseType: 'CUC' } as const
    const draft = aDraft('ENTERPRISE', 'enterprise-shared', { licensesInformation: [entry] })
    expect(inEnglish(whyInvalidLicences(draft))).toEqual([
      { field: 'licensesInformation.ESA', message: 'The type of this licence must be NUC.' },
    ])
    const named = { ...entry, licenseType: 'NUC' } as const
    expect(inEnglish(whyInvalidLicences({ ...draft, licensesInformation: [named, named] }))).toEqual([
      { field: 'licensesInformation.ESA', message: 'The licence ESA is named twice.' },
    ])
  })

  // shows: catalogue-architect
  test.each(['YAABS', 'YAAEAM', 'YAAAS'])('%s without an architect', (key) => {
    const draft = withCounts(aDraft('ARIS', 'advanced'), { [key]: 1 })
    expect(refused(draft)).toEqual([`licenses.${key}`])
    expect(refused(withCounts(draft, { YAAA: 1 }))).toEqual([])
  })

  // shows: catalogue-calm
  test('more than one SAP Calm server', () => {
    const draft = aDraft('ENTERPRISE', 'enterprise-shared')
    expect(refused(withCounts(draft, { ESSC: 1 }))).toEqual([])
    expect(refused(withCounts(draft, { ESSC: 2 }))).toEqual(['licenses.ESSC'])
  })

  // shows: licence-mining-volume
  test('a data volume below 1 GB, a wrong parent', () => {
    const volume = (subLicenseAmount: number, productKey = '') =>
      aDraft('MINING', 'basic', { subLicenses: [{ licenseKey: 'DataVolumeGB', subLicenseAmount, productKey }] })
    expect(refused(volume(1))).toEqual([])
    expect(refused(volume(0))).toEqual(['subLicenses.DataVolumeGB'])
    expect(refused(volume(2_147_483_646))).toEqual([])
    expect(refused(volume(2_147_483_647))).toEqual(['subLicenses.DataVolumeGB'])
    expect(refused(volume(1, 'YPMEA'))).toEqual(['subLicenses.DataVolumeGB'])
  })

  // shows: catalogue-process
  test.each([
    ['advanced', ['YPMEF', 'YPMA1']],
    ['enterprise', ['YPMEF', 'YPME1', 'YPME2', 'YPME3', 'YPME4', 'YPME5', 'YPME6', 'YPME7']],
  ] as const)('MINING %s without exactly one process size of %j', (edition, sizes) => {
    const room = (keys: readonly string[]) =>
      aDraft('MINING', edition, {
        subLicenses: keys.map((licenseKey) => ({ licenseKey, subLicenseAmount: 1, productKey: '' })),
      })
    expect(refused(room([]))).toEqual(['subLicenses'])
    for (const size of sizes) expect(refused(room([size]))).toEqual([])
    expect(refused(room(sizes.slice(0, 2)))).toEqual(['subLicenses'])
  })
})

test('how processes are licensed follows from the chosen size', () => {
  const mining = (key: string) =>
    aDraft('MINING', 'enterprise', { subLicenses: [{ licenseKey: key, subLicenseAmount: 1, productKey: '' }] })
  expect(processTypeOf(mining('YPMEF'))).toBe('FLEX')
  expect(processTypeOf(mining('YPME7'))).toBe('LIVING')
  expect(processTypeOf(aDraft('MINING', 'basic'))).toBeNull()
  expect(processTypeOf(aDraft('ARIS', 'basic'))).toBeNull()
})

const anyLicenceDraft: fc.Arbitrary<LicenceDraft> = anyKind.chain(({ product, edition }) =>
  fc
    .record({
      counts: fc.array(fc.option(fc.nat(5)), { minLength: 8, maxLength: 8 }),
      chosenType: fc.constantFrom('NUC' as const, 'CUC' as const),
      amounts: fc.array(fc.option(fc.nat(2)), { minLength: 9, maxLength: 9 }),
    })
    .map(({ counts, chosenType, amounts }) => {
      const counted = licencesOf(product, edition).map((each, n) => ({ each, count: counts[n] ?? null }))
      const typed = counted.filter(({ each, count }) => each.types.includes('CUC') && count !== null)
      const sub = subLicencesOf(product, edition).map((each, n) => ({ each, amount: amounts[n] ?? null }))
      return {
        product,
        edition,
        licenses: Object.fromEntries(counted.map(({ each, count }) => [each.key, count])),
        licensesInformation: typed.map(({ each, count }) => ({
          licenseKey: each.key,
          licenseAmount: count ?? 0,
          licenseType: chosenType,
        })),
        subLicenses: sub
          .filter(({ amount }) => amount !== null)
          .map(({ each, amount }) => ({ licenseKey: each.key, subLicenseAmount: amount ?? 0, productKey: '' })),
      }
    }),
)
