import { type Db, queryRows } from '#platform/database.ts'
import type { ConnectRegion } from './connect-region.ts'

const answerMilliseconds = 3000

/** Asks all regions whose id is unknown; it stays unknown if the region does not answer or has none. */
export async function learnInstances(db: Db, connectRegion: ConnectRegion, regionIds?: number[]): Promise<void> {
  const unknown = await queryRows<{ id: number }>(
    db,
    'select id from regions where instance_id is null and ($1::integer[] is null or id = any($1))',
    [regionIds ?? null],
  )
  const signal = AbortSignal.timeout(answerMilliseconds)
  await Promise.allSettled(unknown.map(async ({ id }) => (await connectRegion(id, signal)).status()))
}
