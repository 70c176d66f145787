import type { z } from 'zod'

/**
 * Limits for one answer, or one file's manifest. No real one comes near them; without them a few compressed kilobytes
 * could become gigabytes of validation errors.
 */
export const atMost = {
  products: 100,
  damagedRooms: 10_000,
  /** Of a room: licences, and sub-licences. */
  licences: 1000,
  /** Of a room. A backup has room for a tenth of them. */
  databases: 100_000,
  sessions: 100_000,
  /** In one answer about a job. */
  lines: 100_000,
  /** Rooms, or redirections. */
  page: 1000,
  filesOfBackup: 10_000,
} as const

/** Members of objects and elements of lists in an answer, in total. */
const elementsOfAnswer = 1_000_000

/**
 * The value of a JSON text from outside; undefined when it is invalid, or has more than `elementsAtMost` elements.
 * Parsing costs up to a hundred bytes and a microsecond for each element, however short it is written.
 */
export function boundedJson(text: string, elementsAtMost = elementsOfAnswer): unknown {
  if (saysMore(text, elementsAtMost)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The value parsed by the schema; null when it does not match. Validation ends at the first error; parsing would
 * collect all of them.
 */
export function inForm<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  return schema.validate(value) ? schema.parse(value) : null
}

/** Every element starts with one of these characters, or follows one. Those within strings are too few to matter. */
function saysMore(text: string, most: number): boolean {
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
