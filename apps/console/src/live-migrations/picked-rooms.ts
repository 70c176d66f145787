/** The rooms picked for a live migration: some by name, or all that match a search, with exceptions. */
import type { MigrationRoom, RoomSelection } from '@roomkeeper/contract'

export type PickedRooms =
  | { kind: 'named'; names: ReadonlySet<string> }
  /** `total`: how many rooms matched when they were picked. */
  | { kind: 'all'; search: string; total: number; except: ReadonlySet<string> }

/** The fields of a room that a search reads. */
export type PickableRoom = Pick<
  MigrationRoom,
  'projectRoomName' | 'customerFirstName' | 'customerLastName' | 'customerEmail'
>

export const noRooms: PickedRooms = { kind: 'named', names: new Set() }

export function allMatching(search: string, total: number): PickedRooms {
  return { kind: 'all', search, total, except: new Set() }
}

export function countOf(picked: PickedRooms): number {
  return picked.kind === 'named' ? picked.names.size : Math.max(0, picked.total - picked.except.size)
}

export function isPicked(picked: PickedRooms, room: PickableRoom): boolean {
  const { projectRoomName: name } = room
  return picked.kind === 'named' ? picked.names.has(name) : canToggle(picked, room) && !picked.except.has(name)
}

/** While all rooms that match a search are picked, no other room can be picked. */
export function canToggle(picked: PickedRooms, room: PickableRoom): boolean {
  return picked.kind === 'named' || matches(room, picked.search)
}

export function toggled(picked: PickedRooms, room: PickableRoom): PickedRooms {
  const change = (names: ReadonlySet<string>) => {
    const next = new Set(names)
    if (!next.delete(room.projectRoomName)) next.add(room.projectRoomName)
    return next
  }
  if (picked.kind === 'named') return { ...picked, names: change(picked.names) }
  return canToggle(picked, room) ? { ...picked, except: change(picked.except) } : picked
}

/** Picks all rooms of a page; if all are picked already, unpicks them. */
export function toggledPage(picked: PickedRooms, rooms: readonly PickableRoom[]): PickedRooms {
  const changeable = rooms.filter((room) => canToggle(picked, room))
  const areAllPicked = changeable.every((room) => isPicked(picked, room))
  return changeable
    .filter((room) => isPicked(picked, room) === areAllPicked)
    .reduce((all: PickedRooms, room) => toggled(all, room), picked)
}

export function wireOf(picked: PickedRooms): Pick<RoomSelection, 'selectedRooms' | 'allMatching'> {
  if (picked.kind === 'named') return { selectedRooms: [...picked.names], allMatching: null }
  return { selectedRooms: [...picked.except], allMatching: { search: picked.search } }
}

function matches(room: PickableRoom, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  const { projectRoomName, customerFirstName, customerLastName, customerEmail } = room
  const texts = [projectRoomName, `${customerFirstName} ${customerLastName}`, customerEmail]
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
