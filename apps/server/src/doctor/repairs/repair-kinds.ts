/** The repairs, by name. */
import type { Repair } from '@roomkeeper/contract'
import { acknowledge } from './acknowledge.ts'
import { adopt } from './adopt.ts'
import { endRedirect } from './end-redirect.ts'
import { markMissing } from './mark-missing.ts'
import { recount } from './recount.ts'
import { release } from './release.ts'
import { removeCopy } from './remove-copy.ts'
import type { RepairKind } from './repair-kind.ts'
import { sendAgain } from './send-again.ts'
import { trustTimeNow } from './trust-time.ts'

export const repairKinds: Readonly<Record<Repair, RepairKind>> = {
  'send-again': sendAgain,
  adopt,
  release,
  'mark-missing': markMissing,
  'remove-copy': removeCopy,
  'end-redirect': endRedirect,
  recount,
  'trust-time': trustTimeNow,
  acknowledge,
}
