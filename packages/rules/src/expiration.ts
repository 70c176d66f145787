/** The last day of a room. Days are `YYYY-MM-DD` in UTC, so the order of their texts is that of time. */
import { type FieldError, fieldError } from '@roomkeeper/contract'

/** The day in UTC, such as `2027-01-31`. */
export function dayInUtc(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** A room is valid until the end of its expiration day; null is unlimited. */
export function isExpired(expirationDate: string | null, today: string): boolean {
  return expirationDate !== null && expirationDate < today
}

/** A new room cannot expire before today. */
export function checkExpiration(expirationDate: string | null, today: string): FieldError[] {
  if (!isExpired(expirationDate, today)) return []
  return [fieldError('expirationDate', 'expires-before-today')]
}
