/** The state of the screen of API tokens in the URL, and the tokens that it shows. */
import type { ApiToken, TokenState } from '@roomkeeper/contract'
import { nameIn, page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** Written out because URLs are read before the contract is loaded. */
const states: Record<TokenState, true> = { active: true, expired: true, revoked: true }

/** If absent: all tokens. */
const parameters = { page, size: pageSize, search: text(320), state: nameIn(states) }
export type TokensSearch = SearchOf<typeof parameters>

export const parseTokensSearch = (given: Record<string, unknown>): TokensSearch => readSearch(parameters, given)

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
 * expired token is usually one that nobody has renewed.
 */
export function isSuspicious({ refused }: Pick<ApiToken, 'refused'>): boolean {
  return refused !== null && refused.why !== 'expired'
}
