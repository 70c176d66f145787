/**
 * Reads the state of a screen from its URL: each parameter on its own; invalid ones are omitted. It does not use the
 * contract's schemas, because addresses are read before the sign-in, where zod would add 20 kB.
 */

/** @returns undefined if the value is invalid */
type Reader<Value> = (given: unknown) => Value | undefined

export type SearchOf<Readers> = {
  [Name in keyof Readers]?: (Readers[Name] extends Reader<infer Value> ? Value : never) | undefined
}

export function readSearch<Readers extends Record<string, Reader<unknown>>>(
  readers: Readers,
  given: Record<string, unknown>,
): SearchOf<Readers> {
  const read = Object.entries(readers).map(([name, reader]) => [name, reader(given[name])] as const)
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as SearchOf<Readers>
}

/** For `validateSearch` of a route. */
export const searchOf =
  <Readers extends Record<string, Reader<unknown>>>(readers: Readers) =>
  (given: Record<string, unknown>): SearchOf<Readers> =>
    readSearch(readers, given)

export const pageSizes = [20, 40, 60, 80, 100] as const
export const defaultPageSize = 20

/** Rows per page; if absent, the remembered size. */
export const pageSize: Reader<number> = (given) => pageSizes.find((each) => each === Number(given))

const largestNumber = 2_147_483_647

export const wholeNumber =
  (least: number, most = largestNumber): Reader<number> =>
  (given) => {
    const number = Number(given)
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined
  }

/** Counted from 1; page 1 is absent. */
export const page = wholeNumber(2)

export const oneOf =
  <Value>(values: readonly Value[]): Reader<Value> =>
  (given) =>
    values.find((each) => each === given)

/** Several of the names, comma-joined in their order, without those that are unknown. */
export const someOf = (names: readonly string[]): Reader<string> =>
  listOf((given) => names.filter((each) => given.includes(each)))

/** Several words, comma-joined, with as many of them as fit. No word has a `|`, which separates values of a filter. */
export const words = (longest: number): Reader<string> =>
  listOf((given) => {
    const found = given.map((each) => each.trim()).filter((each) => each !== '' && !each.includes('|'))
    let length = -1
    return found.filter((each) => {
      length += each.length + 1
      return length <= longest
    })
  })

/** Several positive whole numbers, comma-joined and ascending. */
export const numbers: Reader<string> = listOf((given) =>
  [...new Set(given.filter((each) => /^[1-9]\d{0,8}$/.test(each)).map(Number))].sort((a, b) => a - b),
)

/** The router reads ?region=1 as a number. */
function listOf(read: (given: readonly string[]) => readonly (string | number)[]): Reader<string> {
  return (given) => {
    if (typeof given !== 'string' && typeof given !== 'number') return undefined
    return read(String(given).split(',')).join(',') || undefined
  }
}

export const flag = oneOf([true] as const)

/** The text as typed. The router reads ?q=123 as a number. */
export const typedText: Reader<string> = (given) => {
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

export const text =
  (longest: number): Reader<string> =>
  (given) =>
    typedText(given)?.trim().slice(0, longest)
