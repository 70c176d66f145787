/** Parsers of options and arguments. */
import { closestTo, shortened } from '@roomkeeper/contract'
import { InvalidArgumentError } from 'commander'

const mostListed = 20
const choices = new WeakMap<object, { words: readonly string[]; isList: boolean }>()

/** Takes one of these words, in any case. Completion offers them. */
export function oneOf<Word extends string>(words: readonly Word[]): (given: string) => Word {
  const parse = (given: string) => {
    const found = words.find((word) => word.toLowerCase() === given.toLowerCase())
    if (found !== undefined) return found
    const meant = closestTo(given, words)
    const known = words.length > mostListed ? [] : [`It has to be one of ${words.join(', ')}.`]
    throw new InvalidArgumentError([...known, meant === null ? '' : `Is it ${meant}?`].join(' ').trim())
  }
  choices.set(parse, { words, isList: false })
  return parse
}

/** Takes several of them, joined by commas. */
export function someOf<Word extends string>(words: readonly Word[]): (given: string) => Word[] {
  const one = oneOf(words)
  const parse = (given: string) => given.split(',').map(one)
  choices.set(parse, { words, isList: true })
  return parse
}

/** Takes names of fields, joined by commas. */
export function fieldsAmong(fields: readonly string[]): (given: string) => string[] {
  const parse = (given: string) => {
    const names = given.split(',').map((name) => name.trim())
    if (names.includes('')) throw new InvalidArgumentError('A name is empty.')
    const unknown = unknownFields(names, fields)
    if (unknown !== null) throw new InvalidArgumentError(unknown)
    return [...new Set(names)]
  }
  choices.set(parse, { words: fields, isList: true })
  return parse
}

/** @returns a sentence about those that are unknown, and one with all that there are; null: all are known */
export function unknownFields(names: readonly string[], fields: readonly string[]): string | null {
  const unknown = names.filter((name) => !fields.includes(name))
  const [first] = unknown
  if (first === undefined) return null
  const meant = closestTo(first, fields)
  const named = shortened(unknown.join(', '))
  return `There is no field ${named}.${meant === null ? '' : ` Is it ${meant}?`} Fields: ${fields.join(', ')}.`
}

/** How what was typed could go on, if the parser of the option is one of the above. */
export function completionsOf(parser: unknown, typed: string): readonly string[] {
  const known = typeof parser === 'function' ? choices.get(parser) : undefined
  if (known === undefined) return []
  if (!known.isList) return known.words
  const begun = typed.slice(0, typed.lastIndexOf(',') + 1)
  const given = begun.split(',')
  return known.words.filter((word) => !given.includes(word)).map((word) => begun + word)
}

/** Takes a day, such as 2027-01-31. */
export function day(given: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))) return given
  throw new InvalidArgumentError('A day looks like 2027-01-31.')
}

/**
 * Takes a text that chooses something. An empty one would choose everything, and comes from scripts in which a variable
 * has no value.
 */
export function nonEmptyText(given: string): string {
  if (given.trim() !== '') return given
  throw new InvalidArgumentError('It is empty.')
}

/** Takes labels, joined by commas. An empty one would choose the rooms without labels. */
export function labelsOf(text: string): string[] {
  const labels = text.split(',').map((each) => each.trim())
  if (labels.includes('')) throw new InvalidArgumentError(labels.length === 1 ? 'It is empty.' : 'A label is empty.')
  if (text.includes('|')) throw new InvalidArgumentError('No label has a |.')
  return labels
}

/** Takes a whole number of at least `min`. */
export function wholeNumber(min: number): (given: string) => number {
  return (given) => {
    if (/^\d{1,9}$/.test(given) && Number(given) >= min) return Number(given)
    throw new InvalidArgumentError(`It has to be a whole number, ${min} or more.`)
  }
}
