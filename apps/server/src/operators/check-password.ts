/** Checks a password as part of an attempt that has already been counted. */
import { Secret } from '#platform/secrets.ts'
import { passwordMatches, pretendToCheck } from './passwords.ts'
import type { Attempt } from './sign-in-throttle.ts'

/** @param hash the stored hash; undefined, for an unknown e-mail address, costs the same time and never matches */
export async function checkPassword(attempt: Attempt, given: string, hash: string | undefined): Promise<boolean> {
  const password = new Secret(given)
  try {
    if (hash !== undefined) return await passwordMatches(password, hash, attempt.address)
    await pretendToCheck(password, attempt.address)
    return false
  } catch (error) {
    // The queue was full, so the password was not checked.
    await attempt.takeBack()
    throw error
  }
}
