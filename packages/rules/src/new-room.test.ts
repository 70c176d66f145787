import { englishReason, type RoomDraft } from '@roomkeeper/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aDraft, anyKind, everyKind, today, withCounts } from '../test/a-draft.ts'
import { inEnglish } from '../test/in-english.ts'
import {
  checkNewRoom,
  completeNewRoom,
  delegateApplies,
  delegateTakesLicence,
  missingLicenceWarning,
  whyTooFewLicences,
  withDelegate,
} from './index.ts'

const check = (draft: RoomDraft) => checkNewRoom(draft, { today })
const delegate = 'dora@example.org'

describe('the licences that owner and delegate need', () => {
  test.each([
    ['ARIS', 'basic', { YABD: 0 }, 'YABD', 'Designer license must be more or equal to 1 and less then 2147483647'],
    ['ARIS', 'advanced', { YAAD: 0 }, 'YAAD', 'Designer license must be more or equal to 1 and less then 2147483647'],
    [
      'ARIS',
      'basic',
      { YABD: 2147483647 },
      'YABD',
      'Designer license must be more or equal to 1 and less then 2147483647',
    ],
    ['ARIS', 'basic', { YABV: 2147483647 }, 'YABV', 'Must be at most 2147483646.'],
    ['ARIS', 'basic', { YABD: -1 }, 'YABD', 'Designer license must be more or equal to 1 and less then 2147483647'],
    ['ARIS', 'basic', { YABV: -1 }, 'YABV', 'Must be a whole number of 0 or more.'],
    ['MINING', 'basic', { YPMBA: 0 }, 'YPMBA', 'Analyst license must be more or equal to 1'],
    ['MINING', 'advanced', { YPMAA: 0 }, 'YPMAA', 'Analyst or engineer license must be more or equal to 1'],
    ['MINING', 'enterprise', { YPMEA: null }, 'YPMEA', 'Analyst or engineer license must be more or equal to 1'],
    ['ENTERPRISE', 'enterprise-shared', { ESA: 0 }, 'ESA', 'Admin license must be more or equal to 1'],
  ] as const)('%s %s with %o is refused', (product, edition, counts, key, message) => {
    const draft = withCounts(aDraft(product, edition), counts)
    expect(inEnglish(check(draft))).toEqual([{ field: `licenses.${key}`, message }])
  })

  test('what is wrong is told by a code and its parameters', () => {
    const tooFew = { YABD: 1 }
    const draft = withCounts(aDraft('ARIS', 'basic', { additionalEmail: delegate }), tooFew)
    const limits = { min: 2, limit: 2147483647 }
    expect(whyTooFewLicences(draft)).toEqual([{ field: 'licenses.YABD', code: 'designers-between', params: limits }])
  })

  test('an engineer will do instead of an analyst', () => {
    expect(check(withCounts(aDraft('MINING', 'advanced'), { YPMAA: 0, YPMAE: 1 }))).toEqual([])
  })

  test.each([
    ['ARIS', 'basic', { YABD: 1 }, 'YABD', 'Designer license must be more or equal to 2 and less then 2147483647'],
    ['MINING', 'basic', { YPMBA: 1 }, 'YPMBA', 'Analyst license must be more or equal to 2'],
    ['MINING', 'advanced', { YPMAA: 1 }, 'YPMAA', 'Analyst or engineer license must be more or equal to 2'],
    ['MINING', 'enterprise', { YPMEA: 0, YPMEE: 1 }, 'YPMEA', 'Analyst or engineer license must be more or equal to 2'],
  ] as const)('%s %s with a delegate and %o has too few', (product, edition, counts, key, message) => {
    const draft = withCounts(aDraft(product, edition, { additionalEmail: delegate }), counts)
    expect(inEnglish(whyTooFewLicences(draft))).toEqual([{ field: `licenses.${key}`, message }])
  })

  test.each([
    ['MINING', 'basic', { YPMBA: 2 }],
    ['MINING', 'advanced', { YPMAA: 1, YPMAE: 1 }],
    ['MINING', 'advanced', { YPMAA: 0, YPMAE: 2 }],
    ['MINING', 'enterprise', { YPMEA: 2, YPMEE: 0 }],
    ['ARIS', 'advanced-base-extension', { YAAD: 2 }],
  ] as const)('%s %s with a delegate and %o is enough', (product, edition, counts) => {
    expect(check(withCounts(aDraft(product, edition, { additionalEmail: delegate }), counts))).toEqual([])
  })

  test.each([
    ['ARIS', 'basic', { YABD: 0 }, 'Please add minimum one designer licence'],
    ['MINING', 'basic', { YPMBA: 0 }, 'Please add minimum one analyst licence'],
    ['MINING', 'advanced', { YPMAA: 0 }, 'Please add minimum one analyst licence or engineer'],
    ['ENTERPRISE', 'enterprise-shared', { ESA: 0 }, 'Please add minimum one admin licence'],
  ] as const)('%s %s with %o: the warning before building', (product, edition, counts, warning) => {
    const reason = missingLicenceWarning(withCounts(aDraft(product, edition), counts))
    expect(reason && englishReason(reason)).toBe(warning)
    expect(missingLicenceWarning(aDraft(product, edition))).toBeNull()
  })
})

