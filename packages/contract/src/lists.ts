/**
 * Lists, whole numbers and flags in query strings. A list is comma-joined; an element that holds a comma or a percent
 * sign is percent-encoded once.
 */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { asSearched } from './plain-text.ts'

export function joinList(elements: readonly string[]): string {
  return elements.map((each) => each.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',')
}

/** For the OpenAPI document. */
const listOnTheWire = z.string().meta({
  type: 'array',
  items: { type: 'string' },
  description: 'Comma-joined; an element that holds a comma or a percent sign is percent-encoded once more.',
})

/** `a,b%2Cc` on the wire, `['a', 'b,c']` inside, as stored texts are. An empty or absent parameter is the empty list. */
export const commaJoined = z.codec(listOnTheWire, z.array(z.string()), {
  decode: (joined, context) => {
    if (joined === '') return []
    try {
      return joined.split(',').map((each) => asSearched(each.includes('%') ? decodeURIComponent(each) : each))
    } catch {
      context.issues.push({
        code: 'custom',
        input: joined,
        message: coded('list-percent-sign'),
      })
      return z.NEVER
    }
  },
  encode: joinList,
})

/** Whole numbers in query strings. */
export function queryInt(limits: { min: number; max: number; default: number }) {
  const { min, max } = limits
  const error = coded('must-be-whole-number-between', { min, max })
  // For the OpenAPI document.
  const onTheWire = z.string().meta({ type: 'integer', minimum: min, maximum: max })
  return z
    .codec(onTheWire, z.int({ error }).min(min, error).max(max, error), {
      decode: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN),
      encode: String,
    })
    .default(limits.default)
}

/** Which page of a list, from 0 on, and how many rows it has. */
export function paged(limits: { sizeAtMost?: number; usualSize?: number } = {}) {
  const { sizeAtMost = 100, usualSize = 20 } = limits
  return {
    page: queryInt({ min: 0, max: 2_147_483_647, default: 0 }),
    size: queryInt({ min: 1, max: sizeAtMost, default: usualSize }),
  }
}

/** One page of a list, and how much there is on all of them. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), totalElements: z.int(), totalPages: z.int() })
}

const flagOnTheWire = z
  .enum(['true', 'false', '1', '0'], { error: coded('must-be-boolean') })
  // For the OpenAPI document.
  .meta({ type: 'boolean', enum: [true, false] })

/** `true` and `false` (or 1 and 0) in query strings; false when absent. */
export const queryFlag = z
  .codec(flagOnTheWire, z.boolean(), {
    decode: (text) => text === 'true' || text === '1',
    encode: (flag) => (flag ? 'true' : 'false'),
  })
  .default(false)
