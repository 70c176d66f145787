/** Which rule decides about each action of a bulk. */
import type { BulkAction, Role } from '@roomkeeper/contract'
import { type RoomRule, roleMay } from './room-actions.ts'

export const ruleOfBulkAction = {
  suspend: 'suspend',
  resume: 'resume',
  retry: 'retry',
  delete: 'delete',
  backup: 'backup',
  move: 'move',
  extend: 'edit',
  updateSystemDatabase: 'update-system-database',
  notify: 'notify',
  label: 'label',
} as const satisfies Record<BulkAction, RoomRule>

export function mayTakeInBulk(action: BulkAction, role: Role | null): boolean {
  return roleMay(ruleOfBulkAction[action], role)
}
