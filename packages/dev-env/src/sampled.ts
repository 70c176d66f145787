/**
 * Chooses the cases that a run takes of tests with many cases. `SEED` chooses the part: by default the number of
 * commits, so that the next commit takes the next part. `ALL=1` takes all cases.
 */
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** Within this many consecutive seeds, every case is taken. */
const parts = 20

function takesAll(): boolean {
  return process.env.ALL === '1'
}

/**
 * The cases of a walk that this run takes: at least one, for any SEED always the same.
 * @param walk names the cases in the summary of a run; it also varies which cases are taken together
 */
export function sampled<Case>(walk: string, cases: readonly Case[]): Case[] {
  const taken = takesAll() ? [...cases] : partOf(walk, cases)
  record(walk, taken.length, cases.length)
  return taken
}

/** How long or how often a random test runs: `part` in a sampled run, else `all`. */
export function sampledAmount(walk: string, part: number, all: number): number {
  const taken = takesAll() ? all : part
  record(walk, taken, all)
  return taken
}

/** SEED, for choices that are random but can be repeated. */
export function seed(): number {
  const given = Number(process.env.SEED ?? 0)
  if (!Number.isSafeInteger(given) || given < 0) throw new Error(`SEED must be a whole number: ${process.env.SEED}`)
  return given
}

function partOf<Case>(walk: string, cases: readonly Case[]): Case[] {
  // With fewer cases than parts, one case is a part.
  const count = Math.min(parts, cases.length)
  const part = seed() % count
  // Shuffled first, because neighbouring cases are alike and should be in different parts.
  const shuffled = cases.map((_, index) => index).sort((one, other) => (rank(walk, one) < rank(walk, other) ? -1 : 1))
  const taken = new Set(shuffled.filter((_, position) => position % count === part))
  return cases.filter((_, index) => taken.has(index))
}

function rank(walk: string, index: number): string {
  return createHash('sha256').update(`${walk} ${index}`).digest('hex')
}

/** For the summary at the end of a test run. */
function record(walk: string, ran: number, of: number): void {
  const file = process.env.SAMPLED_FILE
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ walk, ran, of })}\n`)
}
