import { InvalidArgumentError } from 'commander'

/** A parser of an option that takes a whole number of at least `min`. */
export function wholeNumber(min: number): (given: string) => number {
  return (given) => {
    if (/^\d{1,9}$/.test(given) && Number(given) >= min) return Number(given)
    throw new InvalidArgumentError(`It has to be a whole number, ${min} or more.`)
  }
}
