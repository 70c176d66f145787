import { InvalidArgumentError } from 'commander'

/** Of a configuration of a live migration. */
export function migrationId(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new InvalidArgumentError("It is a number: see 'roomkeeper migrate list'.")
}
