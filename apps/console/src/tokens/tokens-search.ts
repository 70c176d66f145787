/** The state of the screen of API tokens in the URL. Every page loads it, so what is found is in found-tokens.ts. */
import type { TokenState } from '@roomkeeper/contract'
import { nameIn, page, pageSize, readSearch, type SearchOf, text } from '#ui/url-search.ts'

/** Written out because URLs are read before the contract is loaded. */
const states: Record<TokenState, true> = { active: true, expired: true, revoked: true }

/** If absent: all tokens. */
const parameters = { page, size: pageSize, search: text(320), state: nameIn(states) }
export type TokensSearch = SearchOf<typeof parameters>

export const parseTokensSearch = (given: Record<string, unknown>): TokensSearch => readSearch(parameters, given)
