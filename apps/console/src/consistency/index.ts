/** Whether console, regions and stores agree, and repairs of what does not. */
export { ConsistencyPage } from './ConsistencyPage.tsx'
export { type ConsistencySearch, parseConsistencySearch } from './consistency-search.ts'
