/** Exports of project rooms by ticket. Apart from the other calls, because no page needs them before something is exported. */
import { z } from 'zod'
import { csvForm } from './csv-form.ts'
import { licenceTotalKeys } from './licences.ts'
import { searched } from './plain-text.ts'
import { roomFieldsWith } from './room-field-catalogue.ts'
import { listQuery } from './rooms.ts'
import type { Route } from './route.ts'
import { csvByTicket, downloadLink, refusalsOfExports, refusalsOfTickets } from './tickets.ts'

const texts = z.array(searched).max(100).default([])
/** The same query in JSON, where lists are lists, and a filter may name 100,000 rooms. */
export const roomExportBody = z.object({
  ...listQuery,
  search_keys: texts,
  search_values: texts,
  filter_keys: texts,
  filter_values: texts,
  filter_conditions: texts,
})

/** What an export has columns for, in their order. */
export const exportColumns = [
  ...roomFieldsWith('exportTitle'),
  'lastBackupAt',
  'lastBackupVerifiedAt',
  'labels',
  ...licenceTotalKeys,
] as const
export type ExportColumn = (typeof exportColumns)[number]

export const roomExportRoutes = {
  createRoomsTicket: {
    method: 'POST',
    path: '/api/operator/export_tenants/ticket',
    access: 'all',
    summary: 'A link with which a browser downloads the matching project rooms as CSV: for one minute, once.',
    body: z.object({
      query: roomExportBody,
      csv: csvForm,
      /** In this order; all if absent. */
      columns: z.array(z.enum(exportColumns)).min(1).max(exportColumns.length).optional(),
    }),
    longBody: true,
    refuses: ['invalid-filter', ...refusalsOfExports],
    answers: { 200: downloadLink },
  },
  downloadRooms: {
    ...csvByTicket,
    path: '/api/operator/export_tenants/download/:ticket',
    refuses: [...refusalsOfTickets, 'invalid-filter', ...refusalsOfExports],
  },
} as const satisfies Record<string, Route>
