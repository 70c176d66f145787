/** Bulks: one action for many rooms. The dialog that starts one, the list of all, and the screen of one. */
export { BulkPage } from './BulkPage.tsx'
export { BulksPage } from './BulksPage.tsx'
export { type BulkSearch, type BulksSearch, parseBulkSearch, parseBulksSearch } from './bulk-search.ts'
export { LatestBulk } from './LatestBulkOnDemand.tsx'
export { useHasLatestBulk } from './latest-bulk.ts'
export { openStartBulk } from './open-start-bulk.tsx'
