/** What operators of each role may do. */
import { type Access, type Role, rolesWith } from '@roomkeeper/contract'

/** Whether an operator of this role may make a call with this access. `role` null: the caller is not signed in. */
export function roleAllows(role: Role | null, access: Access): boolean {
  if (access === 'public') return true
  return role !== null && rolesWith[access].includes(role)
}

/** The one that allows less. */
export function lowerRole(one: Role, other: Role): Role {
  return rolesWith.all.indexOf(one) < rolesWith.all.indexOf(other) ? one : other
}

/** CLOUD_OPERATOR and CLOUD_ADMINISTRATOR both count as administrators. */
export function isAdministrator(role: Role | null): boolean {
  return roleAllows(role, 'admin')
}

/** Who wrote a note may change and remove it, and so may administrators. */
export function mayChangeNote(role: Role | null, { isOwn }: { isOwn: boolean }): boolean {
  return isOwn || isAdministrator(role)
}

export function isDirectSales(role: Role | null): boolean {
  return role === 'CLOUD_SALES'
}
