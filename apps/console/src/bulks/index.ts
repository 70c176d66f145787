/** Bulks: one action for many rooms. The dialog that starts one, and whether one was started. */
export { useHasLatestBulk } from './latest-bulk.ts'
export { openStartBulk } from './open-start-bulk.tsx'
