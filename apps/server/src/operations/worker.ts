/**
 * A worker: a process that runs operations. It holds a lease, a row whose heartbeat it keeps fresh; when another
 * worker finds the row stale, it takes the row away and its operations over. A process that finds its own row
 * gone ends at once, because its steps may already run elsewhere.
 */
import { randomUUID } from 'node:crypto'
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import type { OperationKinds } from './operation.ts'
import { applicationName, applicationVersion, registerQueues, schemaName, workflowName } from './queues.ts'
import { rescueOperations } from './rescue.ts'
import { runOperation } from './run-operation.ts'
import type { Runner } from './runner.ts'
import { givePlaces } from './take-places.ts'
import { endLeasesOfTheDead, thisProcess } from './worker-process.ts'

export interface WorkerParts<Services> {
  database: Database
  kinds: OperationKinds<Services>
  services: Services
  log: Log
  regionConcurrency: number
  leaseSeconds: number
  /** Ends the process with this code. */
  exit(code: number): void
}

export interface Worker {
  /** Of its row, whose heartbeat shows that it lives. */
  id: string
  /** Lets running steps reach their record for at most so long, then stops; the rest is taken over by others. */
  stop(graceSeconds: number): Promise<void>
}

/** A process that lost its lease exits with this code; whoever supervises it starts it again. */
export const leaseLostExitCode = 75

export async function startWorker<Services>(parts: WorkerParts<Services>): Promise<Worker> {
  const { database, log } = parts
  const id = randomUUID()
  const stopping = new AbortController()
  // DBOS opens connections that never give up; so it gets ours.
  const enqueuing = database.openPool({ name: 'roomkeeper enqueuing', most: 1 })
  const running = database.openPool({ name: 'roomkeeper operations', most: 12 })
  const systemDatabaseUrl = await database.urlForWrites()
  const client = await DBOSClient.create({
    systemDatabaseUrl,
    systemDatabasePool: enqueuing,
    systemDatabaseSchemaName: schemaName,
    applicationName,
  })
  const places = lookAtPlaces(parts, client)
  const runner = makeRunner(parts, client, places.look, stopping.signal)
  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl,
    systemDatabasePool: running,
    systemDatabaseSchemaName: schemaName,
    executorID: id,
    applicationVersion,
    logger: quietLogger(log),
    runMigrations: false,
    enableOTLP: false,
  })
  DBOS.registerWorkflow(
    (operationId: string, attempt: number, from: number) => runOperation(runner, operationId, attempt, from),
    {
      name: workflowName,
      maxRecoveryAttempts: 1000,
    },
  )
  // Before the launch: from then on this process holds work that others must be able to take over.
  await database.db
    .insertInto('workers')
    .values({ id, ...thisProcess() })
    .execute()
  await endLeasesOfTheDead(database)
  await DBOS.launch()
  await registerQueues()
  const beating = setInterval(() => void beat(parts, id), 1000)
  let looks = 0
  const rescuing = setInterval(() => {
    looks += 1
    void rescue(parts, looks % 20 === 0)
  }, 1500)
  await rescue(parts, true)
  return {
    id,
    async stop(graceSeconds) {
      stopping.abort()
      clearInterval(rescuing)
      places.stop()
      const deadline = Date.now() + graceSeconds * 1000
      while (runner.activeSteps.count > 0 && Date.now() < deadline) await pause(20)
      await DBOS.shutdown()
      await client.destroy()
      await Promise.all([enqueuing.end(), running.end()])
      clearInterval(beating)
      // A heartbeat of long ago: what is left over is taken over at once.
      await queryRows(database.db, "update workers set heartbeat_at = 'epoch' where id = $1", [id])
    },
  }
}

const placesLookMilliseconds = 50

/** Gives places out as they become free: now and then, and at once when something has ended in this process. */
function lookAtPlaces<Services>(parts: WorkerParts<Services>, client: DBOSClient): { look(): void; stop(): void } {
  let looking = false
  let again = false
  let stopped = false
  const look = async () => {
    again = looking
    if (looking || stopped) return
    looking = true
    try {
      await givePlaces(parts.database, client, parts.regionConcurrency)
    } catch (error) {
      parts.log.warn({ err: error }, 'giving places failed')
    }
    looking = false
    if (again) void look()
  }
  const timer = setInterval(() => void look(), placesLookMilliseconds)
  return {
    look: () => void look(),
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

function makeRunner<Services>(
  parts: WorkerParts<Services>,
  client: DBOSClient,
  placesChanged: () => void,
  stopping: AbortSignal,
): Runner<Services> {
  const { database, kinds, services, log } = parts
  return {
    database,
    kinds,
    services,
    log,
    client,
    placesChanged,
    stopping,
    activeSteps: { count: 0 },
    giveUp: () => {
      log.error('an operation was taken over by another worker: this process ends')
      parts.exit(leaseLostExitCode)
      return new Promise<never>(() => undefined)
    },
  }
}

async function beat<Services>(parts: WorkerParts<Services>, id: string): Promise<void> {
  try {
    const rows = await queryRows(
      parts.database.db,
      'update workers set heartbeat_at = now() where id = $1 returning id',
      [id],
    )
    if (rows.length > 0) return
    parts.log.error('the lease of this worker was lost: this process ends')
    parts.exit(leaseLostExitCode)
  } catch (error) {
    // Whether the lease still stands is known when the database answers again.
    parts.log.warn({ err: error }, 'heartbeat failed')
  }
}

async function rescue<Services>(parts: WorkerParts<Services>, everything: boolean): Promise<void> {
  try {
    const rescued = await rescueOperations(parts.database, parts.leaseSeconds, everything)
    if (rescued > 0) parts.log.warn({ operations: rescued }, 'took operations of a dead worker over')
  } catch (error) {
    parts.log.warn({ err: error }, 'looking for dead workers failed')
  }
}

function quietLogger(log: Log) {
  const note = (entry: unknown) => log.debug({ dbos: String(entry) }, 'dbos')
  const warn = (entry: unknown) => log.warn({ dbos: entry instanceof Error ? entry.message : String(entry) }, 'dbos')
  return { debug: () => undefined, info: note, warn, error: warn }
}
