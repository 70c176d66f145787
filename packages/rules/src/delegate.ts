/** The delegate: a second user besides the owner, who also needs a licence (specification 000 §5). */
import { type FieldError, fieldError, type RoomDraft } from '@roomkeeper/contract'
import { countsOf, type LicenceDraft, licenceCountedAs } from './licences.ts'
import { ownerLicencesOf } from './mandatory-licences.ts'

type Counts = Pick<LicenceDraft, 'product' | 'edition' | 'licenses'>

/** Whether the licences are for two or more users, so that there can be a delegate. ENTERPRISE rooms have none. */
export function delegateApplies(draft: Counts): boolean {
  const { designers, analysts, engineers } = ownerLicencesOf(draft)
  switch (draft.product) {
    case 'ARIS':
      return designers >= 2
    case 'MINING':
      return analysts >= 2 || engineers >= 2 || (analysts === 1 && engineers === 1)
    case 'ENTERPRISE':
      return false
  }
}

/**
 * Adapts a draft with a delegate: raises ARIS designers from 1 to 2, and removes the delegate of an ENTERPRISE room. A
 * MINING draft with too few licences for a delegate stays as it is; the checks refuse it.
 */
export function withDelegate<Draft extends Pick<RoomDraft, keyof LicenceDraft | 'additionalEmail'>>(
  draft: Draft,
): Draft {
  if (draft.additionalEmail === null) return draft
  if (draft.product === 'ENTERPRISE') return { ...draft, additionalEmail: null }
  const designer = draft.product === 'ARIS' ? licenceCountedAs('ARIS', draft.edition, 'designers') : undefined
  if (designer === undefined || countsOf(draft)(designer.key) !== 1) return draft
  return {
    ...draft,
    licenses: { ...draft.licenses, [designer.key]: 2 },
    licensesInformation: draft.licensesInformation.map((each) =>
      each.licenseKey === designer.key && each.licenseAmount === 1 ? { ...each, licenseAmount: 2 } : each,
    ),
  }
}

/** Compares two addresses, ignoring case and surrounding blanks. */
function sameEmail(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

export function checkDelegate(draft: Pick<RoomDraft, 'additionalEmail' | 'customerEmail'>): FieldError[] {
  if (draft.additionalEmail === null || !sameEmail(draft.additionalEmail, draft.customerEmail)) return []
  return [fieldError('additionalEmail', 'delegate-is-owner')]
}

/**
 * Whether a delegate's licence has to be taken from another user because none is free.
 * @param used the owner licences in use; in a new room the owner's own is the only one
 */
export function delegateTakesLicence(draft: Counts & Pick<RoomDraft, 'additionalEmail'>, used = 1): boolean {
  if (draft.additionalEmail === null || draft.product === 'ENTERPRISE') return false
  const { designers, analysts, engineers } = ownerLicencesOf(draft)
  return designers + analysts + engineers - used < 1
}
