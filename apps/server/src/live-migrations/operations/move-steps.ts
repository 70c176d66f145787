/** The steps of a move that other code names (other steps, the end of the move, and what follows it), and its jobs. */
import { z } from 'zod'

/** The backup file. */
const backupFile = z.object({
  file: z.string(),
  size: z.int(),
  sha256: z.string(),
  /** The file lies in the target, and not in the source. */
  inTarget: z.literal(true).optional(),
  /** The digest of what was packed, if the source has told it. */
  digest: z.string().optional(),
  /** Set when the source could not send it straight to the target. */
  directFailed: z.literal(true).optional(),
})
export type BackupFile = z.infer<typeof backupFile>

const takenLock = z.object({ heldSince: z.string() })
export type TakenLock = z.infer<typeof takenLock>

/** `bytes`: the room's size. */
const lockedSource = takenLock.extend({ bytes: z.number() })
export type LockedSource = z.infer<typeof lockedSource>

/** `opened` is false if the opening was left to a separate operation. */
const opened = z.object({ opened: z.boolean() })
export type Opened = z.infer<typeof opened>

/** `digest`: that of what the target restored, if it has told it. */
const restored = z.object({ digest: z.string().optional() })
export type Restored = z.infer<typeof restored>

const comparison = z.object({ digest: z.string().nullable() })
export type Comparison = z.infer<typeof comparison>

/** `closedBefore`: set by a try that found the source already suspended by an earlier one. */
const switched = z.object({ closedBefore: z.literal(true).optional() })
export type Switched = z.infer<typeof switched>

export const moveSteps = {
  lockSource: { id: 'lock-source', title: 'lock the room in the source', output: lockedSource },
  backUp: { id: 'back-room-up', title: 'back the room up', output: backupFile },
  createCopy: { id: 'create-copy', title: 'create the room in the target', output: takenLock },
  restore: { id: 'restore-copy', title: 'restore the room in the target', output: restored },
  compare: { id: 'compare-copies', title: 'compare both copies', output: comparison },
  switch: { id: 'switch', title: 'switch to the target', output: switched },
  open: { id: 'open-target', title: 'open the room in the target', output: opened },
  leave: { id: 'leave-source', title: 'clean up the source' },
}

/** The names of the jobs that a move runs on its regions. */
export const moveJobs = {
  backup: 'backup',
  direct: 'backup-to-target',
  restore: 'restore',
  remove: 'remove',
  source: 'digest-source',
  target: 'digest-target',
}
