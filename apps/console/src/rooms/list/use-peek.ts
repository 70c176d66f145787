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
    // What has the focus within a row is on the way to the sheet, which comes after the rows.
    const focused = target instanceof HTMLElement && target.matches('tr[data-row]') ? named(target.dataset.row) : null
    if (focused !== null) open(focused.tenantName)
  })
  useEffect(() => {
    if (!isOpen) return
    const listen = (event: FocusEvent) => follow(event)
    addEventListener('focusin', listen)
    return () => removeEventListener('focusin', listen)
  }, [isOpen])
  const close = () => {
    // The sheet may have the focus, which would be lost with it.
    const { activeElement } = document
    if (activeElement?.closest('aside') != null && name !== null)
      document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(name)}"]`)?.focus()
    open(null)
  }
  return { room, open, close }
}
