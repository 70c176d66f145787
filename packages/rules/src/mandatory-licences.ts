/** How many licences a room's owner and delegate need at least (specification 000 §5). */
import {
  because,
  type CodedError,
  type CodedReason,
  codedError,
  type FieldError,
  type LicenceTotalKey,
  maximumLicenceCount,
} from '@roomkeeper/contract'
import { countsOf, type LicenceDraft, licenceCountedAs } from './licences.ts'

/** The counts of the licences whose holders can own a room, under any keys of the edition. */
export interface OwnerLicences {
  designers: number
  analysts: number
  engineers: number
  admins: number
}

export function ownerLicencesOf(draft: Pick<LicenceDraft, 'product' | 'edition' | 'licenses'>): OwnerLicences {
  const counts = countsOf(draft)
  const count = (total: LicenceTotalKey) => {
    const licence = licenceCountedAs(draft.product, draft.edition, total)
    return licence === undefined ? 0 : counts(licence.key)
  }
  return {
    designers: draft.product === 'ARIS' ? count('designers') : 0,
    analysts: count('yukonAnalyst'),
    engineers: count('yukonEngineer'),
    admins: count('esAdmin'),
  }
}

/** The errors for too few licences, or too many designers. With a delegate, a second user needs a licence. */
export function whyTooFewLicences(draft: LicenceDraft & { additionalEmail: string | null }): FieldError[] {
  const { designers, analysts, engineers, admins } = ownerLicencesOf(draft)
  const needed = draft.additionalEmail === null ? 1 : 2
  const at = (total: LicenceTotalKey, wrong: CodedError): FieldError[] => {
    const licence = licenceCountedAs(draft.product, draft.edition, total)
    return licence === undefined ? [] : [{ field: `licenses.${licence.key}`, ...wrong }]
  }
  switch (draft.product) {
    case 'ARIS':
      if (designers >= needed && designers <= maximumLicenceCount) return []
      return at('designers', codedError('designers-between', { min: needed, limit: maximumLicenceCount + 1 }))
    case 'MINING':
      if (draft.edition === 'basic')
        return analysts >= needed ? [] : at('yukonAnalyst', codedError('analysts-minimum', { min: needed }))
      if (analysts >= needed || engineers >= needed || (analysts === 1 && engineers === 1)) return []
      return at('yukonAnalyst', codedError('analysts-or-engineers-minimum', { min: needed }))
    case 'ENTERPRISE':
      return admins >= 1 ? [] : at('esAdmin', codedError('admins-minimum', { min: 1 }))
  }
}

/** The warning that stops a creation because no user could own the room; null if a user can. */
export function missingLicenceWarning(
  draft: Pick<LicenceDraft, 'product' | 'edition' | 'licenses'>,
): CodedReason | null {
  const { designers, analysts, engineers, admins } = ownerLicencesOf(draft)
  switch (draft.product) {
    case 'ARIS':
      return designers >= 1 ? null : because('no-designer')
    case 'MINING':
      if (analysts >= 1 || engineers >= 1) return null
      return because(draft.edition === 'basic' ? 'no-analyst' : 'no-analyst-or-engineer')
    case 'ENTERPRISE':
      return admins >= 1 ? null : because('no-admin')
  }
}
