/**
 * Delivers what waits, in each worker. Every second it asks which webhooks have something due, and takes a few deliveries
 * of each; those of webhooks that fail take at most half of its places, so that receivers that hang do not hold up the
 * others.
 */
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { createPoller } from '#platform/poller.ts'
import { prepared } from '#platform/prepared-statements.ts'
import { type ClaimedDelivery, claimDeliveries, claimSeconds } from './claim-deliveries.ts'
import { finishTry } from './finish-try.ts'
import { type SendingParts, tryDelivery } from './try-delivery.ts'

export interface DeliveringParts extends SendingParts {
  database: Database
  log: Log
}

const pollMilliseconds = 1000
const mostUnderWay = 8
const mostOfFailing = mostUnderWay / 2
/** When it stops, tries under way may end so long; then their claims end by themselves, and they are tried again. */
const stopMilliseconds = 5000

/** @returns a function that stops it */
export function startDelivering(parts: DeliveringParts): () => Promise<void> {
  const { database, log } = parts
  /** By their delivery: whether their webhook was failing. */
  const underWay = new Map<ClaimedDelivery, boolean>()
  const tries = new Set<Promise<void>>()

  const placesFor = (isFailing: boolean) => {
    const places = mostUnderWay - underWay.size
    const ofFailing = [...underWay.values()].filter((each) => each).length
    return isFailing ? Math.min(places, mostOfFailing - ofFailing) : places
  }
  const begin = (delivery: ClaimedDelivery, isFailing: boolean) => {
    underWay.set(delivery, isFailing)
    // Whatever becomes of it: when its claim is over it is tried again, so its place is free.
    const trying = within(claimSeconds * 1000, deliver(parts, delivery)).finally(() => {
      underWay.delete(delivery)
      tries.delete(trying)
      poller.trigger()
    })
    tries.add(trying)
  }
  const look = async () => {
    if (underWay.size >= mostUnderWay) return
    for (const { id, isFailing } of await queryRows<DueWebhook>(database.db, dueWebhooks)) {
      const places = placesFor(isFailing)
      if (places <= 0) continue
      const { claimed, isMore } = await claimDeliveries(database, id, places)
      for (const delivery of claimed) begin(delivery, isFailing)
      if (isMore) poller.trigger()
    }
  }
  const poller = createPoller({ name: 'webhooks', everyMilliseconds: pollMilliseconds, log }, look)
  return async () => {
    await poller.stop()
    await within(stopMilliseconds, Promise.all(tries))
  }
}

/** Waits no longer for it. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  await Promise.race([work, pause(milliseconds, ended.signal)])
  ended.abort()
}

interface DueWebhook {
  id: string
  isFailing: boolean
}

/** In any order, so that none is always last. */
const dueWebhooks = prepared(`
  select w.id, w.failing_since is not null as is_failing from webhooks w
   where w.deleted_at is null
     and (exists (select from webhook_deliveries d
                   where d.webhook_id = w.id and d.state = 'waiting' and d.next_try_at <= now())
       or not w.is_on and exists (select from webhook_deliveries d
                                   where d.webhook_id = w.id and d.state = 'waiting' and d.claim is null))
   order by random()`)

/** Whatever fails here leaves the delivery claimed for a minute, and then it is tried again. */
async function deliver(parts: DeliveringParts, delivery: ClaimedDelivery): Promise<void> {
  const { database, log } = parts
  const { id: deliveryId, webhook, startUntil } = delivery
  const fields = { webhookId: webhook.id, webhook: webhook.name, deliveryId }
  // This process has stood still: another one may be trying it, and may even be further in the lane.
  if (performance.now() > startUntil) return
  try {
    const tried = await tryDelivery(parts, delivery)
    const status = tried.answer?.status ?? null
    log.debug({ ...fields, status, failure: tried.failure }, 'tried to deliver to a webhook')
    if (await finishTry(database, delivery, tried))
      log.warn(fields, 'a webhook has failed for 3 days and was switched off')
  } catch (error) {
    log.error({ ...fields, err: error }, 'a delivery to a webhook could not be tried or recorded')
  }
}
