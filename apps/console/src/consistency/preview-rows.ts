/** The rows of a preview: lists and records get one row per part that differs. */
import type { RepairPreview } from '@roomkeeper/contract'

export interface PreviewRow {
  field: string
  /** The part of the field, such as a contact's field or a licence. Null: the whole field. */
  part: string | null
  from: unknown
  to: unknown
}

export function previewRows(changes: RepairPreview['changes']): PreviewRow[] {
  return changes.flatMap(({ field, from, to }): PreviewRow[] => {
    const whole = { field, part: null, from, to }
    const [before, after] = [partsOf(from), partsOf(to)]
    if (before === null || after === null || before.size + after.size === 0) return [whole]
    const parts = [...new Set([...before.keys(), ...after.keys()])]
    const rows = parts.map((part) => ({ field, part, from: before.get(part), to: after.get(part) }))
    return rows.filter((row) => sameFor(row.from) !== sameFor(row.to))
  })
}

/** The parts by name. Null for a single value or a list of unnamed items. An unknown value has no parts. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object') return null
  if (!Array.isArray(value)) return new Map(Object.entries(value))
  const named = value.map((each) => [String(each?.licenseKey ?? ''), each] as const)
  return named.every(([name]) => name !== '') ? new Map(named) : null
}

/** Equal values give equal strings. The order of fields does not matter, and an empty text counts as none. */
function sameFor(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value !== 'object') return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
