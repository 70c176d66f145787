/** The actions on a room: one list for its menu, the side sheet and the command palette. */
import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { type Reason, type RoomRule, roleMay, whyNot } from '@roomkeeper/rules'
import {
  type Icon,
  IconArchive,
  IconArrowsExchange,
  IconCopy,
  IconCopyPlus,
  IconDatabase,
  IconExternalLink,
  IconHistory,
  IconLink,
  IconMail,
  IconPackageExport,
  IconPlayerPause,
  IconPlayerPlay,
  IconRestore,
  IconTrash,
} from '@tabler/icons-react'

export interface ActionEntry {
  rule: RoomRule
  icon: Icon
  /** Possible in any state of the room: it only reads, or says itself what stands in the way. */
  inAnyState?: true
  /** A dialog or a form follows: the label ends with ` …`. */
  asks?: true
}

export const roomActions = {
  suspend: { rule: 'suspend', icon: IconPlayerPause, asks: true },
  resume: { rule: 'resume', icon: IconPlayerPlay, asks: true },
  backup: { rule: 'backup', icon: IconArchive },
  restore: { rule: 'restore', icon: IconRestore, asks: true },
  databases: { rule: 'databases', icon: IconDatabase, inAnyState: true },
  move: { rule: 'move', icon: IconArrowsExchange, inAnyState: true, asks: true },
  duplicate: { rule: 'edit', icon: IconCopyPlus, inAnyState: true, asks: true },
  notify: { rule: 'notify', icon: IconMail, asks: true },
  backups: { rule: 'backup', icon: IconPackageExport, inAnyState: true },
  history: { rule: 'open-edit', icon: IconHistory, inAnyState: true },
  visit: { rule: 'open-edit', icon: IconExternalLink, inAnyState: true },
  copyName: { rule: 'open-edit', icon: IconCopy, inAnyState: true },
  copyLink: { rule: 'open-edit', icon: IconLink, inAnyState: true },
  delete: { rule: 'delete', icon: IconTrash, asks: true },
} as const satisfies Record<string, ActionEntry>
export type RoomAction = keyof typeof roomActions

/** Whether the role may take the action with any room. */
export function mayAct(action: RoomAction, role: Role): boolean {
  return roleMay(roomActions[action].rule, role)
}

/** Why the action is not possible now; null: it is. */
export function whyNotAct(action: RoomAction, room: ProjectRoom, role: Role): Reason | null {
  const { rule, inAnyState }: ActionEntry = roomActions[action]
  if (inAnyState === true) return roleMay(rule, role) ? null : 'role'
  return whyNot(rule, room, role)
}
