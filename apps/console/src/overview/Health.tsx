import type { AttentionFact } from '@roomkeeper/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, inBackground } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { queryClient } from '#api/queries.ts'
import { loadTexts } from '#locales/load-texts.ts'
import type { HealthStrip } from './HealthStrip.tsx'

/** The ages of the facts grow, also when nothing happens. */
export const agingMilliseconds = 30_000
const longestWaitMilliseconds = 300

/** Set while something does not work, for the next load of the page. */
const problemKey = 'roomkeeper.problem'

/** Loaded with the first answer that it has to show, so that it is drawn with the page. */
let Strip: typeof HealthStrip | null = null

export const attentionQuery = queryOptions({
  queryKey: ['overview', 'attention'],
  queryFn: async ({ signal, client: cache }) => {
    const isFirst = cache.getQueryData(['overview', 'attention']) === undefined
    const { body } = await client.call('attention', { headers: isFirst ? {} : inBackground, signal })
    if (body.some(isProblem)) {
      localStorage.setItem(problemKey, '1')
      await loadStrip()
    } else localStorage.removeItem(problemKey)
    return body
  },
  staleTime: 5_000,
})

function isProblem({ severity }: AttentionFact): boolean {
  return severity === 'error'
}

async function loadStrip(): Promise<void> {
  const loading = loadTexts('overview', 'errors')
  // If it cannot be loaded, the next answer tries again.
  const module = await import('./HealthStrip.tsx').catch(() => null)
  await loading
  Strip = module?.HealthStrip ?? Strip
}

/**
 * Asks what is wrong before the page is drawn. If something was the last time, the page waits a moment for the answer,
 * so that the strip does not push it down later.
 */
export async function lookForProblems(): Promise<void> {
  const looked = queryClient.ensureQueryData(attentionQuery).catch(() => undefined)
  if (localStorage.getItem(problemKey) === null) return
  await Promise.race([looked, new Promise((resolve) => setTimeout(resolve, longestWaitMilliseconds))])
}

/** Keeps up to date what is wrong, and shows it while something does not work. */
export function Health() {
  const poll = usePollInterval()
  const { data, dataUpdatedAt } = useQuery({
    ...attentionQuery,
    refetchInterval: ({ state }) => (state.data?.some(isProblem) === true ? agingMilliseconds : poll),
  })
  useRefetchOnEvents(attentionQuery.queryKey, ({ type }) => type === 'attention')
  const problems = data?.filter(isProblem) ?? []
  return problems.length > 0 && Strip !== null && <Strip problems={problems} at={dataUpdatedAt} />
}
