/** The tokens that the screen shows, in their order. */
import type { ApiToken } from '@roomkeeper/contract'
import type { TokensSearch } from './tokens-search.ts'

export function isNarrowed({ search, state }: TokensSearch): boolean {
  return search !== undefined || state !== undefined
}

/** Own tokens first; among them and the others those that may be stolen, then those that still count, the newest first. */
export function foundTokens(all: readonly ApiToken[], { search = '', state }: TokensSearch): ApiToken[] {
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
