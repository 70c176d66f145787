/** The composition root: starts the deps of one process and stops them again. */
import { join } from 'node:path'
import { env } from 'node:process'
import { startEmbeddedPostgres } from '@roomkeeper/embedded-postgres-server'
import { startTracing } from '@roomkeeper/tracing'
import { startScheduling } from '#backup-policies/index.ts'
import { createObjectStore } from '#backups/index.ts'
import type { StoredMail } from '#changes/index.ts'
import { composeForgottenNames } from '#customers/index.ts'
import { reportMissedAnchor } from '#doctor/index.ts'
import {
  type AnyOperation,
  type OperationKinds,
  operationKinds,
  type Services,
  startWorker,
  type Worker,
} from '#operations/index.ts'
import { anchorPlaces, makeFirstAdministrator, startSealing } from '#operators/index.ts'
import { startRecordingCapacity, startReportingFaults, startWatching } from '#overview/index.ts'
import { whileLocked } from '#platform/advisory-locks.ts'
import { requireSessions } from '#platform/database/require-sessions.ts'
import { type Database, type Db, noLimits, openDatabase } from '#platform/database.ts'
import { databaseIsUnreachable } from '#platform/database-errors.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import type { Log } from '#platform/log.ts'
import { createMailer, type MailText } from '#platform/mail.ts'
import { pause } from '#platform/pause.ts'
import { createProcessClock } from '#platform/process-clock.ts'
import { createScheduler } from '#platform/recurring.ts'
import { applySchemaChanges } from '#platform/schema-changes.ts'
import { createSecretBox, derivedKey } from '#platform/secrets.ts'
import { createStoreProbe } from '#platform/store-probe.ts'
import {
  createHealthNotes,
  createRegionConnections,
  drillConnections,
  recordLateCalls,
  startCheckingRegions,
  startEmbeddedRegions,
  startRefusingLateCalls,
} from '#regions/index.ts'
import { changeState, startReminders, startSendingRecords, stillExpires } from '#rooms/index.ts'
import { createAddressGuard, startDelivering } from '#webhooks/index.ts'
import { startHousekeeping } from './housekeeping.ts'
import { registeredKinds } from './operation-kinds.ts'
import { type Closing, repository, type ServerDeps, type ServerProcess, stopGraceSeconds } from './server-deps.ts'
import type { Settings } from './settings.ts'
import { backupStoreOf, configuredObjectStore } from './store-settings.ts'

export interface Server {
  /** The address of the API or the health routes; null: a worker without either. */
  address: string | null
  /** Stops without cutting off a request or losing a step. */
  stop(): Promise<void>
}

const schemaPool = 'roomkeeper schema'

