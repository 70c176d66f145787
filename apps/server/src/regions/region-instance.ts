/**
 * Checks which server answers at a region's address. A region makes its instance id once and keeps it with its data;
 * the console learns the id at the first call, and from then on calls only that server.
 */
import { WrongServer } from '@roomkeeper/region-protocol'
import { recordedFor } from '#changes/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'

interface KnownRegion {
  id: number
  name: string
  /** The address that was called; an answer proves nothing about another address. */
  url: string
  instanceId: string | null
}

/**
 * Learns the id of a region whose id is unknown. If a region with a known id answers with another id or none, the
 * server is another one: it gets no calls until an administrator has confirmed that it is the region now.
 * @throws {WrongServer}
 */
export async function checkInstance(db: Db, log: Log, region: KnownRegion, found: string | null): Promise<void> {
  const { id, name, url, instanceId: known } = region
  if (known === null) {
    if (found !== null) await learn(db, region, found)
    return
  }
  const isOther = found !== known
  const changed = await queryRows(
    db,
    `with changed as (
       update regions set other_server_at = case when $4 then now() end
        where id = $1 and url = $2 and instance_id = $3 and (other_server_at is not null) <> $4 returning id
     ) ${recordedFor('region.changed', 'changed')} returning 1`,
    [id, url, known, isOther],
  )
  if (changed.length > 0) {
    if (isOther) log.error({ region: name, url, known, found }, 'another server answers where a region was')
    else log.info({ region: name, url }, 'the region answers again where another server was')
  }
  if (isOther) throw new WrongServer()
}

async function learn(db: Db, { id, url }: KnownRegion, found: string): Promise<void> {
  await queryRows(
    db,
    `with learned as (
       update regions set instance_id = $3 where id = $1 and url = $2 and instance_id is null returning id
     ) ${recordedFor('region.changed', 'learned')}`,
    [id, url, found],
  )
}

/** Another region under which the same server is registered; null: none. */
export async function findRegionOf(db: Db | Tx, instanceId: string | null, but?: number): Promise<string | null> {
  if (instanceId === null) return null
  const [found] = await queryRows<{ name: string }>(
    db,
    'select name from regions where instance_id = $1 and id is distinct from $2 order by id limit 1',
    [instanceId, but ?? null],
  )
  return found?.name ?? null
}
