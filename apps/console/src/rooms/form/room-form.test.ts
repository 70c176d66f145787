import {
  editionsOf,
  licences,
  products,
  type Region,
  roomDraft,
  roomFieldsWith,
  subLicences,
} from '@roomkeeper/contract'
import { checkNewRoom, completeNewRoom } from '@roomkeeper/rules'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inEnglish, missingInGerman } from '#locales/errors-in-words.test-support.ts'
import de from '../../locales/de/form.json' with { type: 'json' }
import en from '../../locales/mcp_ui/form.json' with { type: 'json' }
import {
  afterEditionChange,
  afterProductChange,
  delegateIsShown,
  draftOf,
  emptyRoomForm,
  formOf,
  lacksNeededLicence,
  type RoomForm,
  raisedForDelegate,
} from './room-form.ts'
import { errorsOfNewRoom } from './room-form-errors.ts'

const today = '2026-06-15'
const everyKind = products.flatMap((product) => editionsOf[product].map((edition) => ({ product, edition })))

function region(changes: Partial<Region> = {}): Region {
  return {
    regionId: 1,
    regionName: 'north',
    regionIP: 'https://north.example.org',
    selectedSourceRegion: [],
    userName: 'superuser',
    productVersion: ['ARIS', 'MINING', 'ENTERPRISE'],
    state: 'enabled',
    maxNumOfTenants: 5,
    numberOfProjectRooms: 2,
    isMigrationTarget: false,
    warning: null,
    version: 1,
    softwareVersion: null,
    health: null,
    healthSince: null,
    ...changes,
  }
}

function filledIn(kind = everyKind[0], changes: Partial<RoomForm> = {}): RoomForm {
  const { product, edition } = kind ?? { product: 'ARIS', edition: 'basic' }
  const form = { ...emptyRoomForm(), ...afterProductChange(product) }
  return {
    ...form,
    ...afterEditionChange(form, edition),
    tenantName: 'room1',
    subMiningType: product === 'ENTERPRISE' ? 'MINING_BASIC' : 'NONE',
    region: '1',
    customerEmail: ' owner@example.org ',
    companyName: 'Example',
    customerFirstName: 'Ada',
    customerLastName: 'Byron',
    sapNumber: '4711',
    salesmanEmail: 'sales@example.org',
    ...changes,
  }
}
const errors = (form: RoomForm) => inEnglish(errorsOfNewRoom(form, region(), today))

describe('a filled in form', () => {
  test.each(everyKind)('of $product $edition is what the server accepts', (kind) => {
    const form = filledIn(kind)
    expect(errors(form)).toEqual({})
    const draft = draftOf(form)
    expect(z.decode(roomDraft, z.encode(roomDraft, draft))).toEqual(draft)
    expect(checkNewRoom(draft, { today })).toEqual([])
  })

  test('is sent trimmed, with null for what was left empty', () => {
    expect(draftOf(filledIn())).toMatchObject({
      customerEmail: 'owner@example.org',
      salesman: null,
      customerContactDetails: null,
      additionalEmail: null,
      expirationDate: null,
      productType: 'direct-sales',
    })
    expect(draftOf(filledIn(undefined, { expirationDate: '31.1.2027' })).expirationDate).toBe('2027-01-31')
  })
})

describe('a form filled from a room', () => {
  test.each(everyKind)('of $product $edition stands for what is stored', ({ product, edition }) => {
    const stored = completeNewRoom(draftOf(filledIn({ product, edition }, { expirationDate: '31.01.2027' })))
    expect(draftOf(formOf(stored))).toEqual(stored)
  })

  test('of which only product and edition are known lacks the required fields', () => {
    const form = formOf({ product: 'MINING', edition: 'advanced' })
    expect(form).toMatchObject({ tenantName: '', region: null, process: 'YPMA1', licenses: { YPMAA: 0 } })
    expect(Object.keys(errors(form))).toEqual(expect.arrayContaining(['tenantName', 'customerEmail', 'sapNumber']))
  })
})

