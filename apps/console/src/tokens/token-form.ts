/** The form of a new API token: its values, and their format in the API. */
import {
  type CodedError,
  codedError,
  mostTokenDays,
  type Role,
  type TokenDraft,
  usualTokenDays,
} from '@roomkeeper/contract'
import { parseDay } from '#ui/day.ts'

/** How many days it counts, or `day`: until the end of a day. */
export const lifetimes = ['7', '30', '90', '365', 'day'] as const
type Lifetime = (typeof lifetimes)[number]

interface TokenForm {
  name: string
  role: Role
  lifetime: Lifetime
  /** As typed. */
  day: string
  /** One on each line. */
  networks: string
}

export const newTokenForm: TokenForm = {
  name: '',
  role: 'CLOUD_SUPPORT',
  lifetime: String(usualTokenDays) as Lifetime,
  day: '',
  networks: '',
}

const dayMilliseconds = 24 * 60 * 60 * 1000

/** @param now in milliseconds; days are those of the browser's time zone */
export function draftOf({ name, role, lifetime, day, networks }: TokenForm, now = Date.now()): TokenDraft {
  const expiresAt = endOf(lifetime, day, now)
  return {
    name: name.trim(),
    role,
    networks: networks
      .split(/[\n,;]/)
      .map((each) => each.trim())
      .filter(Boolean),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  }
}

/** In milliseconds. @returns undefined for the usual lifetime, which the server knows, and if there is no such day */
export function endOf(lifetime: Lifetime, day: string, now: number): number | undefined {
  if (lifetime === 'day') {
    const parsed = parseDay(day)
    return parsed === null ? undefined : endOfDay(parsed)
  }
  const days = Number(lifetime)
  if (days === usualTokenDays) return undefined
  return now + days * dayMilliseconds
}

/** The last moment of the day. */
function endOfDay(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1).getTime() - 1000
}

/** What is wrong with the day; the contract's schema checks the rest. */
export function errorsOf({ lifetime, day }: TokenForm, now = Date.now()): { day?: CodedError } {
  if (lifetime !== 'day') return {}
  const end = endOf(lifetime, day, now)
  if (end === undefined) return { day: codedError('day-unreadable') }
  const isPossible = end > now && end <= now + mostTokenDays * dayMilliseconds
  return isPossible ? {} : { day: codedError('token-expiry-out-of-range', { days: mostTokenDays }) }
}
