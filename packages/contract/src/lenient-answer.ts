/**
 * Reads an answer of a newer server, which may have words or numbers that this release does not know: a new state, a
 * new kind.
 */
import { z } from 'zod'

type Path = readonly PropertyKey[]
interface Unknown {
  path: Path
  /** As it was received. */
  raw: unknown
  /** A value that the schema knows. */
  known: unknown
}

/** Each turn finds unknown values that others have hidden, such as those of later elements. */
const mostTurns = 10

/**
 * Decodes an answer, keeping unknown values of closed sets as the words that they are. Code that shows the answer has
 * to be prepared for values that its type does not name.
 * @throws {z.ZodError} if anything else is wrong with the answer
 */
export function readLeniently(schema: z.ZodType, answer: unknown): unknown {
  const copy: unknown = structuredClone(answer)
  const found: Unknown[] = []
  for (let turn = 0; ; turn += 1) {
    const read = z.safeDecode(schema, copy)
    if (read.success) {
      for (const { path, raw } of found) put(read.data, path, String(raw))
      return read.data
    }
    const unknown = read.error.issues.map((issue) => unknownAt(issue, copy))
    if (turn === mostTurns || unknown.includes(null)) throw read.error
    for (const each of unknown) {
      if (each === null) continue
      found.push(each)
      put(copy, each.path, each.known)
    }
  }
}

/** Null if the issue is no unknown value of a closed set. */
function unknownAt(issue: z.core.$ZodIssue, answer: unknown): Unknown | null {
  const { path } = issue
  const raw = path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | undefined)?.[key], answer)
  if (path.length === 0 || (typeof raw !== 'string' && typeof raw !== 'number')) return null
  if (issue.code === 'invalid_value' && issue.values.length > 1) return { path, raw, known: issue.values[0] }
  const known: unknown = issue.code === 'custom' ? issue.params?.known : undefined
  return known === undefined ? null : { path, raw, known }
}

function put(root: unknown, path: Path, value: unknown): void {
  const holder = path.slice(0, -1).reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown>)[key], root)
  const last = path.at(-1)
  if (last !== undefined) (holder as Record<PropertyKey, unknown>)[last] = value
}
