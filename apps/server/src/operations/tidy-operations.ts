/** Housekeeping: removes old operations, idempotency keys and secrets. */
import type { Db } from '#platform/database.ts'
import { inPieces } from '#platform/in-pieces.ts'
import { steadyTime } from '#platform/steady-time.ts'
import { removeOldItems } from './items/index.ts'
import { removeOldKeys } from './start-operation.ts'

const keptDays = 90
const atOnce = 1_000

/**
 * Removes operations 90 days after their end, except those of a room in ERROR, because the last of them can be retried.
 * Their outcomes are kept for the audit trail.
 */
async function removeOldOperations(db: Db): Promise<void> {
  await inPieces(
    db,
    `with removed as (
       delete from operations where ended_at is not null and id in (
         select o.id from operations o
          where o.ended_at < ${steadyTime} - make_interval(days => $1)
            and not exists (select 1 from rooms r where r.id = o.room_id and r.state = 'ERROR')
          order by o.ended_at limit $2)
       returning id, state, error, error_reasons
     )
     insert into operation_outcomes (operation_id, state, error, error_reasons)
     select id, state, error, error_reasons from removed
     on conflict (operation_id) do update set state = excluded.state
     returning 1`,
    [keptDays, atOnce],
    atOnce,
  )
}

/** A failed operation keeps its secrets for a day, so that it can be retried. */
async function forgetOldSecrets(db: Db): Promise<void> {
  await inPieces(
    db,
    `update operations set input = input - 'sealed' where id in (
       select id from operations
        where state = 'failed' and ended_at < ${steadyTime} - interval '24 hours' and input ? 'sealed' order by ended_at limit $1)
     returning 1`,
    [atOnce],
    atOnce,
  )
}

/** Independent of each other; each takes some seconds at most. */
export const tidyOperations: readonly ((db: Db) => Promise<void>)[] = [
  removeOldKeys,
  removeOldOperations,
  removeOldItems,
  forgetOldSecrets,
]
