/** Draws what is tried besides the walk of every file call. */
import { createHash } from 'node:crypto'
import { seed } from '@roomkeeper/dev-env'

/** FILE_CALLS=all: nothing is left to chance. */
export const everything = process.env.FILE_CALLS === 'all'

/** Whether this run tries it: for the same SEED and the same text always the same. */
export function isDrawn(share: number, text: string): boolean {
  if (everything) return true
  return createHash('sha256').update(`${seed()}:${text}`).digest().readUInt32BE() / 2 ** 32 < share
}
