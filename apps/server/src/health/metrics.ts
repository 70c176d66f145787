/**
 * The metrics for Prometheus. Calls are counted as they happen; figures that all processes share are read from the
 * database on request, so that any process can be scraped.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type RefusedToken, refusedTokens } from '#operators/index.ts'
import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import type { ProcessClock } from '#platform/process-clock.ts'
import type { Scheduler } from '#platform/recurring.ts'
import type { StoreProbe } from '#platform/store-probe.ts'
import { type Figures, readDeliveryFigures, readFigures } from './figures.ts'
import type { ProbedRegion, RegionProbe } from './probes.ts'

export interface Metrics {
  noteRefusedToken(why: RefusedToken): void
  noteCall(call: { method: string; route: string; status: number; seconds: number }): void
  /** The text that Prometheus reads, and its media type. */
  read(): Promise<{ text: string; contentType: string }>
}

export interface MetricsParts {
  database: Database
  clock: ProcessClock
  scheduler: Scheduler
  probe: RegionProbe
  probeStore: StoreProbe
  log: Log
  /** Whether SMTP_URL is set; null: a drill, which sends no e-mails. */
  hasMailServer: boolean | null
  /** The number of consoles that listen for events in this process. */
  openStreams(): number
}

export function createMetrics(parts: MetricsParts): Metrics {
  const registry = new Registry()
  const calls = new Histogram({
    name: 'roomkeeper_http_request_duration_seconds',
    help: 'How long calls took, by route of the contract.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const gauges = createGauges(registry)
  const refused = createRefusedTokens(registry)
  let collectsDefaults = false
  return {
    noteRefusedToken: (why) => refused.inc({ why }),
    noteCall: ({ seconds, ...labels }) => calls.observe({ ...labels, status: String(labels.status) }, seconds),
    async read() {
      // Collected only once they are read: to measure the event loop's delays, Node wakes up a hundred times a second.
      if (!collectsDefaults) collectDefaultMetrics({ register: registry })
      collectsDefaults = true
      await update(gauges, parts)
      await updateDeliveries(gauges, parts)
      return { text: await registry.metrics(), contentType: registry.contentType }
    },
  }
}

/** From zero, so that the first refusal is a rise. */
function createRefusedTokens(registry: Registry) {
  const refused = new Counter({
    name: 'roomkeeper_tokens_refused_total',
    help: 'Calls with API tokens that were refused, by the reason.',
    labelNames: ['why'],
    registers: [registry],
  })
  for (const why of refusedTokens) refused.inc({ why }, 0)
  return refused
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `roomkeeper_${name}`, help, labelNames, registers: [registry] })
  return {
    database: gauge('database_up', 'Whether the database answered: 1 or 0.'),
    operations: gauge('operations', 'Operations by kind and state; ended ones of the last hour.', 'kind', 'state'),
    waiting: gauge('operations_waiting', 'Operations in the queue, by region.', 'region'),
    oldest: gauge('operations_oldest_waiting_seconds', 'How long the first in the queue has been waiting.'),
    workers: gauge('workers', 'Workers by whether their lease is fresh.', 'lease'),
    heartbeat: gauge('worker_heartbeat_age_seconds', 'Of the worker that was silent for the longest.'),
    events: gauge('events', 'Events of the last ten minutes, for consoles that come back.'),
    clockAhead: gauge(
      'clock_ahead_seconds',
      'By how much the clock of this process is ahead of that of the database; negative: behind.',
    ),
    removalPaused: gauge(
      'removal_paused',
      'Whether housekeeping removes nothing for good because the time of the database has jumped: 1 or 0.',
    ),
    auditDamaged: gauge(
      'audit_damaged',
      'Findings that the audit trail was altered, or does not have a seal that was written down, not acknowledged.',
    ),
    streams: gauge('event_streams', 'Consoles that listen for events in this process.'),
    rooms: gauge('rooms', 'Project rooms by stored state.', 'state'),
    regionRooms: gauge('region_rooms', 'Project rooms and reservations, by region.', 'region'),
    regionLimit: gauge('region_max_rooms', 'The limit of project rooms; -1 is none.', 'region'),
    regionEnabled: gauge('region_enabled', 'Whether the region is enabled: 1 or 0.', 'region'),
    withoutBackup: gauge(
      'rooms_without_backup',
      'Project rooms that have no backup younger than so many days.',
      'days',
    ),
    badBackups: gauge('bad_backups', 'Backups that are known to be missing or altered; they are not restored.'),
    store: gauge('backup_store_up', 'Whether this process has the backup store of this console: 1 or 0.'),
    webhooksFailing: gauge('webhooks_failing', 'Webhooks that are on and whose last try failed.'),
    webhooksWaiting: gauge(
      'webhook_deliveries_waiting',
      'Deliveries that wait; of each webhook 10,000 at most are counted.',
    ),
    webhooksOldest: gauge('webhook_deliveries_oldest_waiting_seconds', 'How long the oldest of them has been waiting.'),
    webhooksNotTaken: gauge(
      'webhook_deliveries_not_taken_seconds',
      'For how long no worker has taken anything of a webhook, or of the e-mails, that has something due; the longest.',
    ),
    mailsWaiting: gauge('mails_waiting', 'E-mails that wait; 10,000 at most are counted.'),
    mailsOldest: gauge('mails_oldest_waiting_seconds', 'How long the oldest of them has been waiting.'),
    mailsFailed: gauge('mails_failed', 'E-mails of the last day that were not delivered and are not tried any more.'),
    mailServer: gauge('mail_server_set', 'Whether SMTP_URL is set: 1, or 0 where e-mails are only written to files.'),
    recurringRuns: new Counter({
      name: 'roomkeeper_recurring_runs_total',
      help: 'Runs of recurring work in this process, by the work and whether they succeeded or failed.',
      labelNames: ['work', 'result'],
      registers: [registry],
    }),
    recurringSeconds: new Counter({
      name: 'roomkeeper_recurring_seconds_total',
      help: 'How long the runs of recurring work took together.',
      labelNames: ['work'],
      registers: [registry],
    }),
    backupsFailed: new Counter({
      name: 'roomkeeper_backups_failed_total',
      help: 'Scheduled backups that failed or could not be begun, by policy.',
      labelNames: ['policy'],
      registers: [registry],
    }),
    regionUp: gauge('region_up', 'Whether the region answered a sign-in and a status call: 1 or 0.', 'region'),
  }
}

