/** The bulk that was started last in this tab, until it is dismissed. */
import type { BulkAction } from '@roomkeeper/contract'
import { readToken } from '#api/token.ts'
import { createStore, useStore } from '#store.ts'

export interface LatestBulk {
  id: string
  action: BulkAction
}

/** With the token of the session in which it was started. */
const started = createStore<{ bulk: LatestBulk; token: string | null } | null>(null)

export function setLatestBulk(bulk: LatestBulk | null): void {
  started.set(bulk && { bulk, token: readToken() })
}

/** Null also after that session has ended, so that no other operator is led to it. */
export function useLatestBulk(): LatestBulk | null {
  const latest = useStore(started)
  return latest?.token === readToken() ? latest.bulk : null
}

export function useHasLatestBulk(): boolean {
  return useLatestBulk() !== null
}
