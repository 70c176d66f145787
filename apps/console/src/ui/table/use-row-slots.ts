import { useState } from 'react'

interface Slots {
  names: readonly string[]
  byName: ReadonlyMap<string, number>
}

/**
 * Keys for the rows of a table: a row that stays keeps its key (and the focus in it), a new one takes over the
 * key, and so the drawn elements, of one that left. Turning a page of 100 rows then only changes their texts.
 */
export function useRowSlots(names: readonly string[]): ReadonlyMap<string, number> {
  const [slots, setSlots] = useState<Slots>(() => nextSlots(null, names))
  if (slots.names === names) return slots.byName
  const next = nextSlots(slots, names)
  setSlots(next)
  return next.byName
}

/** Exported for its tests. */
export function nextSlots(before: Slots | null, names: readonly string[]): Slots {
  const stay = new Map(
    names.flatMap((name) => {
      const slot = before?.byName.get(name)
      return slot === undefined ? [] : [[name, slot] as const]
    }),
  )
  const taken = new Set(stay.values())
  let free = 0
  const slotOf = (name: string) => {
    const kept = stay.get(name)
    if (kept !== undefined) return kept
    while (taken.has(free)) free++
    return free++
  }
  return { names, byName: new Map(names.map((name) => [name, slotOf(name)])) }
}
