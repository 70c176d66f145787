import type { ProcessType, Role } from '@roomkeeper/contract'
import { isAdministrator, roleAllows } from '@roomkeeper/rules'

/** Whether an operator may see an operation's log, cancel and retry it. The server has the last word. */
export function managesOperation(role: Role, process: ProcessType | null): boolean {
  return isAdministrator(role) || (roleAllows(role, 'edit') && isCreation(process))
}

/** Cancelled, it leaves no room behind. */
export function isCreation(process: ProcessType | null): boolean {
  return process === 'Create PR' || process === 'Import PR'
}
