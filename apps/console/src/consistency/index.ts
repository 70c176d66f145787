/** Findings where console, regions and stores disagree, and their repairs. */
export { ConsistencyPage } from './ConsistencyPage.tsx'
export { type ConsistencySearch, parseConsistencySearch } from './consistency-search.ts'
