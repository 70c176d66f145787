/**
 * Lists of a store come in pages, each with a marker that leads to the next. A malicious store may never send a last
 * one.
 */
import { because } from '@roomkeeper/contract'
import { refuse } from '../refuse.ts'

/** Of 1,000 entries each: more than are ever stored under one of our prefixes. */
const pagesAtMost = 100

/**
 * @param ask null: for the first page
 * @param markerOf what leads on from a page, or null when it is the last
 * @throws Refusal after this many pages, when the list does not end
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
