/**
 * Statements that run for every call or step. Each connection prepares them once, because parsing and planning them
 * takes PostgreSQL as long as running them: the planner looks at every index of `rooms`.
 */
import { createHash } from 'node:crypto'

/** By its text, the name of a statement in each connection. */
const names = new Map<string, string>()

/**
 * Declares such a statement. Its plan must not depend on its values. It has to name its columns: after `*`, every
 * connection that has prepared it would fail when a schema change adds one.
 * @returns the text, to be run like any other
 */
export function prepared(text: string): string {
  if (!names.has(text)) names.set(text, nameOf(text))
  return text
}

/**
 * The name follows from the text, because a pooler may hand one connection to processes of several versions: it must
 * never stand for another statement.
 */
function nameOf(text: string): string {
  return `roomkeeper-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/** Undefined: the statement is not one of these. */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text)
}
