/**
 * Delivers what waits, in each worker. Every second it asks which webhooks have something due, and takes as many
 * deliveries of each as have a place.
 */
import { mailServerId } from '@roomkeeper/contract'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { withTimeout } from '#platform/pause.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { type ClaimedDelivery, claimDeliveries, claimSecondsOf } from './claim-deliveries.ts'
import { finishTry } from './finish-try.ts'
import { type SendingParts, tryDelivery } from './try-delivery.ts'

export interface DeliveringParts extends SendingParts {
  database: Database
  log: Log
}

/** When it stops, tries under way may end so long; then their claims end by themselves, and they are tried again. */
const stopMilliseconds = 5000

/** @returns a function that stops it */
export function startDelivering(scheduler: Scheduler, parts: DeliveringParts): () => Promise<void> {
  const { database } = parts
  const concurrency = createDeliveryConcurrency()
  const tries = new Set<Promise<unknown>>()

  const begin = async (delivery: ClaimedDelivery, webhook: DueWebhook) => {
    // The wait ends with the claim, because the delivery is tried again then.
    const trying = withTimeout(claimSecondsOf(webhook.id) * 1000, deliver(parts, delivery)).then(
      () => void tries.delete(trying),
    )
    tries.add(trying)
    await concurrency.keep(webhook, trying)
    job.trigger()
  }
  const look = async () => {
    for (const webhook of await queryRows<DueWebhook>(database.db, dueWebhooks)) {
      const free = concurrency.freeFor(webhook)
      if (free <= 0) continue
      const { claimed, isMore } = await claimDeliveries(database, webhook.id, free)
      for (const delivery of claimed) void begin(delivery, webhook)
      if (isMore) job.trigger()
    }
  }
  const job = scheduler.start({
    name: 'delivery of webhooks and e-mails',
    everySeconds: 1,
    scope: 'process',
    run: look,
  })
  return async () => {
    await job.stop()
    await withTimeout(stopMilliseconds, Promise.all(tries))
  }
}

/** Random order, for fairness. */
const dueWebhooks = `
  select w.id, w.failing_since is not null as is_failing from webhooks w
   where w.deleted_at is null
     and (exists (select from webhook_deliveries d
                   where d.webhook_id = w.id and d.state = 'waiting' and d.next_try_at <= now())
       or not w.is_on and exists (select from webhook_deliveries d
                                   where d.webhook_id = w.id and d.state = 'waiting' and d.claim is null))
   order by random()`

/** A failure here leaves the delivery claimed until its claim ends, and then it is tried again. */
async function deliver(parts: DeliveringParts, delivery: ClaimedDelivery): Promise<void> {
  const { database, log } = parts
  const { id: deliveryId, webhook, startUntil } = delivery
  const fields = { webhookId: webhook.id, webhook: webhook.name, deliveryId }
  // This process has stood still: another one may be trying it, and may even be further in the order.
  if (performance.now() > startUntil) return
  try {
    const tried = await tryDelivery(parts, delivery)
    const status = tried.answer?.status ?? null
    log.debug({ ...fields, status, failure: tried.failure }, 'tried to deliver to a webhook')
    const isFailure = tried.failure !== null && tried.failure !== 'not-needed'
    if (webhook.id === mailServerId && isFailure && (delivery.tries === 0 || tried.isForGood === true))
      log.warn({ deliveryId, status, failure: tried.failure }, 'an e-mail was not delivered')
    if (await finishTry(database, delivery, tried))
      log.warn(fields, 'a webhook has failed for 3 days and was switched off')
  } catch (error) {
    log.error({ ...fields, err: error }, 'a delivery to a webhook could not be tried or recorded')
  }
}

/**
 * The places of a worker for its tries. A try keeps its place for two seconds at most, and goes on without it: a
 * receiver that hangs, or takes its time, holds up no other for longer. Webhooks that fail, or had a try that outlasted
 * its place lately, share half of the places. How many tries can go on without a place follows from how many a webhook
 * may have at once (claim-deliveries.ts), and from how many webhooks there may be.
 */
interface DeliveryConcurrency {
  /** How many tries of this webhook may begin now. */
  freeFor(webhook: DueWebhook): number
  /** Takes a place. Resolves when it is free again. @param trying never rejects */
  keep(webhook: DueWebhook, trying: Promise<void>): Promise<void>
}

interface DueWebhook {
  id: string
  isFailing: boolean
}

const usual = { most: 8, mostHeldBack: 4, keptMilliseconds: 2000, heldBackMilliseconds: 600_000 }

export function createDeliveryConcurrency(
  { most, mostHeldBack, keptMilliseconds, heldBackMilliseconds } = usual,
  now: () => number = () => performance.now(),
): DeliveryConcurrency {
  const taken = new Set<{ isHeldBack: boolean }>()
  /** Maps the id of a webhook that is not failing to the time until which it is held back all the same. */
  const slowUntil = new Map<string, number>()
  const isHeldBack = ({ id, isFailing }: DueWebhook) => isFailing || (slowUntil.get(id) ?? 0) > now()

  return {
    freeFor(webhook) {
      const places = most - taken.size
      const heldBack = [...taken].filter((place) => place.isHeldBack).length
      return isHeldBack(webhook) ? Math.min(places, mostHeldBack - heldBack) : places
    },
    async keep(webhook, trying) {
      const place = { isHeldBack: isHeldBack(webhook) }
      taken.add(place)
      const hasEnded = await withTimeout(keptMilliseconds, trying)
      taken.delete(place)
      if (hasEnded) return
      for (const [id, until] of slowUntil) if (until <= now()) slowUntil.delete(id)
      slowUntil.set(webhook.id, now() + heldBackMilliseconds)
    },
  }
}
