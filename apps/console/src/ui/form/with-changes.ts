/**
 * What was changed between two states of a form, on top of other values. Groups of fields, such as counts by key, are
 * compared field by field; a list counts as one field.
 */
export function withChanges<Values extends object>(values: Values, before: Values, now: Values): Values {
  const changed = Object.entries(now).flatMap(([field, value]) => {
    const [base, former] = [valueIn(values, field), valueIn(before, field)]
    if (isGroup(value) && isGroup(former)) return [[field, withChanges(isGroup(base) ? base : {}, former, value)]]
    return JSON.stringify(value) === JSON.stringify(former) ? [] : [[field, value]]
  })
  return { ...values, ...Object.fromEntries(changed) }
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valueIn(values: object, field: string): unknown {
  return (values as Record<string, unknown>)[field]
}