describe('what is wrong', () => {
  test('with an empty form are just the required fields', () => {
    expect(Object.keys(errorsOfNewRoom(emptyRoomForm(), undefined, today)).sort()).toEqual([
      'companyName',
      'customerEmail',
      'customerFirstName',
      'customerLastName',
      'region',
      'salesmanEmail',
      'sapNumber',
      'tenantName',
    ])
  })

  // shows: create-name
  test.each(['Room1', '1room', 'ro', 'room-1', 'r23456789012345678901234x'])('with the name %s', (tenantName) => {
    expect(errors(filledIn(undefined, { tenantName }))).toEqual({ tenantName: 'Project room name invalid' })
  })

  test('with a full region', () => {
    expect(inEnglish(errorsOfNewRoom(filledIn(), region({ numberOfProjectRooms: 5 }), today))).toEqual({
      region: 'The maximum number of tenants for selected region is exceeded',
    })
    expect(errorsOfNewRoom(filledIn(), region({ numberOfProjectRooms: 5, maxNumOfTenants: -1 }), today)).toEqual({})
  })

  test.each([
    ['14.06.2026', 'The expiration date must not be earlier than today.'],
    ['31.02.2027', 'Please enter a date as dd.MM.yyyy.'],
  ])('with the expiration date %s', (expirationDate, message) => {
    expect(errors(filledIn(undefined, { expirationDate }))).toEqual({ expirationDate: message })
  })

  test('with an ENTERPRISE room without a sub mining type', () => {
    const form = filledIn({ product: 'ENTERPRISE', edition: 'enterprise-shared' }, { subMiningType: 'NONE' })
    expect(errors(form)).toEqual({ subMiningType: 'Please select the sub mining type.' })
  })

  // shows: licence-counts-refused
  test.each([
    [{ YABD: 0 }, { 'licenses.YABD': 'Designer license must be more or equal to 1 and less then 2147483647' }],
    [{ YABD: '' }, {}],
    [{ YABD: '1.5' }, { 'licenses.YABD': 'Designer license must be more or equal to 1 and less then 2147483647' }],
    [{ YABD: '007' }, { 'licenses.YABD': 'Designer license must be more or equal to 1 and less then 2147483647' }],
    [{ YABV: '1e3' }, { 'licenses.YABV': 'Must be a whole number of 0 or more.' }],
    [{ YABV: '-5' }, { 'licenses.YABV': 'Must be a whole number of 0 or more.' }],
    [{ YABV: ' 07 ' }, {}],
    [{ YABV: '' }, {}],
    [{ YABV: 2_147_483_647 }, { 'licenses.YABV': 'Must be at most 2147483646.' }],
  ])('with the counts %o', (licenses, expected) => {
    expect(errors(filledIn(undefined, { licenses: { YABV: 0, YABD: 1, ...licenses } }))).toEqual(expected)
  })

  test('is said in German too', () => {
    const unsaid = everyKind
      .flatMap((kind) => everyWrongForm(kind))
      .flatMap((form) => missingInGerman(errorsOfNewRoom(form, region(), today)))
    expect(unsaid).toEqual([])
    expect(keysOf(de)).toEqual(keysOf(en))
  })

  test.each([...licences, ...subLicences])(
    '$key is named as the contract names it, and in German',
    ({ key, label }) => {
      expect(en.licences).toHaveProperty([key], label)
      expect(de.licences).toHaveProperty([key])
    },
  )
})

