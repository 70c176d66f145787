/**
 * The operator's session: signing in and out, and what happens when it ends.
 * nobody → (sign-in, or a saved cookie that the server still knows) → signed in → (log out, 401) → nobody.
 */

import { type Credentials, type OperatorSession, ProblemError, type SecondFactor } from '@roomkeeper/contract'
import i18next from 'i18next'
import { client, whenUnauthorised } from '#api/client.ts'
import { queryClient } from '#api/queries.ts'
import { clearStoredLists } from '#api/stored-lists.ts'
import { textOf } from '#api/text-of-error.ts'
import { clearLeftover, clearToken, readToken, saveToken } from '#api/token.ts'
import { textOfProblem, titleOfProblem } from '#ui/coded-text.ts'
import { deleteCookie, writeCookie } from '#ui/cookies.ts'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import { forgetTimes, noteSignIn } from './session-times.ts'

const expiryMarker = { name: 'session_exp', maxAgeSeconds: 12 * 60 * 60 }

let operator: OperatorSession | null = null
/** The token that `operator` was learned with: another tab may have signed in as somebody else since. */
let operatorToken: string | null = null
/** While the saved cookie is being checked, a 401 does not mean that a session in use has ended. */
let checksCookie = false

/** @returns whether the second factor's screen comes next. @throws {ProblemError} when refused; nothing is kept then. */
export async function signIn(credentials: Credentials): Promise<{ secondFactorNext: boolean }> {
  clearLeftover()
  try {
    const { token, ...answered } = (await client.call('signIn', { body: credentials })).body
    saveToken(token)
    const [permissions, provider] = await Promise.all([client.call('permissions', {}), client.call('oktaConfig', {})])
    operator = { ...answered, role: permissions.body.role }
    operatorToken = token
    noteSignIn()
    deleteCookie(expiryMarker.name)
    const { issuer, clientId, on } = provider.body
    return { secondFactorNext: issuer !== '' && clientId !== '' && on }
  } catch (error) {
    forget()
    throw error
  }
}

/** From then on the session may do what its role may. @throws {ProblemError} */
export async function passSecondFactor(given: SecondFactor): Promise<void> {
  const token = readToken()
  operator = (await client.call('completeSecondFactor', { body: given })).body
  operatorToken = token
}

/** The storage key of what has to survive the redirect to the identity provider. */
export const secondFactorKey = 'roomkeeper.second-factor'

export function forgetSecondFactor(): void {
  sessionStorage.removeItem(secondFactorKey)
}

/** What to tell about a failed sign-in: wrong credentials to the letter, else what the server says. */
export function whyNotSignedIn(error: unknown): { title: string; text: string } {
  if (!(error instanceof ProblemError)) return { title: i18next.t('session:failed'), text: textOf(error) }
  if (error.problem.status !== 401) return { title: titleOfProblem(error.problem), text: textOfProblem(error.problem) }
  return { title: i18next.t('session:wrong.title'), text: i18next.t('session:wrong.text') }
}

/** Ends the session here, whether or not the server could be reached. */
export async function signOut(): Promise<void> {
  const request = client.call('signOut', {})
  // The call has read the token by now; a 401 to it must not look like an expiry.
  forget()
  await request.catch(() => undefined)
  toastSuccess(i18next.t('session:loggedOut.title'), i18next.t('session:loggedOut.text'))
}

/**
 * The signed-in operator: known already, or fetched with the saved cookie; an invalid cookie is deleted.
 * @throws when the server cannot be asked.
 */
export async function findOperator(): Promise<OperatorSession | null> {
  clearLeftover()
  const token = readToken()
  if (token === null) {
    forget()
    return null
  }
  if (operator !== null && operatorToken === token) return operator
  if (operatorToken !== null) queryClient.clear()
  checksCookie = true
  try {
    operator = (await client.call('checkSession', {})).body
    operatorToken = token
    return operator
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.status === 401)) throw error
    forget()
    return null
  } finally {
    checksCookie = false
  }
}

/** The time is over: ends the session here and on the server, with the same texts as when the server has ended it. */
export function endSession(): void {
  void client.call('signOut', {}).catch(() => undefined)
  announceExpiry()
}

/** The session-expired flow without the navigation: shows a toast and clears what was stored. */
export function announceExpiry(): void {
  forget()
  writeCookie(expiryMarker.name, '1', expiryMarker.maxAgeSeconds)
  toastWarning(i18next.t('session:expired.title'), i18next.t('session:expired.text'))
}

/** Calls back once for every session that ended while it was in use. @returns how to stop. */
export function watchForExpiry(leavePage: () => void): () => void {
  return whenUnauthorised(() => {
    if (checksCookie) return
    announceExpiry()
    leavePage()
  })
}

/** What other tabs have done to the session; null while it is unchanged. */
export function changeInOtherTab(): 'ended' | 'replaced' | null {
  const token = readToken()
  if (operatorToken === null || token === operatorToken) return null
  return token === null ? 'ended' : 'replaced'
}

function forget(): void {
  operator = null
  operatorToken = null
  clearToken()
  clearLeftover()
  clearStoredLists()
  forgetTimes()
  forgetSecondFactor()
  queryClient.clear()
}
