/**
 * Reads lists of a store, which come in pages, each with a marker for the next. A malicious store may never send a last
 * page.
 */
import { because } from '@roomkeeper/contract'
import { refuse } from '../refuse.ts'

/** Pages of 1,000 entries each: more than are ever stored under one of our prefixes. */
const pagesAtMost = 100

/**
 * @param ask gets one page; null asks for the first
 * @param markerOf the marker for the next page; null: this page is the last
 * @throws Refusal when a marker is repeated, or after `pagesAtMost` pages
 */
export async function* pagesOfList<Page, Marker extends object>(
  ask: (after: Marker | null) => Promise<Page>,
  markerOf: (page: Page) => Marker | null,
): AsyncGenerator<Page> {
  const seen = new Set(['{}'])
  let after: Marker | null = null
  for (let pages = 0; pages < pagesAtMost; pages += 1) {
    const page: Page = await ask(after)
    yield page
    after = markerOf(page)
    if (after === null) return
    const marker = JSON.stringify(after)
    if (seen.has(marker)) break
    seen.add(marker)
  }
  throw refuse('object-store-refused', {
    reason: because('of-backup-store', { reason: because('store-list-endless') }),
  })
}
