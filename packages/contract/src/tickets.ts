/** Links with which a browser itself downloads a file, so that nothing of the file passes through the page. */
import { z } from 'zod'
import type { RefusalCode } from './problem.ts'

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
