import type { BulkAction, Role } from '@roomkeeper/contract'
import { type RoomAction, roleMay } from '@roomkeeper/rules'

/** The rule that decides about each action. */
const rules = {
  suspend: 'suspend',
  resume: 'resume',
  delete: 'delete',
  backup: 'backup',
  move: 'move',
  extend: 'edit',
  updateSystemDatabase: 'update-system-database',
  notify: 'notify',
} as const satisfies Record<BulkAction, RoomAction>

export function mayTake(action: BulkAction, role: Role | null): boolean {
  return roleMay(rules[action], role)
}
