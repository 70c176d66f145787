import { InvalidArgumentError } from 'commander'

/**
 * A parser of an option that chooses by a text. An empty one would choose everything, and comes from scripts in which a
 * variable has no value.
 */
export function someText(given: string): string {
  if (given.trim() !== '') return given
  throw new InvalidArgumentError('It is empty.')
}
