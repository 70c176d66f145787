/**
 * The doctor checks whether the console, its regions and its stores agree. A run (examine.ts) checks everything once
 * and records what it finds in doctor_findings; a finding that a later run does not make again is closed. A run is an
 * operation, started by hand or once a day, or `npm run doctor`. Repairs (repairs/) are operations too, and never start
 * by themselves.
 */
import { examineEverything } from './operations/examine-everything.ts'
import { repairFinding } from './operations/repair-finding.ts'

export {
  closeDamagedIndexes,
  closeFindingsOfBackup,
  closeJump,
  reportBadBackup,
  reportDamagedIndexes,
  reportJump,
  reportMissedAnchor,
  reportPolicyAhead,
} from './alarms.ts'
export { doctorHandlers } from './doctor-routes.ts'
export { type RunByHand, runByHand, startDailyRuns } from './start-run.ts'

export const doctorOperations = [examineEverything, repairFinding] as const
