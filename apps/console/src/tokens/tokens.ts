/** The API tokens, and which of them the screen shows in which order. */
import type { ApiToken, TokenState } from '@roomkeeper/contract'
import { apiQuery } from '#api/queries.ts'

/** No event tells that a token was used or refused. */
const pollMilliseconds = 15_000

/** The operator's tokens, and for CLOUD_ADMINISTRATORs those of all operators. */
export const tokensQuery = {
  ...apiQuery(['tokens'], 'tokens', {}, { background: 'refetch' }),
  refetchInterval: pollMilliseconds,
}

interface WantedTokens {
  search?: string
  state?: TokenState
}

/** Own tokens first; among them and the others those that may be stolen, then those that still count, the newest first. */
export function foundTokens(all: readonly ApiToken[], { search = '', state }: WantedTokens): ApiToken[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return all
    .filter((token) => state === undefined || token.state === state)
    .filter((token) => words.every((word) => searchedIn(token).includes(word)))
    .sort(
      (a, b) =>
        Number(b.isOwn) - Number(a.isOwn) ||
        Number(isSuspicious(b)) - Number(isSuspicious(a)) ||
        Number(b.state === 'active') - Number(a.state === 'active') ||
        Date.parse(b.createdAt) - Date.parse(a.createdAt),
    )
}

function searchedIn({ name, owner, networks, lastUsedFrom, refused }: ApiToken): string {
  return [name, owner, ...networks, lastUsedFrom, refused?.lastFrom].join(' ').toLowerCase()
}

/**
 * Whether a refused call says that the token may be stolen: it is used although it was revoked, or from elsewhere. An
 * expired token is usually one that its operator has not renewed.
 */
export function isSuspicious({ refused }: Pick<ApiToken, 'refused'>): boolean {
  return refused !== null && refused.why !== 'expired'
}
