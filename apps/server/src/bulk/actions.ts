/** The actions of bulks: who may take them, with which parameters, and why a room may not allow one. */
import {
  type BulkAction,
  type BulkParameters,
  type BulkRequest,
  because,
  bulkParameters,
  type CodedReason,
  type FailureCause,
  fieldError,
  type Role,
} from '@roomkeeper/contract'
import { dayInUtc, type RoomSituation, ruleOfBulkAction, whyNot } from '@roomkeeper/rules'
import { z } from 'zod'
import type { NeedsRegion } from '#operations/index.ts'
import type { Db, Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { findCapacity, type RegionCapacity } from '#regions/index.ts'

/** Why the action is not possible for the room now with any parameters; null if it is possible. */
export function whyNotAllowed(action: BulkAction, room: RoomSituation, role: Role): CodedReason | null {
  const reason = whyNot(ruleOfBulkAction[action], room, role)
  return reason === null ? null : because(reason)
}

/** How the last day of a room compares with a new one. */
export type LastDay = 'none' | 'earlier' | 'not-earlier'

export function compareLastDay(lastDay: string | null, newOne: string): LastDay {
  if (lastDay === null) return 'none'
  return lastDay < newOne ? 'earlier' : 'not-earlier'
}

/** An extension never sets an earlier last day. */
export function whyNotExtend({ action, parameters }: Action, lastDay: LastDay): CodedReason | null {
  if (action !== 'extend' || lastDay === 'earlier') return null
  if (lastDay === 'not-earlier') return because('valid-for-longer')
  return parameters.unlimitedToo ? null : because('without-last-day')
}

/** A retry is for rooms in error, and may be for one cause only. @param cause null: the room is not in error */
export function whyNotOfCause({ action, parameters }: Action, cause: FailureCause | null): CodedReason | null {
  if (action !== 'retry') return null
  if (cause === null) return because('not-in-error')
  const isOther = parameters.cause !== undefined && parameters.cause !== cause
  const isNotOfRegion = parameters.whenRegionIsBack && cause !== 'region-unreachable'
  return isOther || isNotOfRegion ? because('failed-otherwise') : null
}

export function sendsMails({ action, parameters }: Action): boolean {
  return action === 'notify' || ((action === 'suspend' || action === 'resume') && parameters.userNotification)
}

export function waitsUntilBack({ action, parameters }: Action): boolean {
  return action === 'retry' && parameters.whenRegionIsBack
}

/**
 * Whether the state of the room's region does not matter: rooms of a disabled region can be moved and labelled, and
 * whether they can be retried depends on what failed.
 */
export function worksInAnyRegion({ action }: Action): boolean {
  return action === 'move' || action === 'label' || action === 'retry'
}

/** An action with its parameters. */
export type Action = { [Name in BulkAction]: { action: Name; parameters: BulkParameters<Name> } }[BulkAction]

/** @param parameters on the wire, as they are stored */
export function readAction(action: BulkAction, parameters: unknown): Action {
  return { action, parameters: z.decode(bulkParameters[action] as z.ZodType, parameters) } as Action
}

/** The parameters in wire form, in which they are stored: a later release can read them. */
export function writeParameters({ action, parameters }: Action): Record<string, unknown> {
  return z.encode(bulkParameters[action] as z.ZodType, parameters) as Record<string, unknown>
}

export function actionOf({ action, parameters }: BulkRequest): Action {
  return { action, parameters } as Action
}

export interface MoveTarget extends RegionCapacity {
  id: number
}

/**
 * Checks the parameters of an action before a bulk is started.
 * @returns the target of a move; null: another action
 * @throws Refusal `invalid-input`, `region-unknown`, `region-disabled`
 */
export async function checkParameters(db: Db | Tx, { action, parameters }: Action): Promise<MoveTarget | null> {
  if (action === 'extend' && parameters.expirationDate < dayInUtc(new Date()))
    throw refuseInput([fieldError('parameters.expirationDate', 'expires-before-today')])
  if (action !== 'move') return null
  const { targetRegion: id } = parameters
  const target = await findCapacity(db, id)
  if (target === null) throw refuse('region-unknown', { region: id })
  if (target.isDisabled) throw refuse('region-disabled', { region: target.name })
  return { id, ...target }
}

/** Which regions a room waits for. Only a move, or a retry that waits until its region is back, waits for a disabled one. */
export function regionsNeededFor({ action, parameters }: Action): NeedsRegion {
  // Neither an e-mail nor a label needs one.
  if (action === 'notify' || action === 'label') return () => false
  if (action === 'retry' && parameters.whenRegionIsBack) return (itemRegionId, { id }) => id === itemRegionId
  if (action !== 'move') return (itemRegionId, { id, isDisabled }) => id === itemRegionId && !isDisabled
  return (itemRegionId, { id }) => id === itemRegionId || id === parameters.targetRegion
}