type Gauges = ReturnType<typeof createGauges>

async function update(
  gauges: Gauges,
  { database, clock, scheduler, probe, probeStore, log, hasMailServer, openStreams }: MetricsParts,
): Promise<void> {
  if (hasMailServer === null) gauges.mailServer.remove()
  else gauges.mailServer.set(hasMailServer ? 1 : 0)
  gauges.streams.set(openStreams())
  showRecurring(gauges, scheduler)
  const ahead = clock.secondsAhead()
  if (ahead === null) gauges.clockAhead.remove()
  else gauges.clockAhead.set(ahead)
  try {
    const figures = await readFigures(database.db)
    const [regions, store] = await Promise.all([probe(), probeStore()])
    forget(gauges)
    show(gauges, figures, regions)
    if (store !== 'unknown') gauges.store.set(store === 'ok' ? 1 : 0)
  } catch (error) {
    // The metrics of the process itself are still returned. What was read before says nothing about now: it is absent.
    forget(gauges)
    gauges.database.set(0)
    log.warn({ err: error }, 'reading figures for the metrics failed')
  }
}

function showRecurring({ recurringRuns, recurringSeconds }: Gauges, scheduler: Scheduler): void {
  recurringRuns.reset()
  recurringSeconds.reset()
  for (const { name: work, succeeded, failed, seconds } of scheduler.tallies()) {
    recurringRuns.inc({ work, result: 'succeeded' }, succeeded)
    recurringRuns.inc({ work, result: 'failed' }, failed)
    recurringSeconds.inc({ work }, seconds)
  }
}

/**
 * Reads them separately, because deliveries may be many, and a failure to read them must not spoil the other figures.
 */
async function updateDeliveries(gauges: Gauges, { database, log }: MetricsParts): Promise<void> {
  const ofWebhooks = [gauges.webhooksFailing, gauges.webhooksWaiting, gauges.webhooksOldest, gauges.webhooksNotTaken]
  const all = [...ofWebhooks, gauges.mailsWaiting, gauges.mailsOldest, gauges.mailsFailed]
  try {
    const { webhooks: figures, mails } = await readDeliveryFigures(database.db)
    gauges.webhooksFailing.set(figures.failing)
    gauges.webhooksWaiting.set(figures.waiting)
    gauges.webhooksOldest.set(figures.oldest)
    gauges.webhooksNotTaken.set(figures.notTaken)
    gauges.mailsWaiting.set(mails.waiting)
    gauges.mailsOldest.set(mails.oldest)
    gauges.mailsFailed.set(mails.failed)
  } catch (error) {
    // None rather than old ones.
    for (const gauge of all) gauge.remove()
    log.warn({ err: error }, 'reading the figures of deliveries failed')
  }
}

const labelled = [
  'operations',
  'waiting',
  'workers',
  'rooms',
  'regionRooms',
  'regionLimit',
  'regionEnabled',
  'withoutBackup',
] as const
const single = ['oldest', 'heartbeat', 'events', 'badBackups', 'removalPaused', 'auditDamaged'] as const

function forget(gauges: Gauges): void {
  for (const name of [...labelled, 'backupsFailed', 'regionUp'] as const) gauges[name].reset()
  // `reset` would make it 0.
  for (const name of [...single, 'store'] as const) gauges[name].remove()
}

function show(gauges: Gauges, figures: Figures, regions: readonly ProbedRegion[]): void {
  gauges.database.set(1)
  for (const name of labelled) {
    for (const { value, ...labels } of figures[name]) (gauges[name] as Gauge).set(labels, value)
  }
  for (const { policy, value } of figures.backupsFailed) gauges.backupsFailed.inc({ policy }, value)
  for (const name of single) gauges[name].set(figures[name])
  for (const { region, up } of regions) gauges.regionUp.set({ region }, up ? 1 : 0)
}
