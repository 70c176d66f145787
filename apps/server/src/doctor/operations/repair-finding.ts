/** One repair of one finding, started by an operator: rechecks the finding, repairs it, and rechecks again. */
import { because, type CodedReason, englishReason, repairs } from '@roomkeeper/contract'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import { noUndo, operation, type StepCall, StepFailed } from '#operations/index.ts'
import type { Tx } from '#platform/database.ts'
import { recheck, type Verdict } from '../recheck.ts'
import { closeFinding } from '../record-findings.ts'
import { repairKinds } from '../repairs/repair-kinds.ts'
import { readFinding, type StoredFinding } from '../stored-finding.ts'
import { partsOf } from './examine-everything.ts'

const input = z.object({ finding: z.uuid(), repair: z.enum(repairs) })
type Input = z.infer<typeof input>
type Call = StepCall<Input>

export const repairFinding = operation<Input>({
  kind: 'doctor.repair',
  version: 1,
  process: null,
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    { id: 'check-first', title: 'check whether it is still so', run: recheckBefore, undo: noUndo },
    { id: 'repair', title: 'repair the finding', run: repair, undo: noUndo, pointOfNoReturn: true },
    { id: 'recheck', title: 'check again', run: recheckAfter, undo: noUndo },
  ],
  done: announceRoom,
  failed: announceRoom,
  cancelled: announceRoom,
  retrying: noUndo,
})

async function announceRoom(tx: Tx, { roomName }: { roomName: string }): Promise<void> {
  await recordChange(tx, { kind: 'room.work-ended', room: { name: roomName } })
}

async function recheckBefore(call: Call): Promise<void> {
  const finding = await findingOf(call)
  if (finding.closedAt !== null) throw new StepFailed(because('finding-closed'))
  const verdict = await recheck(partsOf(call), finding, call.id)
  if (verdict !== 'still so') throw new StepFailed(whyNotNow(verdict))
  await call.log([because('log-still-open')])
}

async function repair(call: Call): Promise<void> {
  await repairKinds[call.input.repair].run(call, partsOf(call), await findingOf(call))
}

async function recheckAfter(call: Call): Promise<void> {
  const finding = await findingOf(call)
  const verdict = await recheck(partsOf(call), finding, call.id)
  if (verdict === 'still so') throw new StepFailed(because('still-so'))
  if (verdict !== 'gone') return call.log(whyNotNow(verdict), 'warning')
  await call.transaction((tx) => closeFinding(tx, finding.id))
  await call.log([because('log-in-order')])
}

/** Why the finding cannot be repaired now; one reason for each region that does not answer. */
export function whyNotNow(verdict: Exclude<Verdict, 'still so'>): readonly CodedReason[] {
  if (verdict === 'gone') return [because('not-so-any-more')]
  return verdict === 'under way' ? [because('under-way')] : verdict.lost
}

export function inEnglish(reasons: readonly CodedReason[]): string {
  return reasons.map(englishReason).join('\n')
}

async function findingOf({ services, input: { finding } }: Call): Promise<StoredFinding> {
  const found = await readFinding(services.db, finding)
  if (found === null) throw new Error('The finding of the repair is gone.')
  return found
}
