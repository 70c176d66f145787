/** The audit trail: who did what, when, to which room, and what changed from what to what. */
import { z } from 'zod'
import { queryInt } from './lists.ts'
import type { Route } from './route.ts'

export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** An operator's e-mail, or `system`. */
  actor: z.string(),
  /** Such as `room.edit`. */
  action: z.string(),
  room: z.string().nullable(),
  operationId: z.uuid().nullable(),
  detail: z.string().nullable(),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.output<typeof auditEntry>

const auditPage = z.object({ data: z.array(auditEntry), totalElements: z.int(), totalPages: z.int() })

export const auditRoutes = {
  roomHistory: {
    method: 'GET',
    path: '/api/operator/room/history',
    access: 'all',
    summary: 'What was done with a project room, newest first.',
    query: z.object({
      projectRoom: z.string().max(64),
      page: queryInt({ min: 0, max: 2_147_483_647, default: 0 }),
      size: queryInt({ min: 1, max: 100, default: 20 }),
    }),
    answers: { 200: auditPage },
  },
} as const satisfies Record<string, Route>
