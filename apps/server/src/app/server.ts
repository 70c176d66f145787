/** The composition root: starts the parts of one process and stops them again. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { backupHandlers, createObjectStore, type ObjectStore } from '#backups/index.ts'
import { findAsset, startKeepingAssets } from '#console-assets/index.ts'
import { customerHandlers, readLanguages, startSendingForgottenNames } from '#customers/index.ts'
import { doctorHandlers, startDailyRuns } from '#doctor/index.ts'
import { createEventHub, eventHandlers } from '#events/index.ts'
import { createMetrics, createReadiness, createRegionProbe } from '#health/index.ts'
import { liveMigrationHandlers } from '#live-migrations/index.ts'
import { maintenanceHandlers } from '#maintenance/index.ts'
import { notificationHandlers } from '#notifications/index.ts'
import {
  type AnyOperation,
  type OperationKinds,
  operationHandlers,
  operationKinds,
  startWorker,
  type Worker,
} from '#operations/index.ts'
import {
  accountHandlers,
  auditHandlers,
  auditManaged,
  createGate,
  createIdentityProvider,
  type FirstAdministrator,
  type IdentityProvider,
  makeFirstAdministrator,
  passwordHandlers,
  secondFactorHandlers,
  sessionHandlers,
  startSealing,
} from '#operators/index.ts'
import { whileLocked } from '#platform/advisory-locks.ts'
import { type Database, noLimits, openDatabase } from '#platform/database.ts'
import { databaseIsUnreachable } from '#platform/database-errors.ts'
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { Handlers } from '#platform/http/handler.ts'
import type { Log } from '#platform/log.ts'
import { createMailer } from '#platform/mail.ts'
import { pause } from '#platform/pause.ts'
import { applySchemaChanges } from '#platform/schema-changes.ts'
import { createSecretBox, type SecretBox } from '#platform/secrets.ts'
import {
  type ConnectRegion,
  createHealthNotes,
  createRegionConnections,
  type HealthNotes,
  recordLateCalls,
  regionHandlers,
  startCheckingRegions,
  startEmbeddedRegions,
  startRefusingLateCalls,
} from '#regions/index.ts'
import { changeState, type RoomServices, roomHandlers, warnOfSharedSapNumbers } from '#rooms/index.ts'
import { configurationHandlers } from '#settings/index.ts'
import { statisticsHandlers } from '#statistics/index.ts'
import { uploadHandlers } from '#uploads/index.ts'
import { viewHandlers } from '#views/index.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createHealthApp, createHttpApp } from './http-app.ts'
import { registeredKinds } from './operation-kinds.ts'
import type { Settings } from './settings.ts'
import { backupStoreOf, configuredObjectStore } from './store-settings.ts'

export interface Server {
  /** The address of the API or the health routes; null: a worker without either. */
  address: string | null
  /** Stops without cutting off a request or losing a step. */
  stop(): Promise<void>
}

const repository = resolve(import.meta.dirname, '../../../..')
const stopGraceSeconds = 20
const schemaPool = 'roomkeeper schema'

/** What the server needs from its process. */
export interface ServerProcess {
  exit(code: number): void
  /** Fires when the process should stop, even while it is still starting. */
  asked: AbortSignal
  /** Called once, on an empty database. */
  tellFirstAdministrator(made: FirstAdministrator): void
}

