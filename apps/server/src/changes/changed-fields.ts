/** What was changed from what to what, for the audit trail and for webhooks. */
export interface FieldChange {
  field: string
  from: unknown
  to: unknown
}

/** The fields that differ, by their wire names. `before` is null on creation, `after` on deletion. */
export function changedFields<Field extends string>(
  fields: readonly Field[],
  before: Readonly<Record<Field, unknown>> | null,
  after: Readonly<Record<Field, unknown>> | null,
): FieldChange[] {
  return fields
    .map((field) => ({ field, from: before?.[field] ?? null, to: after?.[field] ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
}
