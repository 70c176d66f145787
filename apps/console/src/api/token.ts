/** The operator token in the cookie OperatorData: sent with every call, never read by the server from the cookie. */
import { deleteCookie, readCookie, writeCookie } from './cookies.ts'

/** No session lasts longer, so the cookie does not either. */
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

/** The specification asks for it: a cookie named Token is deleted wherever it is found. */
export function clearLeftover(): void {
  if (readCookie('Token') !== null) deleteCookie('Token')
}
