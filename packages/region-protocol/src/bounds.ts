import type { z } from 'zod'

/**
 * Limits for the content of one answer, or of one backup's manifest. No real region comes near them. Without them, a
 * few compressed kilobytes could become gigabytes of validation errors.
 */
export const atMost = {
  products: 100,
  damagedRooms: 10_000,
  capabilities: 1000,
  /** Licences of a room; also its sub-licences. */
  licences: 1000,
  /** Databases of a room. A backup can hold only a tenth as many. */
  databases: 100_000,
  sessions: 100_000,
  /** Characters of the record that the console keeps with a room. */
  consoleRecord: 8192,
  /** Log lines in one answer about a job. */
  lines: 100_000,
  /** Rooms, or redirects, on one page. */
  page: 1000,
  filesOfBackup: 10_000,
  filesToPurge: 10_000,
} as const

/** The total number of object members and list elements that an answer may have. */
const elementsOfAnswer = 1_000_000

/**
 * Parses untrusted JSON; undefined if it is invalid or has more than `elementsAtMost` elements. Elements are limited
 * because parsing costs up to a hundred bytes and a microsecond for each of them, however short its text is.
 */
export function boundedJson(text: string, elementsAtMost = elementsOfAnswer): unknown {
  if (exceeds(text, elementsAtMost)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Parses the value by the schema, and ends at the first error, as `validate` does: all errors of a large value would
 * cost gigabytes.
 */
export function inForm<S extends z.ZodType>(schema: S, value: unknown): z.ZodSafeParseResult<z.output<S>> {
  return schema.safeParse(value, untilFirstError)
}

/** `reportInput`: the error holds the wrong value. */
const untilFirstError = { abortEarly: true, reportInput: true }

/**
 * Counts commas and opening brackets and braces, because each element follows one of them. The count includes those
 * within strings, which are too few to matter.
 */
function exceeds(text: string, most: number): boolean {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== comma && code !== bracket && code !== brace) continue
    count += 1
    if (count > most) return true
  }
  return false
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]
