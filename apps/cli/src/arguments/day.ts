import { InvalidArgumentError } from 'commander'

/** A parser of an option that takes a day, such as 2027-01-31. */
export function day(given: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))) return given
  throw new InvalidArgumentError('A day looks like 2027-01-31.')
}
