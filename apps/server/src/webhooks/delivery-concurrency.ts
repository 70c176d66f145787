/**
 * The places of a worker for its tries. A try keeps its place for two seconds at most, and goes on without it: a receiver
 * that hangs, or takes its time, holds up no other for longer. Webhooks that fail, or of which a try has outlasted its place
 * lately, have half of the places together. How many tries can go on without a place follows from how many a webhook may
 * have at once (claim-deliveries.ts), and from how many webhooks there may be.
 */
import { withTimeout } from '#platform/pause.ts'

export interface DeliveryConcurrency {
  /** How many tries of this webhook may begin now. */
  freeFor(webhook: DueWebhook): number
  /** Takes a place. Resolves when it is free again. @param trying never rejects */
  keep(webhook: DueWebhook, trying: Promise<void>): Promise<void>
}

export interface DueWebhook {
  id: string
  isFailing: boolean
}

const usual = { most: 8, mostHeldBack: 4, keptMilliseconds: 2000, heldBackMilliseconds: 600_000 }

export function createDeliveryConcurrency(
  { most, mostHeldBack, keptMilliseconds, heldBackMilliseconds } = usual,
  now: () => number = () => performance.now(),
): DeliveryConcurrency {
  const taken = new Set<{ isHeldBack: boolean }>()
  /** By the id of a webhook that is not failing: until when it is held back all the same. */
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
