import type { AuditChange } from '../tables.ts'

/** The fields that differ, by their wire names. `before` is null on creation, `after` on deletion. */
export function changedFields<Field extends string>(
  fields: readonly Field[],
  before: Readonly<Record<Field, unknown>> | null,
  after: Readonly<Record<Field, unknown>> | null,
): AuditChange[] {
  return fields
    .map((field) => ({ field, from: before?.[field] ?? null, to: after?.[field] ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
