/** The bulk that was started last in this tab, until it is dismissed. */
import type { BulkAction } from '@roomkeeper/contract'
import { useSyncExternalStore } from 'react'
import { readToken } from '#api/token.ts'

export interface LatestBulk {
  id: string
  action: BulkAction
}

let latest: LatestBulk | null = null
/** The session that it was started in. */
let token: string | null = null
const listeners = new Set<() => void>()

/** Null also after that session has ended, so that no other operator is led to it. */
function current(): LatestBulk | null {
  if (latest !== null && readToken() !== token) latest = null
  return latest
}

export function setLatestBulk(next: LatestBulk | null): void {
  latest = next
  token = readToken()
  for (const listener of listeners) listener()
}

export function useLatestBulk(): LatestBulk | null {
  return useSyncExternalStore(subscribe, current)
}

export function useHasLatestBulk(): boolean {
  return useLatestBulk() !== null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
