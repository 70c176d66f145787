/** The way from a source straight to a target: under which address, and whether it has failed lately. */
import { queryRows } from '#platform/database.ts'
import { isLoopback } from '#regions/index.ts'
import type { MoveCall } from './move-call.ts'

/** `pack`: while the room is packed. `send`: afterwards, as a file of the source. */
type How = 'pack' | 'send'

/**
 * When a way last failed, by regions and how. Regions that cannot reach each other, or do not offer a way, are not
 * tried again for each room.
 */
const failedAt = new Map<string, number>()
const againMilliseconds = 10 * 60_000

export function hasFailedLately(call: MoveCall, how: How): boolean {
  return Date.now() - (failedAt.get(keyOf(call, how)) ?? 0) < againMilliseconds
}

export function noteFailure(call: MoveCall, ...ways: How[]): void {
  for (const how of ways) failedAt.set(keyOf(call, how), Date.now())
}

function keyOf({ input: { sourceRegionId, targetRegionId } }: MoveCall, how: How): string {
  return `${sourceRegionId}:${targetRegionId}:${how}`
}

/** The target's address; null: the source is on another machine, where that address means whatever listens there. */
export async function addressForSource({ input, services }: MoveCall): Promise<string | null> {
  const [urls] = await queryRows<{ source: string; target: string }>(
    services.db,
    'select s.url as source, t.url as target from regions s, regions t where s.id = $1 and t.id = $2',
    [input.sourceRegionId, input.targetRegionId],
  )
  if (urls === undefined) throw new Error('A region of the move is gone.')
  return isLoopback(urls.target) && !isLoopback(urls.source) ? null : urls.target
}
