/** The protocol's calls about jobs. */
import { jobHasEnded } from '@roomkeeper/region-protocol'
import { isAbsent } from '#disk/files.ts'
import type { FileStore } from '#files/file-store.ts'
import type { Handlers } from '#http/handlers.ts'
import { refuse } from '#refusals.ts'
import type { Jobs } from './jobs.ts'

export function jobHandlers(jobs: Jobs, { growing }: FileStore) {
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
    jobFile: async ({ params: { id }, reply }) => {
      const { state } = jobs.find(id, 0)
      if (jobHasEnded(state)) throw refuse('job-has-ended')
      const content = await growing.follow(id).catch((error: unknown) => {
        // It became whole at this moment, and is elsewhere now.
        if (isAbsent(error)) return undefined
        throw error
      })
      if (content === undefined) throw refuse('file-not-begun')
      return reply.header('content-type', 'application/octet-stream').send(content)
    },
    cancelJob: ({ params: { id }, fence }) => jobs.cancel(id, fence),
  } satisfies Partial<Handlers>
}