/** @param moreKinds more kinds of operations, for tests */
export async function startServer(
  settings: Settings,
  log: Log,
  { exit, asked, tellFirstAdministrator }: ServerProcess,
  moreKinds: readonly AnyOperation[] = [],
): Promise<Server> {
  const closing: Closing = []
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    for (const close of closing.splice(0).reverse()) {
      await Promise.resolve(close()).catch((error: unknown) => log.error({ err: error }, 'stopping a part failed'))
    }
  }
  try {
    const kinds = operationKinds([...registeredKinds, ...moreKinds])
    return await start(
      { settings, log, exit, closing, asked, tellFirstAdministrator, stopping: stopping.signal },
      kinds,
      stop,
    )
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  process: Pick<ServerDeps, 'settings' | 'log' | 'exit' | 'closing' | 'asked' | 'tellFirstAdministrator' | 'stopping'>,
  kinds: OperationKinds,
  stop: () => Promise<void>,
): Promise<Server> {
  const { settings, log, closing, tellFirstAdministrator } = process
  const isDrill = settings.PROCESS === 'drill'
  if (env.NODE_ENV === 'production' && settings.SMTP_URL === undefined && !isDrill)
    log.warn('SMTP_URL is not set: e-mails to customers are not sent, only written to DATA_DIR/outbox')
  closing.push(await traceProcess(settings, log))
  const databaseUrl = settings.DATABASE_URL ?? (await startOwnPostgres(settings, log, closing))
  const database = openDatabase(databaseUrl, { timeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS })
  closing.push(() => database.close())
  await patiently(process, async () => {
    await requireSessions(() => database.openConnection({ name: 'roomkeeper start' }))
    await prepareSchema(database)
    await makeFirstAdministrator(database, settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD, tellFirstAdministrator)
  })
  const clock = createProcessClock(database, log)
  await clock.compare().catch(() => undefined)
  const scheduler = createScheduler({ database, log, clock })
  scheduler.start({
    name: 'comparison of the clock',
    everySeconds: 5,
    scope: 'process',
    ignoresClock: true,
    run: () => clock.compare(),
  })
  const stores = createStores(database, settings, log)
  const anchors = anchorPlaces({ folder: settings.DATA_DIR, files: stores.files, isDrill })
  const probeStore = createStoreProbe(stores.files, log)
  const deps: ServerDeps = { ...process, database, clock, scheduler, ...stores, probeStore, anchors }
  closing.push(startSealing(scheduler, { database, log, anchors, report: reportMissedAnchor }))
  if (settings.PROCESS === 'all') await hostRegions(deps)
  const worker = settings.PROCESS === 'api' || isDrill ? null : await runOperations(deps, kinds)
  if (!isDrill) {
    startWatching(scheduler, database)
    startRecordingCapacity(scheduler, database.db)
    startReportingFaults(scheduler, { db: database.db, clock, probeStore, isWorker: settings.PROCESS === 'worker' })
  }
  closing.push(() => scheduler.stop())
  return { address: await serve(deps, kinds, worker), stop }
}

function traceProcess(settings: Settings, log: Log): Promise<() => Promise<void>> {
  return startTracing(settings, {
    serviceName: 'roomkeeper',
    attributes: { 'roomkeeper.process': settings.PROCESS },
    strangersKey: derivedKey(settings.SECRET_KEY, 'traces of strangers'),
    onTrouble(error) {
      if (error === null) log.info('the collector takes traces again')
      else log.warn({ reason: error.message }, 'the collector takes no traces, they are lost until it does')
    },
  })
}

const databaseSeconds = 60

/**
 * Retries `work` after transient failures, because machines start in any order and databases fail over. A process that
 * exited at once would have to wait for its supervisor, and might miss the database again.
 */
async function patiently({ log, asked }: Pick<ServerDeps, 'log' | 'asked'>, work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + databaseSeconds * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (
        !(databaseIsUnreachable(error) || databaseIsUnreachable(cause)) ||
        asked.aborted ||
        performance.now() > deadline
      )
        throw error
      log.warn({ err: error }, 'the database cannot be reached yet, trying again')
      await pause(1000, asked)
    }
  }
}

/** Uses its own connections without limits, because changes of large tables take long. */
async function prepareSchema(database: Database): Promise<void> {
  const pool = database.openPool({ name: schemaPool, most: 2, ...noLimits })
  try {
    await whileLocked(pool, 'start of a server', () => applySchemaChanges(pool))
  } finally {
    await pool.end()
  }
}

function createStores(database: Database, settings: Settings, log: Log) {
  const { db } = database
  const secrets = createSecretBox(settings.SECRET_KEY, settings.SECRET_KEY_OLD)
  const healthNotes = createHealthNotes(db, log)
  return {
    secrets,
    connectRegion:
      settings.PROCESS === 'drill' ? drillConnections() : createRegionConnections(db, secrets, log, healthNotes),
    healthNotes,
    guard: createAddressGuard(settings.WEBHOOK_NETWORKS),
    mail: {
      send: createMailer({
        smtpUrl: settings.SMTP_URL,
        from: settings.MAIL_FROM,
        language: settings.MAIL_LANGUAGE,
        outbox: join(settings.DATA_DIR, 'outbox'),
      }),
      compose: (mail: StoredMail) => composeMail(db, mail),
    },
    files: createFileStore(backupStoreOf(settings), database),
    objectStore: createObjectStore(configuredObjectStore(settings)),
  }
}

