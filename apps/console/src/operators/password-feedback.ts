/** What the change-password form shows while it is filled in (specification 001 §5). */

export const shortestPassword = 8
export const longestPassword = 64

export interface NewPasswords {
  newPassword: string
  newPasswordReentered: string
}

/** The colour of a field's border: grey while it is too short, red when too long or different, green when both match. */
export type Feedback = 'grey' | 'red' | 'green'

/** For one of the two; while nothing was entered into the other, there is nothing to differ from. */
export function feedbackOf(own: string, other: string): Feedback {
  if (own.length < shortestPassword) return 'grey'
  if (own.length > longestPassword) return 'red'
  if (other === '') return 'grey'
  return own === other ? 'green' : 'red'
}

/** What is wrong in what was entered so far; null when nothing is. */
export function problemOf({ newPassword, newPasswordReentered }: NewPasswords): 'short' | 'long' | 'differ' | null {
  const entered = [newPassword, newPasswordReentered].filter((each) => each !== '')
  if (entered.some((each) => each.length > longestPassword)) return 'long'
  if (entered.some((each) => each.length < shortestPassword)) return 'short'
  return entered.length === 2 && newPassword !== newPasswordReentered ? 'differ' : null
}

export function isComplete(given: NewPasswords & { oldPassword: string }): boolean {
  const { oldPassword, newPassword, newPasswordReentered } = given
  const isLongEnough = newPassword.length >= shortestPassword && newPassword.length <= longestPassword
  return oldPassword !== '' && isLongEnough && newPassword === newPasswordReentered
}
