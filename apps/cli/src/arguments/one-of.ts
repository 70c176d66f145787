import { closestTo } from '@roomkeeper/contract'
import { InvalidArgumentError } from 'commander'

const mostListed = 20
const choices = new WeakMap<object, readonly string[]>()

/** A parser of an option that takes one of these words, in any case. Completion offers them. */
export function oneOf<Word extends string>(words: readonly Word[]): (given: string) => Word {
  const parse = (given: string) => {
    const found = words.find((word) => word.toLowerCase() === given.toLowerCase())
    if (found !== undefined) return found
    const meant = closestTo(given, words)
    const known = words.length > mostListed ? [] : [`It has to be one of ${words.join(', ')}.`]
    throw new InvalidArgumentError([...known, meant === null ? '' : `Is it ${meant}?`].join(' ').trim())
  }
  choices.set(parse, words)
  return parse
}

/** Several of them, joined by commas. */
export function someOf<Word extends string>(words: readonly Word[]): (given: string) => Word[] {
  const one = oneOf(words)
  const parse = (given: string) => given.split(',').map(one)
  choices.set(parse, words)
  return parse
}

/** The words that an option takes, if its parser is one of the above. */
export function choicesOf(parser: unknown): readonly string[] {
  return (typeof parser === 'function' ? choices.get(parser) : undefined) ?? []
}
