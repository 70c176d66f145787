/**
 * What calls to a region have shown last: whether it answers, and the version of its software. Calls that are made
 * anyway tell it, and so does a check of the regions that get no calls (check-regions.ts); a look at the list asks no
 * region. Only changes are written.
 */
import type { RegionHealth, WebhookData } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'

export interface NotedRegion {
  id: number
  url: string
  health: RegionHealth | null
  softwareVersion: string | null
}

interface Known {
  url: string
  health: RegionHealth | null
  version: string | null
  /** Writes follow each other, so that the newest stays. */
  writing: Promise<void>
  waiting: number
  checkedAt: number
  /** When a call was answered last. */
  answeredAt: number
  /** When a call showed something last. */
  heardAt: number
}

export interface HealthNotes {
  /** Takes over what is stored, which other processes may have written. */
  read(region: NotedRegion): void
  /** In the background. */
  note(region: NotedRegion, health: RegionHealth, told?: Told): void
  /** How long ago a call of this process showed something of the region; infinite: none has. */
  millisecondsSince(regionId: number): number
}

interface Told {
  version?: string
  /** When the call began, on the clock of `performance.now()`. */
  begunAt?: number
}

/** What other processes have written is noticed after this time at the latest, also in long operations. */
const checkMilliseconds = 60_000

export function createHealthNotes(db: Db, log: Log): HealthNotes {
  const known = new Map<number, Known>()
  const of = ({ id, url, health, softwareVersion: version }: NotedRegion): Known => {
    const kept = known.get(id)
    if (kept?.url === url) return kept
    const never = { checkedAt: 0, answeredAt: 0, heardAt: Number.NEGATIVE_INFINITY }
    const fresh = { url, health, version, writing: Promise.resolve(), waiting: 0, ...never }
    known.set(id, fresh)
    return fresh
  }
  return {
    read(region) {
      const kept = of(region)
      if (kept.waiting > 0) return
      kept.health = region.health
      kept.version = region.softwareVersion
      kept.checkedAt = performance.now()
    },
    note(region, health, told) {
      const kept = of(region)
      const now = performance.now()
      // A call that takes too long says less than one that began later and was answered.
      if (health === 'unreachable' && (told?.begunAt ?? now) < kept.answeredAt) return
      if (health === 'answers') kept.answeredAt = now
      kept.heardAt = now
      const version = told?.version ?? kept.version
      const isKnown = kept.health === health && kept.version === version
      if (isKnown && now - kept.checkedAt < checkMilliseconds) return
      kept.checkedAt = now
      kept.health = health
      kept.version = version
      kept.waiting += 1
      kept.writing = kept.writing
        .then(() => writeHealth(db, region, health, told?.version ?? null))
        .catch((error: unknown) => log.info({ err: error, region: region.id }, 'the health of a region was not noted'))
        .finally(() => {
          kept.waiting -= 1
        })
    },
    millisecondsSince: (regionId) => performance.now() - (known.get(regionId)?.heardAt ?? Number.NEGATIVE_INFINITY),
  }
}

/**
 * Notes what a call to this address has shown: it says nothing about another one.
 * @param version null: the call has not told it
 */
export async function writeHealth(
  db: Db,
  { id, url }: Pick<NotedRegion, 'id' | 'url'>,
  health: RegionHealth,
  version: string | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const changed = await queryRows(
      tx,
      `update regions set health = $3, software_version = coalesce($4, software_version),
          health_since = case when health is distinct from $3 then now() else health_since end
        where id = $1 and url = $2 and (health is distinct from $3 or software_version <> coalesce($4, software_version)
            or software_version is null and $4::text is not null) returning 1`,
      [id, url, health, version],
    )
    if (changed.length === 0) return
    await recordChange(tx, { kind: 'region.changed', regionIds: [id] })
    await recordHealth(tx, id)
  })
}

/**
 * In the transaction that has written the health of a region: records that it is down, or up again, once each, whichever
 * process wrote it. A region of unknown health is neither; what was recorded of it stays until its health is known.
 */
export async function recordHealth(tx: Tx, id: number): Promise<void> {
  const [changed] = await queryRows<{ name: string; health: DownHealth | 'answers'; downSince: string }>(
    tx,
    `with before as (select id, down_since from regions where id = $1)
     update regions r set down_since = case when health = 'answers' then null else now() end
       from before where r.id = before.id and health is not null and (health = 'answers') = (r.down_since is not null)
     returning r.name, r.health, coalesce(r.down_since, before.down_since) as down_since`,
    [id],
  )
  if (changed === undefined) return
  const { name, health, downSince } = changed
  const data = { region: { id, name }, downSince }
  const about = { orderingKey: `region ${id}`, roomId: null, roomName: null }
  if (health === 'answers') await recordChange(tx, { kind: 'region.up', events: async () => [{ data, ...about }] })
  else await recordChange(tx, { kind: 'region.down', events: async () => [{ data: { ...data, health }, ...about }] })
}

type DownHealth = WebhookData<'region.down'>['health']
