/**
 * The operator's session: signing in and out, and what happens when it ends.
 * Signed out → (sign-in, or a saved cookie that the server still knows) → signed in → (log out, 401) → signed out.
 */
import {
  type Access,
  type Credentials,
  type OperatorSession,
  ProblemError,
  type SecondFactor,
} from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { redirect } from '@tanstack/react-router'
import i18next from 'i18next'
import { client, whenUnauthorised } from '#api/client.ts'
import { deleteCookie, readCookie, writeCookie } from '#api/cookies.ts'
import { queryClient } from '#api/queries.ts'
import { clearStoredLists } from '#api/stored-lists.ts'
import { clearLeftover, clearToken, readToken, saveToken } from '#api/token.ts'
import { textOf, textOfProblem, titleOfProblem } from '#locales/error-texts.ts'
import { closeToasts, toastSuccess, toastWarning } from '#ui/toast.ts'
import { forgetTimes, noteSignIn, sessionEnd } from './session-times.ts'

const expiryMarker = { name: 'session_exp', maxAgeSeconds: 12 * 60 * 60 }

let operator: OperatorSession | null = null
/** The token with which `operator` was fetched. Another tab may since have signed in as another operator. */
let operatorToken: string | null = null
/** The operator whose page waits, covered, until they have signed in again; see SignInCover.tsx. */
let absent: OperatorSession | null = null
/** The address of that page. */
let absentHref = ''
let isSigningIn = false
/** True while the saved cookie is checked: a 401 then does not mean that a session in use has ended. */
let checksCookie = false

/** @returns whether the second factor comes next. @throws {ProblemError} if refused; no session state is kept then. */
export async function signIn(credentials: Credentials): Promise<{ secondFactorNext: boolean }> {
  clearLeftover()
  isSigningIn = true
  try {
    const { token, ...answered } = (await client.call('signIn', { body: credentials })).body
    // A former operator may have left data behind, such as one whose cookie expired while no tab was open.
    forgetCustomers()
    // Closes the toasts about signing in before the saved token brings those about what ended under a cover.
    closeToasts()
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
  } finally {
    isSigningIn = false
  }
}

/** Completes the second factor: the session then has the permissions of its role. @throws {ProblemError} */
export async function passSecondFactor(given: SecondFactor): Promise<void> {
  const token = readToken()
  operator = (await client.call('completeSecondFactor', { body: given })).body
  operatorToken = token
}

/** The storage key of the data that must survive the redirect to the identity provider. */
export const secondFactorKey = 'roomkeeper.second-factor'

export function forgetSecondFactor(): void {
  sessionStorage.removeItem(secondFactorKey)
}

/** The toast for a failed sign-in: the specified text for wrong credentials, otherwise the server's text. */
export function whyNotSignedIn(error: unknown): { title: string; text: string } {
  if (!(error instanceof ProblemError)) return { title: i18next.t('session:failed'), text: textOf(error) }
  if (error.problem.status !== 401) return { title: titleOfProblem(error.problem), text: textOfProblem(error.problem) }
  return { title: i18next.t('session:wrong.title'), text: i18next.t('session:wrong.text') }
}

/** Ends the session in this browser at once, and on the server as soon as it can be reached. */
export function signOut(): void {
  // The call reads the token before it is forgotten. Without one, a 401 to the call does not look like an expiry.
  void client.call('signOut', {}).catch(() => undefined)
  forget()
  closeToasts()
  toastSuccess(i18next.t('session:loggedOut.title'), i18next.t('session:loggedOut.text'))
}

/**
 * The signed-in operator, fetched with the saved cookie if not known yet. An invalid cookie is deleted.
 * @throws if the server cannot be reached.
 */
