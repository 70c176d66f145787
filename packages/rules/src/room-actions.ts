/**
 * What can be done with a room, by whom and in which state: one table for the console's buttons and the server's
 * refusals. Null: the action is possible. Otherwise the code of a reason, for which the contract has the English text
 * and the console a text in each of its languages.
 */
import {
  type Access,
  type ProjectRoom,
  type ProjectRoomState,
  projectRoomStates,
  type ReasonCode,
  type RegionState,
  type Role,
} from '@roomkeeper/contract'
import { isAdministrator, roleAllows } from './permissions.ts'

/** The facts that decide about a room's actions. The state may be the stored or the shown one. */
export interface RoomSituation extends Pick<ProjectRoom, 'projectRoomState' | 'productType'> {
  /** Neither null nor undefined: an operation runs for the room, even if the room's state does not show it. */
  runningOperation?: object | null
  /** Absent: unknown. Not needed for a room whose shown state is DISABLED_REGION. */
  regionState?: RegionState
}

/** Codes of the contract's `reasonTexts`. */
export const roomReasons = [
  'role',
  'online-shop',
  'online-shop-admin-only',
  'region-disabled',
  'in-progress',
  'on-deleting',
  'in-error',
  'suspended',
  'not-suspended',
] as const satisfies readonly ReasonCode[]
export type Reason = (typeof roomReasons)[number]

interface ActionRule {
  access: Access
  states: readonly ProjectRoomState[]
  onlineShop: 'as-others' | 'admin-only' | 'never'
  /** The action is read-only, so a running operation does not matter. */
  looksOnly?: true
}

// biome-ignore format: a table
const actions = {
  'open-edit': { access: 'all', states: ['DEFAULT', 'SUSPENDED', 'ERROR'], onlineShop: 'as-others', looksOnly: true },
  edit: { access: 'edit', states: ['DEFAULT'], onlineShop: 'never' },
  suspend: { access: 'edit', states: ['DEFAULT'], onlineShop: 'admin-only' },
  resume: { access: 'edit', states: ['SUSPENDED'], onlineShop: 'admin-only' },
  retry: { access: 'edit', states: ['DEFAULT', 'SUSPENDED', 'ERROR'], onlineShop: 'as-others' },
  delete: { access: 'admin', states: ['DEFAULT', 'SUSPENDED', 'ERROR'], onlineShop: 'never' },
  backup: { access: 'admin', states: ['SUSPENDED'], onlineShop: 'as-others' },
  restore: { access: 'admin', states: ['SUSPENDED'], onlineShop: 'as-others' },
  databases: { access: 'admin', states: ['DEFAULT'], onlineShop: 'as-others' },
  'update-system-database': { access: 'admin', states: ['DEFAULT', 'SUSPENDED'], onlineShop: 'as-others' },
  move: { access: 'admin', states: ['DEFAULT', 'SUSPENDED'], onlineShop: 'as-others' },
  notify: { access: 'admin', states: ['DEFAULT', 'SUSPENDED', 'ERROR', 'IN_PROGRESS', 'DISABLED_REGION'], onlineShop: 'as-others', looksOnly: true },
  label: { access: 'admin', states: projectRoomStates, onlineShop: 'as-others', looksOnly: true },
} as const satisfies Record<string, ActionRule>
export type RoomRule = keyof typeof actions

/** For opening the edit screen. `whyNotEdit` decides whether its fields can be changed. */
export const whyNotOpenEdit = reasonAgainst('open-edit')
export const whyNotEdit = reasonAgainst('edit')
export const whyNotSuspend = reasonAgainst('suspend')
export const whyNotResume = reasonAgainst('resume')
export const whyNotDelete = reasonAgainst('delete')
/** For classic and D2O backups. */
export const whyNotBackup = reasonAgainst('backup')
/** For classic and D2O backups. */
export const whyNotRestore = reasonAgainst('restore')
/** For deleting, backing up, restoring or importing one of the room's databases. */
export const whyNotChangeDatabases = reasonAgainst('databases')

export const whyNotUpdateSystemDatabase = reasonAgainst('update-system-database')
/** For writing to owner and delegate. */
export const whyNotNotify = reasonAgainst('notify')

/** Why this action is not possible now, or null. Checks the role first, then the room. */
export function whyNot(action: RoomRule, room: RoomSituation, role: Role | null): Reason | null {
  const rule: ActionRule = actions[action]
  if (!roleAllows(role, rule.access)) return 'role'
  if (room.productType === 'online-shop') {
    if (rule.onlineShop === 'never') return 'online-shop'
    if (rule.onlineShop === 'admin-only' && !isAdministrator(role)) return 'online-shop-admin-only'
  }
  if (!rule.states.includes(room.projectRoomState)) return reasonOfState(room.projectRoomState)
  if (room.regionState === 'disabled') return 'region-disabled'
  if (room.runningOperation != null && rule.looksOnly !== true) return 'in-progress'
  return null
}

/** Whether an operator of this role may take this action with any room in any state. */
export function roleMay(action: RoomRule, role: Role | null): boolean {
  return roleAllows(role, actions[action].access)
}

function reasonAgainst(action: RoomRule) {
  return (room: RoomSituation, role: Role | null): Reason | null => whyNot(action, room, role)
}

function reasonOfState(state: ProjectRoomState): Reason {
  switch (state) {
    case 'DEFAULT':
      return 'not-suspended'
    case 'SUSPENDED':
      return 'suspended'
    case 'ERROR':
      return 'in-error'
    case 'IN_PROGRESS':
      return 'in-progress'
    case 'MARKED_FOR_DELETION':
      return 'on-deleting'
    case 'DISABLED_REGION':
      return 'region-disabled'
  }
}
