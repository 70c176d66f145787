/** Serves the API and the console, or only the health routes of a worker. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { backupPolicyHandlers } from '#backup-policies/index.ts'
import { verificationHandlers } from '#backup-verification/index.ts'
import { backupHandlers } from '#backups/index.ts'
import { bulkHandlers } from '#bulk/index.ts'
import { findAsset, startKeepingAssets } from '#console-assets/index.ts'
import { customerHandlers, readLanguages } from '#customers/index.ts'
import { doctorHandlers, startDailyRuns } from '#doctor/index.ts'
import { createEventHub, eventHandlers } from '#events/index.ts'
import { createMetrics, createReadiness, createRegionProbe, type HealthParts } from '#health/index.ts'
import { liveMigrationHandlers } from '#live-migrations/index.ts'
import { maintenanceHandlers } from '#maintenance/index.ts'
import { notificationHandlers } from '#notifications/index.ts'
import { type OperationKinds, operationHandlers, type Worker } from '#operations/index.ts'
import {
  accountHandlers,
  auditHandlers,
  createGate,
  createIdentityProvider,
  type IdentityProvider,
  passwordHandlers,
  secondFactorHandlers,
  sessionHandlers,
  tokenHandlers,
} from '#operators/index.ts'
import { overviewHandlers } from '#overview/index.ts'
import type { Handlers } from '#platform/http/handler.ts'
import type { Log } from '#platform/log.ts'
import { regionHandlers } from '#regions/index.ts'
import { roomHandlers } from '#rooms/index.ts'
import { configurationHandlers } from '#settings/index.ts'
import { statisticsHandlers } from '#statistics/index.ts'
import { uploadHandlers } from '#uploads/index.ts'
import { viewHandlers } from '#views/index.ts'
import { webhookHandlers } from '#webhooks/index.ts'
import { createHealthApp, createHttpApp } from './http-app.ts'
import { repository, type ServerDeps, stopGraceSeconds } from './server-deps.ts'
import type { Settings } from './settings.ts'

/** For a worker, which has no API but may have the health routes. */
export async function serveHealth(deps: ServerDeps, worker: Worker | null, port: number): Promise<string> {
  return listenForHealth(
    deps,
    createHealth(deps, worker, () => 0),
    port,
  )
}

async function listenForHealth(
  { settings, log, closing }: ServerDeps,
  health: HealthParts,
  port: number,
): Promise<string> {
  const app = await createHealthApp({
    health,
    log,
    requestTimeoutSeconds: settings.REQUEST_TIMEOUT_SECONDS,
    answerTimeoutSeconds: settings.ANSWER_TIMEOUT_SECONDS,
  })
  closing.push(() => app.close(stopGraceSeconds))
  return app.listen(settings.HOST, port)
}

function createHealth(deps: ServerDeps, worker: Worker | null, openStreams: () => number): HealthParts {
  const { settings, log, database, clock, scheduler, connectRegion, stopping, probeStore } = deps
  return {
    readiness: createReadiness({
      database,
      clock,
      workerId: worker?.id ?? null,
      leaseSeconds: settings.WORKER_LEASE_SECONDS,
      stopping,
      probeStore,
      needsStore: settings.PROCESS === 'worker',
    }),
    metrics: createMetrics({
      database,
      clock,
      scheduler,
      log,
      hasMailServer: settings.PROCESS === 'drill' ? null : settings.SMTP_URL !== undefined,
      openStreams,
      probe: createRegionProbe(database.db, connectRegion),
      probeStore,
    }),
    metricsHosts: settings.METRICS_HOSTS,
  }
}

export async function serveApi(deps: ServerDeps, kinds: OperationKinds, worker: Worker | null): Promise<string> {
  const { settings, log, closing, scheduler, database, files } = deps
  const hub = createEventHub(database, log)
  const isDrill = settings.PROCESS === 'drill'
  if (!isDrill) startDailyRuns(scheduler, database)
  const languages = await readLanguages(join(repository, 'apps/console/src/locales'))
  const provider = identityProvider(settings, log)
  const operations = { database, kinds }
  const handlers: Handlers = {
    ...sessionHandlers(database, provider),
    ...secondFactorHandlers(database, provider, settings.PUBLIC_URL ?? null),
    ...passwordHandlers(database),
    ...accountHandlers(database),
    ...tokenHandlers(database),
    ...auditHandlers(database),
    ...viewHandlers(database),
    ...webhookHandlers(deps),
    ...roomHandlers({
      ...deps,
      regionWaitSeconds: settings.REGION_WAIT_SECONDS,
      keepDeletedDays: settings.KEEP_DELETED_DAYS,
    }),
    ...operationHandlers(operations),
    ...bulkHandlers(operations),
    ...backupPolicyHandlers(database, deps.objectStore),
    ...regionHandlers({ ...deps, allowHttp: settings.ALLOW_HTTP_REGIONS }),
    ...liveMigrationHandlers(deps),
    ...overviewHandlers(database),
    ...doctorHandlers({ ...deps, stores: deps }),
    ...eventHandlers(database, hub, scheduler),
    ...backupHandlers(database, deps),
    ...verificationHandlers(database, deps.objectStore),
    ...uploadHandlers(database, { store: files, limitBytes: settings.UPLOAD_LIMIT }),
    ...statisticsHandlers(database),
    ...configurationHandlers(database),
    ...maintenanceHandlers(database, isDrill),
    ...notificationHandlers(database),
    ...customerHandlers({ database, languages, componentUrl: settings.CUSTOMER_COMPONENT_URL }),
  }
  const built = join(repository, 'apps/console/dist')
  const consoleDir = existsSync(built) ? built : null
  const health = createHealth(deps, worker, () => hub.subscriptions())
  const gate = createGate({
    database,
    scheduler,
    log,
    callsPerSecond: settings.TOKEN_CALLS_PER_SECOND,
    noteRefused: health.metrics.noteRefusedToken,
  })
  const app = await createHttpApp({
    handlers,
    gate,
    isDrill,
    log,
    trustProxy: settings.TRUST_PROXY,
    requestTimeoutSeconds: settings.REQUEST_TIMEOUT_SECONDS,
    answerTimeoutSeconds: settings.ANSWER_TIMEOUT_SECONDS,
    consoleDir,
    publicPath: settings.PUBLIC_URL === undefined ? '/' : new URL(settings.PUBLIC_URL).pathname,
    findAsset: (name) => findAsset(database.db, name),
    languages,
    askedByBrowsers: provider.on ? [new URL(provider.issuer).origin] : [],
    customerComponentUrl: settings.CUSTOMER_COMPONENT_URL,
    // A proxy that passes everything on, and seems to be a permitted host, reaches no figures at this port then.
    health: settings.HEALTH_PORT === undefined ? health : { ...health, metricsHosts: [] },
  })
  if (settings.HEALTH_PORT !== undefined) await listenForHealth(deps, health, settings.HEALTH_PORT)
  // ServerDeps close in reverse order: event streams end first, because the HTTP server waits for open answers.
  closing.push(
    () => gate.close(),
    () => app.close(stopGraceSeconds),
    () => hub.close(),
  )
  if (consoleDir !== null) startKeepingAssets(scheduler, database, join(consoleDir, 'assets'))
  return app.listen(settings.HOST, settings.PORT)
}

function identityProvider(settings: Settings, log: Log): IdentityProvider {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret } = settings
  const { OIDC_ON: on, OIDC_EMAILS_MANAGED: managesEmails } = settings
  return createIdentityProvider({ issuer, clientId, clientSecret, on, managesEmails }, log)
}
