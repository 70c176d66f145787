/** Draws the cases that are tried when not all of them are. */
import { createHash } from 'node:crypto'

/** FILE_CALLS=all: nothing is left to chance. */
export const everything = process.env.FILE_CALLS === 'all'
export const seed = process.env.FILE_CALLS_SEED ?? 'file calls'

/** A number between 0 and 1 that is always the same for the same text. */
export function sample(seed: string, text: string): number {
  return createHash('sha256').update(`${seed}:${text}`).digest().readUInt32BE() / 2 ** 32
}
