/** Views: what an operator has set up in the list of rooms, by name. */
import { z } from 'zod'
import { coded } from './field-errors.ts'
import { givenName } from './given-names.ts'
import type { Route } from './route.ts'
import { fieldsOf, ignoring } from './unknown-fields.ts'

const mostColumns = 60
const mostCharacters = 2000
/** Of the columns together, as JSON: all views that an operator sees come in one answer. */
const mostColumnCharacters = 8000
const columnId = z.string().min(1).max(60)
const columnIds = z.array(columnId).max(mostColumns).default([])

/** What differs from the list's defaults. Columns that a console does not know are kept, and not shown. */
export const viewColumns = z.object({
  hidden: columnIds,
  /** Columns that are hidden at first. */
  shown: columnIds,
  /** In pixels. */
  widths: z
    .array(z.object({ column: columnId, width: z.number().min(1).max(10_000) }))
    .max(mostColumns)
    .default([]),
  /** Empty: as at first. */
  order: columnIds,
})
export type ViewColumns = z.output<typeof viewColumns>

const storedColumns = viewColumns.refine((columns) => JSON.stringify(columns).length <= mostColumnCharacters, {
  error: coded('view-columns-too-long', { max: mostColumnCharacters }),
})

const draft = z.object({
  name: givenName,
  isShared: z.boolean(),
  /** Search, filters and order as in the address of the list, such as `q=acme&region=3&sort=state`. */
  query: z.string().max(mostCharacters, coded('at-most-characters', { max: mostCharacters })),
  columns: storedColumns,
})
export const viewDraft = draft.extend({ isShared: draft.shape.isShared.default(false) })
export const view = draft.extend({
  name: z.string(),
  columns: viewColumns,
  id: z.uuid(),
  /** The name of the operator who saved it. */
  owner: z.string(),
  /** Whether the caller saved it, and so may change it. */
  isOwn: z.boolean(),
})
export type View = z.output<typeof view>

/** Absent fields stay as they are. */
export const viewChange = ignoring(draft.partial(), fieldsOf(view))
export type ViewChange = z.output<typeof viewChange>

const viewId = z.object({ id: z.uuid(coded('view-id-invalid')) })

export const viewRoutes = {
  views: {
    method: 'GET',
    path: '/api/operator/views',
    access: 'all',
    summary: 'The own views of the list of rooms and those that others share, by name.',
    answers: { 200: z.array(view) },
  },
  createView: {
    method: 'POST',
    path: '/api/operator/views',
    access: 'all',
    summary: 'Saves a view of the list of rooms.',
    body: viewDraft,
    refuses: ['view-name-taken', 'too-many-views', 'too-many-shared-views'],
    answers: { 200: view },
  },
  changeView: {
    method: 'PUT',
    path: '/api/operator/views/:id',
    access: 'all',
    summary: 'Changes an own view; absent fields stay as they are.',
    params: viewId,
    body: viewChange,
    refuses: ['view-unknown', 'view-of-another', 'view-name-taken', 'too-many-shared-views'],
    answers: { 200: view },
  },
  deleteView: {
    method: 'DELETE',
    path: '/api/operator/views/:id',
    access: 'all',
    summary: 'Removes an own view, or, as an operator or administrator, one that another shares.',
    params: viewId,
    refuses: ['view-unknown', 'view-of-another'],
    answers: { 204: true },
  },
} as const satisfies Record<string, Route>
