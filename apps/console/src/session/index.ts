/** Signing in, and the end of a session. */
export { SecondFactorPage } from './SecondFactorPage.tsx'
export { SignInCover } from './SignInCover.tsx'
export { SignInPage } from './SignInPage.tsx'
export { changeInOtherTab, expire, followSignOut, signOut, watchForExpiry } from './session.ts'
export { useSessionEnding } from './use-session-ending.tsx'