/** @param moreKinds more kinds of operations, for tests */
export async function startServer(
  settings: Settings,
  log: Log,
  { exit, asked, tellFirstAdministrator }: ServerProcess,
  moreKinds: readonly AnyOperation<RoomServices>[] = [],
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
    const kinds = operationKinds<RoomServices>([...registeredKinds, ...moreKinds])
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

type Closing = (() => unknown)[]

async function start(
  process: Pick<Parts, 'settings' | 'log' | 'exit' | 'closing' | 'asked' | 'tellFirstAdministrator' | 'stopping'>,
  kinds: OperationKinds<RoomServices>,
  stop: () => Promise<void>,
): Promise<Server> {
  const { settings, log, closing, tellFirstAdministrator } = process
  const databaseUrl = settings.DATABASE_URL ?? (await startOwnPostgres(settings, log, closing))
  const database = openDatabase(databaseUrl, { timeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS })
  closing.push(() => database.close())
  await patiently(process, async () => {
    await prepareSchema(database)
    await warnOfSharedSapNumbers(database.db, log)
    await makeFirstAdministrator(database, settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD, tellFirstAdministrator)
  })
  const parts: Parts = {
    ...process,
    database,
    ...createStores(database, settings, log),
  }
  closing.push(startSealing(database, settings.DATA_DIR, log))
  if (settings.PROCESS === 'all') await hostRegions(parts)
  const worker = settings.PROCESS === 'api' ? null : await runOperations(parts, kinds)
  const address =
    settings.PROCESS === 'worker' ? await serveHealth(parts, worker) : await serveApi(parts, kinds, worker)
  return { address, stop }
}

const databaseSeconds = 60

/**
 * Retries `work` after transient failures, because machines start in any order and databases fail over. A process that
 * exited at once would have to wait for its supervisor, and might miss the database again.
 */
async function patiently({ log, asked }: Pick<Parts, 'log' | 'asked'>, work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + databaseSeconds * 1000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (!(databaseIsUnreachable(error) || databaseIsUnreachable(cause)) || asked.aborted || Date.now() > deadline)
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

interface Parts {
  settings: Settings
  log: Log
  exit: (code: number) => void
  closing: Closing
  asked: AbortSignal
  tellFirstAdministrator: ServerProcess['tellFirstAdministrator']
  /** Fires when the process has been asked to end. */
  stopping: AbortSignal
  database: Database
  secrets: SecretBox
  connectRegion: ConnectRegion
  healthNotes: HealthNotes
  files: FileStore
  objectStore: ObjectStore
}

function createStores({ db }: Database, settings: Settings, log: Log) {
  const secrets = createSecretBox(settings.SECRET_KEY, settings.SECRET_KEY_OLD)
  const healthNotes = createHealthNotes(db, log)
  return {
    secrets,
    connectRegion: createRegionConnections(db, secrets, log, healthNotes),
    healthNotes,
    files: createFileStore(backupStoreOf(settings)),
    objectStore: createObjectStore(configuredObjectStore(settings)),
  }
}

async function startOwnPostgres(settings: Settings, log: Log, closing: Closing): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, log })
  closing.push(() => postgres.stop())
  return postgres.url
}

