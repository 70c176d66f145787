import { editionsOf, type ProjectRoom, products, roomEdit } from '@roomkeeper/contract'
import { defaultLicences } from '@roomkeeper/rules'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inEnglish, missingInGerman } from '#locales/errors-in-words.test-support.ts'
import { differences, rebased, resolveChange } from '#ui/form/changes.ts'
import { draftOf, emptyRoomForm, formOf } from '../form/room-form.ts'
import { editOf, editSettings, errorsOfEdit } from './edit-form.ts'

const today = '2026-06-15'
const everyKind = products.flatMap((product) => editionsOf[product].map((edition) => ({ product, edition })))

function aRoom(changes: Partial<ProjectRoom> = {}): ProjectRoom {
  const { product = 'ARIS', edition = 'basic' } = changes
  return {
    ...draftOf(emptyRoomForm()),
    tenantName: 'room1',
    product,
    edition,
    region: 1,
    regionName: 'north',
    regionIsMigrationTarget: false,
    regionState: 'enabled',
    sapNumber: '4711',
    sapNumberLast: '4712',
    productType: 'direct-sales',
    expirationDate: null,
    expirationDateFromLocalDate: null,
    creationDate: '2026-01-01T10:00:00Z',
    customerFirstName: 'Ada',
    customerLastName: 'Byron',
    customerEmail: 'owner@example.org',
    companyName: 'Example',
    salesmanEmail: 'sales@example.org',
    projectRoomState: 'DEFAULT',
    priority: 0,
    errorMessage: null,
    errorReasons: [],
    ...defaultLicences(product, edition),
    subMiningType: product === 'ENTERPRISE' ? 'MINING_BASIC' : 'NONE',
    options: null,
    version: 3,
    runningOperation: null,
    failedOperationId: null,
    lastBackupAt: null,
    lastBackupVerifiedAt: null,
    labels: [],
    pinnedNotes: [],
    ...changes,
  }
}

describe('a form of a stored room', () => {
  test.each(everyKind)('of $product $edition is unchanged, right, and what the server takes', (kind) => {
    const room = aRoom(kind)
    const form = formOf(room)
    expect(differences(editSettings, form, formOf(room))).toEqual([])
    expect(errorsOfEdit(form, room, today)).toEqual({})
    const edit = editOf(form, room.version)
    expect(z.decode(roomEdit, z.encode(roomEdit, edit))).toEqual(edit)
    expect(edit).toMatchObject({ version: 3, sapNumberLast: '4712', licenses: room.licenses })
  })

  // shows: edit-sap-required
  test('needs the new SAP contract number', () => {
    const room = aRoom({ sapNumberLast: null })
    expect(inEnglish(errorsOfEdit(formOf(room), room, today))).toEqual({
      sapNumberLast: 'Please enter the new SAP contract number.',
    })
  })

  test('takes the past expiration date that the room has, but no other', () => {
    const room = aRoom({ expirationDate: '2026-06-01' })
    const form = formOf(room)
    expect(errorsOfEdit(form, room, today)).toEqual({})
    expect(inEnglish(errorsOfEdit({ ...form, expirationDate: '02.06.2026' }, room, today))).toEqual({
      expirationDate: 'The expiration date must not be earlier than today.',
    })
  })

  test.each([
    ['ARIS', 'basic', 'YABD', 'Designer license must be more or equal to 1'],
    ['MINING', 'basic', 'YPMBA', 'Analyst license must be more or equal to 1'],
    ['MINING', 'advanced', 'YPMAA', 'Analyst or engineer license must be more or equal to 1'],
    ['ENTERPRISE', 'enterprise-shared', 'ESA', 'Admin license must be more or equal to 1'],
  ] as const)('of %s %s without %s says: %s', (product, edition, key, message) => {
    const room = aRoom({ product, edition })
    const form = formOf(room)
    const errorsWith = (count: number | string) =>
      errorsOfEdit({ ...form, licenses: { ...form.licenses, [key]: count } }, room, today)
    for (const wrong of [0, '-1', '1.5', 'abc'])
      expect(inEnglish(errorsWith(wrong)), String(wrong)).toEqual({ [`licenses.${key}`]: message })
    expect(inEnglish(errorsWith(2_147_483_647))).toEqual({ [`licenses.${key}`]: 'Must be at most 2147483646.' })
    expect(missingInGerman(errorsWith(0))).toEqual([])
  })
})

describe('changes', () => {
  const room = aRoom({ product: 'ENTERPRISE', edition: 'enterprise-shared' })
  const form = formOf(room)

  test('are named by their paths in the order of the page; spaces and an empty count are none', () => {
    const changed = {
      ...form,
      companyName: ' Example ',
      salesman: 'Sally',
      expirationDate: '31.12.2026',
      licenses: { ...form.licenses, ESV: 5, ESVP: '' },
      licensesInformation: { ...form.licensesInformation, ESD: 'CUC' as const },
    }
    expect(differences(editSettings, changed, form)).toEqual([
      'expirationDate',
      'licenses.ESV',
      'licensesInformation.ESD',
      'salesman',
    ])
  })

  test('are carried over to another version, and nothing else is', () => {
    const mine = { ...form, companyName: 'Mine', licenses: { ...form.licenses, ESV: 5 } }
    const stored = formOf({ ...room, companyName: 'Theirs', salesman: 'Bob', licenses: { ...room.licenses, ESD: 9 } })
    const merged = rebased(editSettings, { entered: mine, before: form, stored })
    expect(merged).toMatchObject({ companyName: 'Mine', salesman: 'Bob', licenses: { ESV: 5, ESD: 9 } })
    expect(differences(editSettings, merged, stored)).toEqual(['licenses.ESV', 'companyName'])
    expect(stored.licenses.ESV).toBe(0)
  })

  test('meet a room that was changed meanwhile: the form follows, goes on, or somebody decides', () => {
    const mine = { ...form, companyName: 'Mine' }
    const stored = { ...form, companyName: 'Theirs' }
    expect(resolveChange(editSettings, { entered: form, before: form, stored })).toBe('follow')
    expect(resolveChange(editSettings, { entered: mine, before: form, stored: mine })).toBe('follow')
    expect(resolveChange(editSettings, { entered: mine, before: form, stored: form })).toBe('keep')
    expect(resolveChange(editSettings, { entered: mine, before: form, stored })).toBe('conflict')
  })

  test('of a MINING room are its data volume and process too', () => {
    const mining = formOf(aRoom({ product: 'MINING', edition: 'enterprise' }))
    const changed = { ...mining, subLicenses: { DataVolumeGB: 50 }, process: 'YPMEF' }
    expect(differences(editSettings, changed, mining)).toEqual(['subLicenses.DataVolumeGB', 'process'])
    expect(rebased(editSettings, { entered: changed, before: mining, stored: mining })).toEqual(changed)
  })
})