describe('the delegate', () => {
  const kind = { product: 'ARIS', edition: 'advanced' } as const
  const shown = (form: RoomForm) => delegateIsShown(form, draftOf(form))

  test('can be entered only with licences for two, and is never lost when they become fewer', () => {
    const basic = { product: 'MINING', edition: 'basic' } as const
    expect(shown(filledIn(basic))).toBe(false)
    const two = filledIn(basic, { licenses: { YPMBA: 2 } })
    expect(shown(two)).toBe(true)
    const entered = { ...two, additionalEmail: 'dora@example.org' }
    expect(draftOf(entered).additionalEmail).toBe('dora@example.org')
    const one = { ...entered, licenses: { YPMBA: 1 } }
    expect(shown(one)).toBe(true)
    expect(draftOf(one).additionalEmail).toBe('dora@example.org')
    expect(errors(one)).toEqual({ 'licenses.YPMBA': 'Analyst license must be more or equal to 2' })
    const moved = { ...one, ...afterProductChange('ENTERPRISE') }
    expect([shown(moved), draftOf(moved).additionalEmail]).toEqual([true, null])
  })

  test('raises one designer to two', () => {
    const form = filledIn(kind, { additionalEmail: 'dora@example.org' })
    expect(shown(form)).toBe(true)
    expect(raisedForDelegate(draftOf(form)).licenses).toMatchObject({ YAAD: 2 })
    expect(raisedForDelegate(draftOf({ ...form, additionalEmail: '' }))).toEqual({})
  })

  test('must not be the owner', () => {
    const form = filledIn(kind, { additionalEmail: ' OWNER@example.org' })
    expect(errors(form)).toEqual({
      additionalEmail: 'The E-mail address of the delegate and owner has to be different.',
    })
  })
})

describe('choosing', () => {
  test('another edition keeps the counts of licences that mean the same', () => {
    const basic = filledIn(undefined, { licenses: { YABV: 7, YABD: 3 } })
    expect(afterEditionChange(basic, 'advanced').licenses).toMatchObject({ YAAV: 7, YAAD: 3, YAAA: 0 })
  })

  test('another edition brings its data volume unless one was entered', () => {
    const mining = filledIn({ product: 'MINING', edition: 'basic' })
    expect(afterEditionChange(mining, 'enterprise')).toMatchObject({
      subLicenses: { DataVolumeGB: 20 },
      process: 'YPME1',
    })
    const entered = { ...mining, subLicenses: { DataVolumeGB: 50 } }
    expect(afterEditionChange(entered, 'enterprise').subLicenses).toEqual({ DataVolumeGB: 50 })
  })

  test('no architect switches off what needs one, and counts it as 0', () => {
    const licenses = { YAAV: 0, YAAD: 1, YAAA: 0, YAADS: 4, YAABS: 3, YAAEAM: 2, YAAAS: 1 }
    const form = filledIn({ product: 'ARIS', edition: 'advanced' }, { licenses })
    expect(Object.keys(licenses).filter((key) => lacksNeededLicence(form, key))).toEqual(['YAABS', 'YAAEAM', 'YAAAS'])
    expect(draftOf(form).licenses).toMatchObject({ YAADS: 4, YAABS: 0, YAAEAM: 0, YAAAS: 0 })
    const withArchitect = { ...form, licenses: { ...licenses, YAAA: 1 } }
    expect(draftOf(withArchitect).licenses).toMatchObject({ YAABS: 3, YAAEAM: 2, YAAAS: 1 })
  })
})

/** Forms in which every typed value is wrong in some way. */
function everyWrongForm(kind: (typeof everyKind)[number]): RoomForm[] {
  const good = filledIn(kind)
  const counts = (value: number | string) => Object.fromEntries(Object.keys(good.licenses).map((key) => [key, value]))
  const long = 'x@'.padEnd(3000, 'x')
  const texts = (text: string) => ({
    tenantName: text,
    sapNumber: text,
    ...Object.fromEntries(roomFieldsWith('form').map((name) => [name, text])),
  })
  return [
    { ...good, ...texts(''), licenses: counts(0), subLicenses: { DataVolumeGB: 0 }, subMiningType: 'NONE' },
    { ...good, ...texts('x'), licenses: counts('-'), region: null, expirationDate: '01.01.2020', process: 'none' },
    { ...good, ...texts(long), licenses: counts(2_147_483_647), subLicenses: { DataVolumeGB: 2_147_483_647 } },
    { ...good, additionalEmail: good.customerEmail, licenses: counts(2), expirationDate: 'soon' },
  ]
}

function keysOf(texts: object, prefix = ''): string[] {
  return Object.entries(texts)
    .flatMap(([key, value]) => (typeof value === 'object' ? keysOf(value, `${prefix}${key}.`) : [prefix + key]))
    .sort()
}
