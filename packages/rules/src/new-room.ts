/** The rules between the fields of a new room. The rules for single fields are in the contract's schema. */
import {
  choosableSubMiningTypes,
  editionsOf,
  type FieldError,
  fieldError,
  type RoomDraft,
  whyNotKey,
} from '@roomkeeper/contract'
import { checkDelegate, withDelegate } from './delegate.ts'
import { checkExpiration } from './expiration.ts'
import { whyInvalidLicences } from './licence-checks.ts'
import { type CompleteLicences, completeLicences } from './licences.ts'
import { whyTooFewLicences } from './mandatory-licences.ts'

export interface NewRoomContext {
  /** Today in UTC, `YYYY-MM-DD`. */
  today: string
}

/** A draft that passed the rules, in the form in which it is stored. */
export type NewRoom = Omit<RoomDraft, keyof CompleteLicences> & CompleteLicences

/**
 * All errors of a draft, at most one per field, by the fields' names on the wire (`licenses.YABD`,
 * `licensesInformation.ESV`, `subLicenses.DataVolumeGB`). The server checks name, SAP number and region.
 */
export function checkNewRoom(sent: RoomDraft, context: NewRoomContext): FieldError[] {
  const independent = [
    ...checkDelegate(sent),
    ...whyNotKeys(sent),
    ...checkExpiration(sent.expirationDate, context.today),
  ]
  if (!editionsOf[sent.product].includes(sent.edition)) {
    return [fieldError('edition', 'edition-of-other-product', { product: sent.product }), ...independent]
  }
  const draft = withDelegate(sent)
  return firstOfEachField([
    ...checkSubMiningType(draft),
    ...whyTooFewLicences(draft),
    ...whyInvalidLicences(draft),
    ...independent,
  ])
}

/** The room to store, from a draft in which `checkNewRoom` found no error. */
export function completeNewRoom(sent: RoomDraft): NewRoom {
  const draft = withDelegate(sent)
  return { ...draft, ...completeLicences(draft) }
}

const keys = ['sapNumber', 'sapNumberLast', 'customerEmail', 'additionalEmail', 'salesmanEmail'] as const
type Keys = Partial<Record<(typeof keys)[number], string | null>>

/** The texts that identify a person or a thing must hold no invisible character. */
export function whyNotKeys(texts: Keys): FieldError[] {
  return keys.flatMap((field) => {
    const why = whyNotKey(texts[field] ?? '')
    return why === null ? [] : [{ field, ...why }]
  })
}

function checkSubMiningType(draft: RoomDraft): FieldError[] {
  const chosen = choosableSubMiningTypes.includes(draft.subMiningType)
  if (draft.product === 'ENTERPRISE') return chosen ? [] : [fieldError('subMiningType', 'sub-mining-type-missing')]
  return chosen ? [fieldError('subMiningType', 'sub-mining-type-not-here')] : []
}

function firstOfEachField(errors: FieldError[]): FieldError[] {
  const seen = new Set<string>()
  return errors.filter(({ field }) => !seen.has(field) && seen.add(field))
}