async function composeMail(db: Db, { to, text, whileExpires }: StoredMail): Promise<MailText | null> {
  if (text === null) return composeForgottenNames(db, to)
  return whileExpires === undefined || (await stillExpires(db, whileExpires)) ? text : null
}

async function startOwnPostgres(settings: Settings, log: Log, closing: Closing): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  closing.push(() => postgres.stop())
  return postgres.url
}

async function hostRegions({ settings, log, closing, database, secrets }: ServerDeps): Promise<void> {
  const regions = await startEmbeddedRegions({
    database,
    secrets,
    log,
    count: settings.EMBEDDED_REGIONS,
    dataDir: join(settings.DATA_DIR, 'regions'),
    program: join(repository, 'apps/region/src/main.ts'),
  })
  closing.push(() => regions.stop())
}

async function runOperations(deps: ServerDeps, kinds: OperationKinds): Promise<Worker> {
  const { settings, log, exit, closing, scheduler, database, secrets, connectRegion, files, objectStore } = deps
  const services: Services = {
    db: database.db,
    log,
    connectRegion,
    files,
    objectStore,
    secrets,
    anchors: deps.anchors,
    publicUrl: settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}/`,
    regionConcurrency: settings.REGION_CONCURRENCY,
    keepDeletedDays: settings.KEEP_DELETED_DAYS,
  }
  const lateCalls = startRefusingLateCalls(scheduler, { db: database.db, connectRegion, log })
  const worker = await startWorker({
    database,
    scheduler,
    kinds,
    services,
    log,
    exit,
    regionConcurrency: settings.REGION_CONCURRENCY,
    mostWithSlots: settings.WORKER_OPERATIONS,
    leaseSeconds: settings.WORKER_LEASE_SECONDS,
    async markAsError(tx, roomId, error) {
      await changeState(
        tx,
        roomId,
        { from: ['IN_PROGRESS', 'MARKED_FOR_DELETION'], to: 'ERROR', error },
        { kind: 'room.work-ended' },
      )
    },
    lateCalls: { record: recordLateCalls, refuse: lateCalls.refuse },
    mayWork: deps.clock.isRight,
  })
  closing.push(() => worker.stop(stopGraceSeconds), startDelivering(scheduler, deps))
  startHousekeeping(scheduler, { database, stores: { files, objectStore }, log })
  startScheduling(scheduler, { database, regionConcurrency: settings.REGION_CONCURRENCY })
  if (settings.EXPIRY_REMINDER_DAYS.length > 0) startReminders(scheduler, database, settings.EXPIRY_REMINDER_DAYS)
  if (settings.ROOM_RECORD_SECONDS > 0)
    startSendingRecords(scheduler, { database, connectRegion, secrets, log }, settings.ROOM_RECORD_SECONDS)
  if (settings.REGION_HEALTH_SECONDS > 0)
    startCheckingRegions(scheduler, {
      db: database.db,
      connectRegion,
      notes: deps.healthNotes,
      log,
      everySeconds: settings.REGION_HEALTH_SECONDS,
    })
  return worker
}

/** A worker loads nothing of HTTP unless it has the health routes: that would be a third of its memory. */
async function serve(deps: ServerDeps, kinds: OperationKinds, worker: Worker | null): Promise<string | null> {
  const { PROCESS, HEALTH_PORT } = deps.settings
  if (PROCESS !== 'worker') return (await import('./serve-http.ts')).serveApi(deps, kinds, worker)
  return HEALTH_PORT === undefined ? null : (await import('./serve-http.ts')).serveHealth(deps, worker, HEALTH_PORT)
}
