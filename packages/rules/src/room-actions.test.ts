import { projectRoomStates, type Role, roles, salesChannels } from '@roomkeeper/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isAdministrator,
  isDirectSales,
  isOfferedFor,
  lowerRole,
  type RoomRule,
  type RoomSituation,
  regionIsFull,
  roleAllows,
  whyNot,
  whyNotBackup,
  whyNotChangeDatabases,
  whyNotDelete,
  whyNotEdit,
  whyNotOpenEdit,
  whyNotRestore,
  whyNotResume,
  whyNotSuspend,
} from './index.ts'

const room = (changes: Partial<RoomSituation> = {}): RoomSituation => ({
  projectRoomState: 'DEFAULT',
  productType: 'direct-sales',
  runningOperation: null,
  ...changes,
})
const suspended = room({ projectRoomState: 'SUSPENDED' })
const inError = room({ projectRoomState: 'ERROR' })
const onlineShop = room({ productType: 'online-shop' })

describe('who may do what with a room', () => {
  // shows: roles-delete, who-actions
  test.each([
    ['CLOUD_SUPPORT', ['open-edit']],
    ['CLOUD_SALES', ['open-edit', 'edit', 'suspend']],
    ['CLOUD_OPERATOR', ['open-edit', 'edit', 'suspend', 'delete', 'databases']],
    ['CLOUD_ADMINISTRATOR', ['open-edit', 'edit', 'suspend', 'delete', 'databases']],
  ] as const)('%s with an active one: %j', (role, expected) => {
    expect(possible(room(), role)).toEqual([...expected])
  })

  // shows: who-actions
  test.each([
    ['CLOUD_SUPPORT', ['open-edit']],
    ['CLOUD_SALES', ['open-edit', 'resume']],
    ['CLOUD_OPERATOR', ['open-edit', 'resume', 'delete', 'backup', 'restore']],
  ] as const)('%s with a suspended one: %j', (role, expected) => {
    expect(possible(suspended, role)).toEqual([...expected])
  })

  test('administrators with one in error: look and delete', () => {
    expect(possible(inError, 'CLOUD_OPERATOR')).toEqual(['open-edit', 'delete'])
    expect(whyNotEdit(inError, 'CLOUD_OPERATOR')).toBe('in-error')
  })

  // shows: roles-delete, who-shop
  test('Online Shop rooms: nobody edits or deletes them, administrators suspend and resume them', () => {
    expect(possible(onlineShop, 'CLOUD_SALES')).toEqual(['open-edit'])
    expect(possible(onlineShop, 'CLOUD_OPERATOR')).toEqual(['open-edit', 'suspend', 'databases'])
    expect(whyNotEdit(onlineShop, 'CLOUD_ADMINISTRATOR')).toBe('online-shop')
    expect(whyNotDelete(onlineShop, 'CLOUD_ADMINISTRATOR')).toBe('online-shop')
    expect(whyNotSuspend(onlineShop, 'CLOUD_SALES')).toBe('online-shop-admin-only')
    expect(whyNotResume({ ...onlineShop, projectRoomState: 'SUSPENDED' }, 'CLOUD_SALES')).toBe('online-shop-admin-only')
    expect(whyNotResume({ ...onlineShop, projectRoomState: 'SUSPENDED' }, 'CLOUD_OPERATOR')).toBeNull()
  })

  test('a signed-out visitor nothing, and the role is the first reason', () => {
    fc.assert(
      fc.property(anyRoom, (situation) => {
        expect(possible(situation, null)).toEqual([])
        expect(whyNotDelete(situation, 'CLOUD_SALES')).toBe('role')
        expect(whyNotChangeDatabases(situation, 'CLOUD_SUPPORT')).toBe('role')
      }),
    )
  })
})

