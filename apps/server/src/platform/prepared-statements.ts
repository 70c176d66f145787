/**
 * Statements that each connection prepares when it first runs them, because parsing and planning a statement takes
 * PostgreSQL as long as running it: the planner looks at every index of a table.
 */
import { createHash } from 'node:crypto'

/** By its text, the name of a statement in each connection. */
const names = new Map<string, string>()
const canBePrepared = /^\s*(select|insert|update|delete|with)\b[^;]*$/i

/**
 * Marks a text, so that each connection prepares it, however it is run. Each text costs memory in each connection, so
 * only texts of the source may be marked. It has to name its columns: after `*`, every connection that has prepared it
 * would fail when a schema change adds one.
 * @returns the text
 */
export function prepared(text: string): string {
  if (!names.has(text) && canBePrepared.test(text)) names.set(text, nameOf(text))
  return text
}

/**
 * The name follows from the text, because a pooler may hand one connection to processes of several versions: it must
 * never stand for another statement.
 */
function nameOf(text: string): string {
  return `roomkeeper-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

/** @returns undefined: the text is not marked by `prepared` */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text)
}
