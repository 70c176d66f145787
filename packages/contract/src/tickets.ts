/** Links with which a browser itself downloads a file, so that nothing of the file passes through the page. */
import { z } from 'zod'
import type { RefusalCode } from './problem.ts'
import type { Route } from './route.ts'

export const downloadLink = z.object({ url: z.string() })
export const byTicket = z.object({ ticket: z.string().max(100) })

/** Those of a link whose ticket belongs to a session or an API token. */
export const refusalsOfTickets = [
  'link-expired',
  'session-expired',
  'token-refused',
  'token-from-elsewhere',
  'second-factor-missing',
  'not-allowed',
] as const satisfies readonly RefusalCode[]

export const refusalsOfExports = ['too-many-exports', 'too-many-own-exports'] as const satisfies readonly RefusalCode[]

/** The call that downloads an export by its ticket; its path and refusals are its own. */
export const csvByTicket = {
  method: 'GET',
  access: 'public',
  summary: 'The export that a ticket was made for, while the session that asked for it lives.',
  params: byTicket,
  answers: { 200: z.unknown() },
  stream: 'text/csv; charset=utf-8',
} as const satisfies Omit<Route, 'path'>
