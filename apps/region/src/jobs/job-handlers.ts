/** The protocol's calls about jobs. */
import type { Handlers } from '#http/handlers.ts'
import type { Jobs } from './jobs.ts'

export function jobHandlers(jobs: Jobs) {
  return {
    startJob: async ({ params: { id }, query: { wait }, body, fence }) => {
      const started = jobs.start(id, body, fence)
      if (wait === 0) return started
      await jobs.untilEnded(id, wait)
      return { ...jobs.find(id, 0), isNew: started.isNew }
    },
    job: async ({ params: { id }, query: { after, wait } }) => {
      if (wait > 0) await jobs.untilEnded(id, wait)
      return jobs.find(id, after)
    },
    cancelJob: ({ params: { id }, fence }) => jobs.cancel(id, fence),
  } satisfies Partial<Handlers>
}
