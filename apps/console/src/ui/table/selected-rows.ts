/** Which rows are selected: some by their ids, or all that match a query, with exceptions. */
export type Selected<Query = never> = { kind: 'named'; ids: ReadonlySet<string> } | AllMatching<Query>

interface AllMatching<Query> {
  kind: 'all'
  query: Query
  /** How many rows matched when they were selected. */
  total: number
  except: ReadonlySet<string>
}

export function named(ids: Iterable<string>): Selected {
  return { kind: 'named', ids: new Set(ids) }
}

export const noneSelected = named([])

export function allMatching<Query>(query: Query, total: number): Selected<Query> {
  return { kind: 'all', query, total, except: new Set() }
}

export function countOf(selected: Selected<unknown>): number {
  return selected.kind === 'named' ? selected.ids.size : Math.max(0, selected.total - selected.except.size)
}

export function isSelected(selected: Selected<unknown>, id: string): boolean {
  return selected.kind === 'named' ? selected.ids.has(id) : !selected.except.has(id)
}

/** The same with these rows selected, or not selected any more. */
export function withRows<Query>(selected: Selected<Query>, ids: readonly string[], isOn: boolean): Selected<Query> {
  const isNamed = selected.kind === 'named'
  const listed = new Set(isNamed ? selected.ids : selected.except)
  for (const id of ids) isOn === isNamed ? listed.add(id) : listed.delete(id)
  return isNamed ? { ...selected, ids: listed } : { ...selected, except: listed }
}

/** The rows from one to the other, in the order of the page; only the other if the first is not on the page. */
export function rangeOf(page: readonly string[], from: string | null, to: string): readonly string[] {
  const first = from === null ? -1 : page.indexOf(from)
  const last = page.indexOf(to)
  if (first === -1 || last === -1) return [to]
  return page.slice(Math.min(first, last), Math.max(first, last) + 1)
}
