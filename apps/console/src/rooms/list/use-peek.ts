import type { ProjectRoom } from '@roomkeeper/contract'
import { useEffect, useEffectEvent, useState } from 'react'

export interface Peek {
  /** The room in the side sheet; null: it is closed. */
  room: ProjectRoom | null
  open: (name: string) => void
  close: () => void
}

/** The side sheet of the list: opened for one room, it shows the one of the row that has the focus. */
export function usePeek(rooms: readonly ProjectRoom[]): Peek {
  const [name, open] = useState<string | null>(null)
  const named = (wanted: string | null | undefined) => rooms.find(({ tenantName }) => tenantName === wanted) ?? null
  const room = named(name)
  // On another page, and once the room has left the list, it does not come back by itself.
  if (name !== null && room === null) open(null)
  const isOpen = room !== null
  const follow = useEffectEvent(({ target }: FocusEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
    const focused = named(row?.dataset.row)
    if (focused !== null) open(focused.tenantName)
  })
  useEffect(() => {
    if (!isOpen) return
    const listen = (event: FocusEvent) => follow(event)
    addEventListener('focusin', listen)
    return () => removeEventListener('focusin', listen)
  }, [isOpen])
  return { room, open, close: () => open(null) }
}
