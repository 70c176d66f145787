/** Signing in, and the end of a session. */
export { SecondFactorPage } from './SecondFactorPage.tsx'
export { SignInPage } from './SignInPage.tsx'
export { announceExpiry, changeInOtherTab, followSignOut, signOut, watchForExpiry } from './session.ts'
export { useSessionEnding } from './use-session-ending.tsx'