export async function findOperator(): Promise<OperatorSession | null> {
  clearLeftover()
  const token = readToken()
  if (token === null) {
    forget()
    return null
  }
  if (operator !== null && operatorToken === token) return operator
  if (operatorToken !== null) forgetCustomers()
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

/** Tells the server that a session has expired here. */
export function endOnServer(): void {
  void client.call('signOut', {}).catch(() => undefined)
}

/** Handles the end of a session, except for leaving the page: shows a toast and clears the stored data. */
export function announceExpiry(): void {
  absent = null
  tellExpiry()
}

/**
 * Handles the end of a session in use. A page that would ask before it is left is to be covered and waits.
 * @param href the page's address, as the router has it
 * @returns whether it waits; otherwise it must be left
 */
export function expire(href: string): boolean {
  // A page that asks before the tab is closed holds something that is not saved.
  const wouldLose = !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  if (absent === null && wouldLose) {
    absent = operator
    absentHref = href
  }
  tellExpiry()
  return absent !== null
}

function tellExpiry(): void {
  // First the marker: other tabs must not take the missing cookie for a log-out.
  writeCookie(expiryMarker.name, '1', expiryMarker.maxAgeSeconds)
  forget()
  // They may name rooms.
  closeToasts()
  toastWarning(i18next.t('session:expired.title'), i18next.t('session:expired.text'))
}

/** The e-mail address of the operator who has signed in, whether or not the second factor has been passed. */
export function signedInEmail(): string | null {
  return operator?.email ?? null
}

/** The operator for whom a covered page waits. */
export function absentOperator(): OperatorSession | null {
  return absent
}

/**
 * For a covered page: who has signed in, here or in another tab. After `same` or `other`, the page waits no more. A
 * password alone drops nothing: `second-factor` is the answer for another operator, too.
 */
export async function whoReturned(): Promise<'nobody' | 'second-factor' | 'same' | 'other'> {
  const found = await findNow()
  if (found === null) return 'nobody'
  if (found.secondFactor) return 'second-factor'
  const isSame = absent?.email === found.email
  absent = null
  if (!isSame) forgetCustomers()
  return isSame ? 'same' : 'other'
}

/** For the sign-in: whether an operator has signed in in another tab, with the second factor if there is one. */
export async function hasSignedInElsewhere(): Promise<boolean> {
  const found = await findNow()
  return found !== null && !found.secondFactor
}

async function findNow(): Promise<OperatorSession | null> {
  if (isSigningIn || readToken() === null) return null
  // Only the server knows whether the second factor has been passed in another window.
  if (operator?.secondFactor === true) operator = null
  return findOperator()
}

/** Calls `onExpired` once for each session that ends while in use. @returns a function that stops watching */
export function watchForExpiry(onExpired: () => void): () => void {
  return whenUnauthorised(() => {
    if (!checksCookie) onExpired()
  })
}

/** How other tabs, or the age of the cookie, have changed the session; null if they have not. */
export function changeInOtherTab(): 'expired' | 'signed-out' | 'replaced' | null {
  const token = readToken()
  if (operatorToken === null || absent !== null || token === operatorToken) return null
  if (token !== null) return 'replaced'
  // An expiry leaves its marker. A cookie that has gone by itself leaves the times, a log-out neither.
  return readCookie(expiryMarker.name) === null && sessionEnd() === null ? 'signed-out' : 'expired'
}

/** The operator has logged out in another tab, which has said so there. */
export function followSignOut(): void {
  forget()
  closeToasts()
}

/** For signed-in operators only. Anyone else is sent to sign in and returns to `href` afterwards. */
export async function requireOperator(href: string): Promise<OperatorSession> {
  if (absent !== null) {
    // A covered page is loaded again when its question has kept it from being left, such as by Back.
    if (href === absentHref) return absent
    // A covered page that is left all the same no longer waits.
    absent = null
    forgetCustomers()
  }
  const hadCookie = readToken() !== null
  const found = await findOperator()
  if (found === null) {
    if (hadCookie) announceExpiry()
    throw redirect({ to: '/project/operator', state: { returnTo: href } })
  }
  if (found.secondFactor) throw redirect({ to: '/project/mfa_okta', state: { returnTo: href } })
  return found
}

/** For operators with this access only. All others are sent to the list. */
export function requireAccess({ role }: OperatorSession, access: Access): void {
  if (!roleAllows(role, access)) throw redirect({ to: '/project/administration', replace: true })
}

function forget(): void {
  operator = null
  operatorToken = null
  clearToken()
  clearLeftover()
  forgetTimes()
  forgetSecondFactor()
  forgetCustomers()
}

/** Clears what a former operator has seen of customers. A covered page keeps it in memory, for the same operator. */
function forgetCustomers(): void {
  clearStoredLists()
  if (absent === null) queryClient.clear()
}
