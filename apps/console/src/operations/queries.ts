import { type Answer, logLinesAtMost, ProblemError } from '@roomkeeper/contract'
import { queryOptions } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { apiQuery } from '#api/queries.ts'

/** The running operations, oldest first. */
export const runningOperationsQuery = {
  ...apiQuery(['operations', 'running'], 'runningOperations', {}, { background: 'always' }),
  staleTime: 10_000,
}

/** All operators' operations that have ended in the last hours: failures first, then the newest. */
export const finishedOperationsQuery = {
  ...apiQuery(['operations', 'finished'], 'finishedOperations', {}, { background: 'always' }),
  staleTime: 10_000,
}

export type LoggedOperation = Answer<'operationLog'>['body']

/** An operation's steps and all its log lines so far; only new lines are fetched. */
export function operationLogQuery(operationId: string) {
  return queryOptions({
    queryKey: ['operations', 'log', operationId],
    queryFn: async ({ signal, client: cache, queryKey }): Promise<LoggedOperation> => {
      const lines = [...(cache.getQueryData<LoggedOperation>(queryKey)?.lines ?? [])]
      for (;;) {
        const query = { processId: operationId, after: lines.at(-1)?.n ?? 0 }
        const { body } = await client.call('operationLog', { query, headers: inBackground, signal })
        lines.push(...body.lines)
        if (body.lines.length < logLinesAtMost) return { ...body, lines }
      }
    },
    retry: (failures, error) => failures < 2 && !(error instanceof ProblemError),
  })
}

export function isOver(state: LoggedOperation['state']): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
