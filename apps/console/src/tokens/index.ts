/** API tokens: with one of them another program makes calls in the name of the operator who made it. */
export { TokensPage } from './TokensPage.tsx'
export { parseTokensSearch, type TokensSearch } from './tokens-search.ts'
