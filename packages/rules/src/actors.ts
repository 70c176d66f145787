/** Who is named in the audit trail and as the one who started an operation: an operator, or one of their API tokens. */

/** @param tokenName null: no token, the operator is signed in */
export function actorOf(email: string, tokenName: string | null): string {
  return tokenName === null ? email : `${beginningOfTokens(email)}${tokenName})`
}

/** Whether this operator, or one of their API tokens, is the actor. */
export function isActorOf(actor: string, email: string): boolean {
  return actor === email || actor.startsWith(beginningOfTokens(email))
}

/** With what the actors of all API tokens of this operator begin. */
export function beginningOfTokens(email: string): string {
  return `${email} (token `
}

/** The operator who acted, signed in or with an API token. */
export function operatorOf(actor: string): string {
  // No e-mail address has a space in it.
  return actor.replace(/ \(token .*$/s, '')
}

/** The name of the API token that the operator acted with. @returns null if the operator was signed in */
export function tokenNameOf(actor: string): string | null {
  return / \(token (.*)\)$/s.exec(actor)?.[1] ?? null
}
