/** What the event stream carries: hints about what changed, never the changed data itself. */
import { z } from 'zod'
import type { Route } from './route.ts'

export const serverEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('room'), room: z.string(), gone: z.boolean() }),
  z.object({ type: z.literal('operation'), operationId: z.uuid(), room: z.string() }),
  /** The region changed, or the shown state of its rooms did. It may no longer exist. */
  z.object({ type: z.literal('region'), regionId: z.int() }),
  z.object({ type: z.literal('migration'), id: z.int() }),
  z.object({ type: z.literal('bulk'), id: z.uuid() }),
  z.object({ type: z.literal('backup-policy'), id: z.uuid() }),
  z.object({ type: z.literal('maintenance') }),
  /** What needs attention changed. */
  z.object({ type: z.literal('attention') }),
  /** Spellings of customers were merged or separated. */
  z.object({ type: z.literal('customers') }),
])
export type ServerEvent = z.infer<typeof serverEvent>

export const eventRoutes = {
  events: {
    method: 'GET',
    path: '/api/operator/events',
    access: 'all',
    summary:
      'Server-sent events, resumable by Last-Event-ID. An event without data named `reset` says that older events are gone: fetch anew.',
    refuses: ['too-many-streams'],
    answers: { 200: z.unknown() },
    stream: 'text/event-stream; charset=utf-8',
  },
} as const satisfies Record<string, Route>