describe('the delegate', () => {
  // shows: delegate-designers
  test('raises the designers from 1 to 2, in the counts and beside the types', () => {
    const room = completeNewRoom(aDraft('ARIS', 'advanced', { additionalEmail: delegate }))
    expect(room.additionalEmail).toBe(delegate)
    expect(room.licenses.YAAD).toBe(2)
    expect(room.licensesInformation.find((each) => each.licenseKey === 'YAAD')?.licenseAmount).toBe(2)
    expect(check(aDraft('ARIS', 'advanced', { additionalEmail: delegate }))).toEqual([])
  })

  test('does not hide that there is no designer at all', () => {
    const draft = withCounts(aDraft('ARIS', 'basic', { additionalEmail: delegate }), { YABD: 0 })
    expect(check(draft).map((each) => each.field)).toEqual(['licenses.YABD'])
  })

  // shows: catalogue-no-delegate
  test('of an ENTERPRISE room is not kept', () => {
    const draft = aDraft('ENTERPRISE', 'enterprise-shared', { additionalEmail: delegate })
    expect(check(draft)).toEqual([])
    expect(completeNewRoom(draft).additionalEmail).toBeNull()
  })

  // shows: delegate-differs
  test('equal to the owner in any case and spacing is always refused', () => {
    const spaces = fc.stringMatching(/^[ \t]{0,3}$/)
    fc.assert(
      fc.property(anyKind, fc.emailAddress(), fc.boolean(), spaces, spaces, (kind, email, upper, before, after) => {
        const additionalEmail = before + (upper ? email.toUpperCase() : email.toLowerCase()) + after
        const draft = aDraft(kind.product, kind.edition, { customerEmail: email, additionalEmail })
        expect(inEnglish(check(draft))).toContainEqual({
          field: 'additionalEmail',
          message: 'The E-mail address of the delegate and owner has to be different.',
        })
      }),
    )
  })

  test('applies to every stored room that has one', () => {
    const counts = fc.array(fc.option(fc.nat(3)), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(anyKind, counts, ({ product, edition }, given) => {
        const draft = aDraft(product, edition, { additionalEmail: delegate })
        const keys = Object.keys(draft.licenses).slice(0, 3)
        const changed = withCounts(draft, Object.fromEntries(keys.map((key, n) => [key, given[n] ?? null] as const)))
        fc.pre(check(changed).length === 0)
        const room = completeNewRoom(changed)
        expect(room.additionalEmail !== null).toBe(delegateApplies(room))
        expect(withDelegate(room)).toEqual(room)
      }),
    )
  })

  test.each([
    ['ARIS', 'basic', { YABD: 1 }, false],
    ['ARIS', 'basic', { YABD: 2 }, true],
    ['MINING', 'basic', { YPMBA: 1 }, false],
    ['MINING', 'basic', { YPMBA: 2 }, true],
    ['MINING', 'enterprise', { YPMEA: 1, YPMEE: 1 }, true],
    ['MINING', 'enterprise', { YPMEA: 1, YPMEE: 0 }, false],
    ['MINING', 'advanced', { YPMAA: 0, YPMAE: 2 }, true],
    ['ENTERPRISE', 'enterprise-shared', { ESA: 9, ESD: 9 }, false],
  ] as const)('%s %s with %o: applies %s', (product, edition, counts, expected) => {
    expect(delegateApplies(withCounts(aDraft(product, edition), counts))).toBe(expected)
  })

  test('takes a licence from somebody only when none is free', () => {
    const draft = (designers: number) =>
      withCounts(aDraft('ARIS', 'basic', { additionalEmail: delegate }), { YABD: designers })
    expect(delegateTakesLicence(draft(1))).toBe(true)
    expect(delegateTakesLicence(draft(2))).toBe(false)
    expect(delegateTakesLicence(draft(2), 2)).toBe(true)
    expect(delegateTakesLicence({ ...draft(1), additionalEmail: null })).toBe(false)
  })
})

describe('a new room', () => {
  test('has an edition of its product', () => {
    fc.assert(
      fc.property(anyKind, anyKind, ({ product }, { edition }) => {
        const known = everyKind.some((each) => each.product === product && each.edition === edition)
        const errors = check({ ...aDraft('ARIS', 'basic'), product, edition })
        expect(errors.some((each) => each.field === 'edition')).toBe(!known)
      }),
    )
  })

  // shows: create-expiry
  test('does not expire before today', () => {
    const expiring = (expirationDate: string | null) => check(aDraft('ARIS', 'basic', { expirationDate }))
    expect(expiring('2026-06-14').map((each) => each.field)).toEqual(['expirationDate'])
    expect(expiring('2026-06-15')).toEqual([])
    expect(expiring('2030-01-01')).toEqual([])
    expect(expiring(null)).toEqual([])
  })

  // shows: catalogue-sub-mining
  test('has a sub mining type exactly when it is an ENTERPRISE room', () => {
    const enterprise = (subMiningType: RoomDraft['subMiningType']) =>
      check(aDraft('ENTERPRISE', 'enterprise-shared', { subMiningType })).map((each) => each.field)
    expect(enterprise('NONE')).toEqual(['subMiningType'])
    expect(enterprise('MINING_BASIC')).toEqual([])
    expect(enterprise('MINING_ENTERPRISE')).toEqual([])
    const aris = aDraft('ARIS', 'basic', { subMiningType: 'MINING_BASIC' })
    expect(check(aris).map((each) => each.field)).toEqual(['subMiningType'])
  })

  test('shows each field one error at most', () => {
    const counts = fc.array(fc.option(fc.integer({ min: -2, max: 3 })), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(anyKind, counts, ({ product, edition }, given) => {
        const keys = Object.keys(aDraft(product, edition).licenses)
        const draft = withCounts(
          aDraft(product, edition),
          Object.fromEntries(keys.map((key, n) => [key, given[n] ?? null] as const)),
        )
        const fields = check(draft).map((each) => each.field)
        expect(new Set(fields).size).toBe(fields.length)
      }),
    )
  })
})
