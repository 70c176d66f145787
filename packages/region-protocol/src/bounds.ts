import type { z } from 'zod'

/**
 * How much one answer, or one file's manifest, may say. No honest party comes near any of it; without it a few kilobytes
 * on the line (packed) become gigabytes of notes about what is wrong with each element.
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

/** Members of objects and elements of lists in an answer, all told. */
const elementsOfAnswer = 1_000_000

/**
 * The value of a JSON text that somebody else wrote; undefined when it is none, or says more than `elementsAtMost` things.
 * Each costs up to a hundred bytes and a microsecond, however short it is written, before anybody can look at it.
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
 * The value in the form of the schema; null when it has another. To validate ends with the first thing that is wrong; to
 * parse would take note of each.
 */
export function inForm<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  return schema.validate(value) ? schema.parse(value) : null
}

/** Whatever a value holds begins with one of these, or follows one. Those within texts are too few to matter. */
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