describe('in which state', () => {
  test.each([
    ['MARKED_FOR_DELETION', 'on-deleting'],
    ['IN_PROGRESS', 'in-progress'],
    ['DISABLED_REGION', 'region-disabled'],
  ] as const)('a room %s has neither edit nor delete: %s', (projectRoomState, reason) => {
    expect(possible(room({ projectRoomState }), 'CLOUD_ADMINISTRATOR')).toEqual([])
    expect(whyNotOpenEdit(room({ projectRoomState }), 'CLOUD_ADMINISTRATOR')).toBe(reason)
    expect(whyNotDelete(room({ projectRoomState }), 'CLOUD_ADMINISTRATOR')).toBe(reason)
  })

  test('a room in error in a disabled region cannot be deleted either', () => {
    expect(whyNotDelete({ ...inError, regionState: 'disabled' }, 'CLOUD_OPERATOR')).toBe('region-disabled')
    expect(whyNotDelete({ ...inError, regionState: 'enabled' }, 'CLOUD_OPERATOR')).toBeNull()
  })

  test('while an operation runs for an active room it can only be looked at', () => {
    expect(possible(room({ runningOperation: {} }), 'CLOUD_ADMINISTRATOR')).toEqual(['open-edit'])
    expect(whyNotSuspend(room({ runningOperation: {} }), 'CLOUD_SALES')).toBe('in-progress')
  })

  test('suspended and active exclude each other', () => {
    expect(whyNotSuspend(suspended, 'CLOUD_OPERATOR')).toBe('suspended')
    expect(whyNotEdit(suspended, 'CLOUD_OPERATOR')).toBe('suspended')
    expect(whyNotResume(room(), 'CLOUD_OPERATOR')).toBe('not-suspended')
    expect(whyNotBackup(room(), 'CLOUD_OPERATOR')).toBe('not-suspended')
    expect(whyNotRestore(room(), 'CLOUD_OPERATOR')).toBe('not-suspended')
  })
})

test('what is possible for a role is possible for every stronger one', () => {
  fc.assert(
    fc.property(anyRoom, (situation) => {
      const ladder = roles.map((role) => possible(situation, role))
      for (const [n, each] of ladder.slice(1).entries()) expect(each).toEqual(expect.arrayContaining(ladder[n] ?? []))
    }),
  )
})

describe('roles', () => {
  test.each([
    ['CLOUD_SUPPORT', ['public', 'all']],
    ['CLOUD_SALES', ['public', 'all', 'edit']],
    ['CLOUD_OPERATOR', ['public', 'all', 'edit', 'admin']],
    ['CLOUD_ADMINISTRATOR', ['public', 'all', 'edit', 'admin', 'super']],
    [null, ['public']],
  ] as const)('%s is admitted to %j', (role, expected) => {
    const all = ['public', 'all', 'edit', 'admin', 'super'] as const
    expect(all.filter((access) => roleAllows(role, access))).toEqual([...expected])
  })

  test('the lower one of two allows only what both allow', () => {
    for (const one of roles)
      for (const other of roles) {
        const lower = lowerRole(one, other)
        for (const access of ['all', 'edit', 'admin', 'super'] as const)
          expect(roleAllows(lower, access)).toBe(roleAllows(one, access) && roleAllows(other, access))
      }
  })

  test('operators and administrators count as administrators, each other flag is one role', () => {
    expect(roles.filter(isAdministrator)).toEqual(['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'])
    expect(roles.filter(isDirectSales)).toEqual(['CLOUD_SALES'])
  })
})

describe('regions', () => {
  test.each([
    [-1, 1000, false],
    [0, 0, true],
    [5, 4, false],
    [5, 5, true],
    [5, 6, true],
  ])('at most %i with %i rooms: full %s', (maxNumOfTenants, numberOfProjectRooms, full) => {
    expect(regionIsFull({ maxNumOfTenants, numberOfProjectRooms })).toBe(full)
  })

  // shows: create-regions
  test('only enabled ones that serve the product are offered', () => {
    const serving = { id: 1, state: 'enabled', productVersion: ['ARIS', 'MINING'] } as const
    const other = { id: 2, state: 'enabled', productVersion: ['ENTERPRISE'] } as const
    const disabled = { id: 3, state: 'disabled', productVersion: ['MINING'] } as const
    const regions = [serving, other, disabled].map((each) => ({ ...each, productVersion: [...each.productVersion] }))
    expect(regions.filter((each) => isOfferedFor('MINING', each)).map((each) => each.id)).toEqual([1])
  })
})

function possible(situation: RoomSituation, role: Role | null): RoomRule[] {
  const all = ['open-edit', 'edit', 'suspend', 'resume', 'delete', 'backup', 'restore', 'databases'] as const
  return all.filter((action) => whyNot(action, situation, role) === null)
}

const anyRoom = fc.record({
  projectRoomState: fc.constantFrom(...projectRoomStates),
  productType: fc.constantFrom(...salesChannels),
  runningOperation: fc.constantFrom(null, {}),
  regionState: fc.constantFrom('enabled' as const, 'disabled' as const),
})
