/** Whether a password is right, within an attempt that was counted before. */
import { Secret } from '#platform/secrets.ts'
import { passwordMatches, pretendToCheck } from './passwords.ts'
import type { Attempt } from './sign-in-throttle.ts'

/** @param hash the stored one; undefined, for an e-mail that nobody has, costs the same and never matches */
export async function checkPassword(attempt: Attempt, given: string, hash: string | undefined): Promise<boolean> {
  const password = new Secret(given)
  try {
    if (hash !== undefined) return await passwordMatches(password, hash, attempt.address)
    await pretendToCheck(password, attempt.address)
    return false
  } catch (error) {
    // It was not checked: the queue was full.
    await attempt.takeBack()
    throw error
  }
}
