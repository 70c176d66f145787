/** The queue of attempts. How many of them a region takes at once is decided before: see take-places.ts. */
import { DBOS, type DBOSClient } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'

export const workflowName = 'runOperation'
/** Fixed: recovery only takes work of its own version, and operation kinds carry versions of their own. */
export const applicationVersion = 'roomkeeper-1'
export const schemaName = 'dbos'
export const applicationName = 'roomkeeper'
/** All attempts wait here for a worker; those that take places come here when they have them. */
export const queueName = 'operations'

const pollMilliseconds = 50

export interface QueuedAttempt {
  operationId: string
  attempt: number
  /** The first step that it may have to run. */
  from: number
}

export function workflowIdOf(operationId: string, attempt: number): string {
  return `${operationId}:${attempt}`
}

export async function registerQueues(): Promise<void> {
  await DBOS.registerQueue(queueName, { minPollingIntervalMs: pollMilliseconds, onConflict: 'always_update' })
}

export async function enqueue(client: DBOSClient, connection: pg.PoolClient, queued: QueuedAttempt): Promise<void> {
  const { operationId, attempt, from } = queued
  await client.enqueueInTransaction(
    connection,
    { workflowName, workflowID: workflowIdOf(operationId, attempt), queueName, appVersion: applicationVersion },
    operationId,
    attempt,
    from,
  )
}
