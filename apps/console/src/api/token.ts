/** The operator token in the cookie OperatorData: sent with every call, never read by the server from the cookie. */
import { deleteCookie, readCookie, writeCookie } from '#ui/cookies.ts'

/** A session cannot outlive this, so neither does its cookie. */
const sessionHours = 12

export function readToken(): string | null {
  return readCookie('OperatorData') || null
}

export function saveToken(token: string): void {
  writeCookie('OperatorData', token, sessionHours * 60 * 60)
}

export function clearToken(): void {
  deleteCookie('OperatorData')
}

/** Former versions left a cookie named Token behind; it is cleared wherever it is found. */
export function clearLeftover(): void {
  if (readCookie('Token') !== null) deleteCookie('Token')
}
