/** The two queues: one with a limit per region, one without. */
import { DBOS, type DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'

export const workflowName = 'runOperation'
/** Fixed: recovery only takes work of its own version, and operation kinds carry versions of their own. */
export const applicationVersion = 'roomkeeper-1'
export const schemaName = 'dbos'
export const applicationName = 'roomkeeper'

const regionQueue = 'operations-of-a-region'
const freeQueue = 'operations-without-a-place'
const pollMilliseconds = 50

export interface QueuedAttempt {
  operationId: string
  attempt: number
  from: number
  /** The region one of whose places it takes; null takes none. */
  regionId: number | null
}

export function workflowIdOf(operationId: string, attempt: number): string {
  return `${operationId}:${attempt}`
}

export async function registerQueues(regionConcurrency: number): Promise<void> {
  const shared = { minPollingIntervalMs: pollMilliseconds, onConflict: 'always_update' } as const
  await DBOS.registerQueue(regionQueue, { ...shared, partitionConcurrency: regionConcurrency })
  await DBOS.registerQueue(freeQueue, shared)
}

export async function enqueue(client: DBOSClient, connection: pg.PoolClient, queued: QueuedAttempt): Promise<void> {
  const { operationId, attempt, from, regionId } = queued
  await client.enqueueInTransaction(
    connection,
    {
      workflowName,
      workflowID: workflowIdOf(operationId, attempt),
      queueName: regionId === null ? freeQueue : regionQueue,
      appVersion: applicationVersion,
      ...(regionId === null ? {} : { queuePartitionKey: String(regionId) }),
    },
    operationId,
    attempt,
    from,
  )
}

/** The queue that a workflow goes back to when its worker is dead. */
export function queueOf(partitionKey: string | undefined): string {
  return partitionKey === undefined ? freeQueue : regionQueue
}
