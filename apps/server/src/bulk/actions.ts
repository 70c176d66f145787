/** What a bulk does with one room: the changes that the calls for one room make, and moves. */
import {
  type Access,
  type BulkAction,
  type BulkParameters,
  type BulkRequest,
  because,
  bulkParameters,
  type CodedReason,
  type Role,
} from '@roomkeeper/contract'
import { mayTakeInBulk, type RoomSituation, ruleOfBulkAction, whyNot } from '@roomkeeper/rules'
import { z } from 'zod'

/** Why the action is not possible for the room now, whatever its parameters; null: it is. */
export function whyNotAllowed(action: BulkAction, room: RoomSituation, role: Role): CodedReason | null {
  const reason = whyNot(ruleOfBulkAction[action], room, role)
  return reason === null ? null : because(reason)
}

/** What the last day of a room is beside a new one. */
export type LastDay = 'none' | 'earlier' | 'not-earlier'

export function compareLastDay(lastDay: string | null, newOne: string): LastDay {
  if (lastDay === null) return 'none'
  return lastDay < newOne ? 'earlier' : 'not-earlier'
}

/** An extension shortens nothing. */
export function whyNotExtend({ action, parameters }: Action, lastDay: LastDay): CodedReason | null {
  if (action !== 'extend' || lastDay === 'earlier') return null
  if (lastDay === 'not-earlier') return because('valid-for-longer')
  return parameters.unlimitedToo ? null : because('without-last-day')
}

/** Who may manage a bulk of this action: whoever may take it. */
export function accessOf(action: BulkAction): Exclude<Access, 'public'> {
  return mayTakeInBulk(action, 'CLOUD_SALES') ? 'edit' : 'admin'
}

/** An action with its parameters. */
export type Action = { [Name in BulkAction]: { action: Name; parameters: BulkParameters<Name> } }[BulkAction]

/** @param parameters on the wire, as they are stored */
export function readAction(action: BulkAction, parameters: unknown): Action {
  return { action, parameters: z.decode(bulkParameters[action] as z.ZodType, parameters) } as Action
}

/** The parameters on the wire, where a later release reads them. */
export function writeParameters({ action, parameters }: Action): Record<string, unknown> {
  return z.encode(bulkParameters[action] as z.ZodType, parameters) as Record<string, unknown>
}

export function actionOf({ action, parameters }: BulkRequest): Action {
  return { action, parameters } as Action
}
