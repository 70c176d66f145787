/** Tells load balancers and supervisors whether a process can do its work. */
import { setTimeout } from 'node:timers/promises'
import { type Database, queryRows } from '#platform/database.ts'
import { type ProcessClock, tolerableSeconds } from '#platform/process-clock.ts'
import { readSchemaChanges } from '#platform/schema-changes.ts'
import type { StoreProbe, StoreState } from '#platform/store-probe.ts'

export interface Readiness {
  ready: boolean
  checks: {
    database: 'ok' | 'unreachable'
    /** `older`: the database lacks schema changes of this version, for example after an old dump was restored. */
    schema: 'ok' | 'older' | 'unknown'
    /** The lease of this process's worker; `none`: the process has no worker. */
    worker: 'ok' | 'stale' | 'none' | 'unknown'
    /** Compared with the database: `off` by more than 5 seconds; `wrong` by more than 60, and then it takes no work. */
    clock: 'ok' | 'off' | 'wrong' | 'unknown'
    /** Only a process that is nothing but a worker is not ready for a store that is another: an API has other calls. */
    store: StoreState
    /** The process has been asked to end. */
    stopping: boolean
  }
}

export interface ReadinessParts {
  database: Database
  clock: ProcessClock
  /** The id of this process's worker; null: it has none. */
  workerId: string | null
  leaseSeconds: number
  stopping: AbortSignal
  probeStore: StoreProbe
  /** Not ready without the store of this console. */
  needsStore: boolean
}

const timeoutMilliseconds = 3000

export function createReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const needed = readSchemaChanges().then((changes) => changes.map(({ checksum }) => checksum))
  let underWay: Promise<Checks> | null = null
  const check = async () =>
    Promise.race([
      checkDatabase(parts, await needed),
      setTimeout(timeoutMilliseconds, unreachable, { ref: false }),
    ]).catch(() => unreachable)
  return async () => {
    // Anyone may ask, so callers at the same time share one connection.
    underWay ??= check().finally(() => {
      underWay = null
    })
    const [checks, store] = await Promise.all([underWay, parts.probeStore()])
    const all = { ...checks, clock: stateOf(parts.clock), store, stopping: parts.stopping.aborted }
    const hasStore = !(parts.needsStore && store === 'other')
    const ready = all.database === 'ok' && all.schema === 'ok' && !['stale', 'unknown'].includes(all.worker) && hasStore
    return { ready: ready && all.clock !== 'wrong' && !all.stopping, checks: all }
  }
}

function stateOf(clock: ProcessClock): Readiness['checks']['clock'] {
  const ahead = clock.secondsAhead()
  if (ahead === null) return 'unknown'
  if (!clock.isRight()) return 'wrong'
  return Math.abs(ahead) > tolerableSeconds ? 'off' : 'ok'
}

type Checks = Omit<Readiness['checks'], 'clock' | 'stopping' | 'store'>
const unreachable: Checks = { database: 'unreachable', schema: 'unknown', worker: 'unknown' }

async function checkDatabase({ database, workerId, leaseSeconds }: ReadinessParts, needed: string[]): Promise<Checks> {
  const [row] = await queryRows<{ missing: number; fresh: boolean }>(
    database.db,
    `select (select count(*)::int from unnest($1::text[]) as needed
              where needed not in (select checksum from schema_changes)) as missing,
            exists (select from workers
                     where id = $2 and heartbeat_at > now() - make_interval(secs => $3)) as fresh`,
    [needed, workerId, leaseSeconds],
  )
  const worker = row?.fresh === true ? 'ok' : 'stale'
  return {
    database: 'ok',
    schema: row?.missing === 0 ? 'ok' : 'older',
    worker: workerId === null ? 'none' : worker,
  }
}