async function hostRegions({ settings, log, closing, database, secrets }: Parts): Promise<void> {
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

async function runOperations(parts: Parts, kinds: OperationKinds<RoomServices>): Promise<Worker> {
  const { settings, log, exit, closing, database, secrets, connectRegion, files, objectStore } = parts
  const sendMail = createMailer({
    smtpUrl: settings.SMTP_URL,
    from: settings.MAIL_FROM,
    language: settings.MAIL_LANGUAGE,
    outbox: join(settings.DATA_DIR, 'outbox'),
  })
  const services: RoomServices = {
    db: database.db,
    log,
    connectRegion,
    files,
    objectStore,
    secrets,
    dataDir: settings.DATA_DIR,
    sendMail,
    publicUrl: settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`,
    regionConcurrency: settings.REGION_CONCURRENCY,
  }
  const lateCalls = startRefusingLateCalls(database.db, connectRegion, log)
  closing.push(() => lateCalls.stop())
  const worker = await startWorker({
    database,
    kinds,
    services,
    log,
    exit,
    regionConcurrency: settings.REGION_CONCURRENCY,
    leaseSeconds: settings.WORKER_LEASE_SECONDS,
    async markAsError(tx, roomId, error) {
      await changeState(tx, roomId, { from: ['IN_PROGRESS', 'MARKED_FOR_DELETION'], to: 'ERROR', error })
    },
    lateCalls: { record: recordLateCalls, refuse: lateCalls.refuse },
  })
  closing.push(
    () => worker.stop(stopGraceSeconds),
    startHousekeeping(database, { files, objectStore }, log),
    startSendingForgottenNames(database, sendMail, log),
    startCheckingRegions({
      db: database.db,
      connectRegion,
      notes: parts.healthNotes,
      log,
      workerId: worker.id,
      leaseSeconds: settings.WORKER_LEASE_SECONDS,
      everySeconds: settings.REGION_HEALTH_SECONDS,
    }),
  )
  return worker
}

/** For a worker, which has no API but may have the health routes. */
async function serveHealth(parts: Parts, worker: Worker | null): Promise<string | null> {
  const { settings, log, closing } = parts
  if (settings.HEALTH_PORT === undefined) return null
  const health = healthOf(parts, worker, () => 0)
  const app = await createHealthApp({
    health,
    log,
    trustProxy: settings.TRUST_PROXY,
    requestTimeoutSeconds: settings.REQUEST_TIMEOUT_SECONDS,
    answerTimeoutSeconds: settings.ANSWER_TIMEOUT_SECONDS,
  })
  closing.push(() => app.close(stopGraceSeconds))
  return app.listen(settings.HOST, settings.HEALTH_PORT)
}

function healthOf(parts: Parts, worker: Worker | null, openStreams: () => number) {
  const { settings, log, database, connectRegion, stopping } = parts
  const leaseSeconds = settings.WORKER_LEASE_SECONDS
  return {
    readiness: createReadiness({ database, workerId: worker?.id ?? null, leaseSeconds, stopping }),
    metrics: createMetrics({ database, log, openStreams, probe: createRegionProbe(database.db, connectRegion) }),
    metricsHosts: settings.METRICS_HOSTS,
  }
}

async function serveApi(parts: Parts, kinds: OperationKinds<RoomServices>, worker: Worker | null): Promise<string> {
  const { settings, log, closing, database, files } = parts
  const hub = createEventHub(database, log)
  closing.push(startDailyRuns(database, log))
  const languages = await readLanguages(join(repository, 'apps/console/src/locales'))
  const provider = identityProvider(settings, log)
  const handlers: Handlers = {
    ...sessionHandlers(database, provider),
    ...secondFactorHandlers(database, provider, settings.PUBLIC_URL ?? null),
    ...passwordHandlers(database),
    ...accountHandlers(database),
    ...auditHandlers(database),
    ...viewHandlers(database),
    ...roomHandlers({ ...parts, regionWaitSeconds: settings.REGION_WAIT_SECONDS }),
    ...operationHandlers({ database, kinds, recordManaged: auditManaged }),
    ...regionHandlers({ ...parts, allowHttp: settings.ALLOW_HTTP_REGIONS }),
    ...liveMigrationHandlers(parts),
    ...doctorHandlers({ ...parts, stores: parts, dataDir: settings.DATA_DIR }),
    ...eventHandlers(database, hub),
    ...backupHandlers(database, parts),
    ...uploadHandlers(database, { store: files, limitBytes: settings.UPLOAD_LIMIT }),
    ...statisticsHandlers(database),
    ...configurationHandlers(database),
    ...maintenanceHandlers(database),
    ...notificationHandlers(database),
    ...customerHandlers({ db: database.db, languages, componentUrl: settings.CUSTOMER_COMPONENT_URL }),
  }
  const built = join(repository, 'apps/console/dist')
  const consoleDir = existsSync(built) ? built : null
  const app = await createHttpApp({
    handlers,
    gate: createGate(database),
    log,
    trustProxy: settings.TRUST_PROXY,
    requestTimeoutSeconds: settings.REQUEST_TIMEOUT_SECONDS,
    answerTimeoutSeconds: settings.ANSWER_TIMEOUT_SECONDS,
    consoleDir,
    findAsset: (name) => findAsset(database.db, name),
    languages,
    askedByBrowsers: provider.on ? [new URL(provider.issuer).origin] : [],
    customerComponentUrl: settings.CUSTOMER_COMPONENT_URL,
    health: healthOf(parts, worker, () => hub.subscriptions()),
  })
  // Parts close in reverse order: event streams end first, because the HTTP server waits for open answers.
  closing.push(
    () => app.close(stopGraceSeconds),
    () => hub.close(),
  )
  if (consoleDir !== null) closing.push(startKeepingAssets(database, join(consoleDir, 'assets'), log))
  return app.listen(settings.HOST, settings.PORT)
}

function identityProvider(settings: Settings, log: Log): IdentityProvider {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret } = settings
  return createIdentityProvider({ issuer, clientId, clientSecret, on: settings.OIDC_ON }, log)
}
