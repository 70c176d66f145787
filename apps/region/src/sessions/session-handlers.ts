/** The protocol's calls about users and their sessions. */
import type { Handlers } from '#http/handlers.ts'
import { type Region, runExclusively } from '#region.ts'
import { deleteUser } from './delete-user.ts'
import { endSession, listSessions, openSession } from './user-sessions.ts'

export function sessionHandlers(region: Region) {
  return {
    sessions: ({ params: { name } }) => region.roomMutex.runExclusive(name, async () => listSessions(region, name)),
    openSession: ({ params: { name }, body, fence }) =>
      runExclusively(region, name, fence, async () => openSession(region, name, body.user)),
    endSession: ({ params: { name, id }, fence }) =>
      runExclusively(region, name, fence, async () => endSession(region, name, id)),
    deleteUser: ({ params: { id }, fence }) => deleteUser(region, id, fence),
  } satisfies Partial<Handlers>
}
