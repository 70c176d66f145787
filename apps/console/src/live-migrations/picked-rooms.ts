/** The rooms picked for a live migration: some by name, or all that match a search, with exceptions. */
import type { MigrationRoom, RoomSelection } from '@roomkeeper/contract'
import type { Selected } from '#ui/table/selected-rows.ts'

export type PickedRooms = Selected<string>

/** The fields of a room that a search reads. */
export type PickableRoom = Pick<
  MigrationRoom,
  'projectRoomName' | 'customerFirstName' | 'customerLastName' | 'customerEmail'
>

/** While all rooms that match a search are picked, no other room can be picked. */
export function canPick(picked: PickedRooms, room: PickableRoom): boolean {
  return picked.kind === 'named' || matches(room, picked.query)
}

export function migrationSelectionOf(picked: PickedRooms): Pick<RoomSelection, 'selectedRooms' | 'allMatching'> {
  if (picked.kind === 'named') return { selectedRooms: [...picked.ids], allMatching: null }
  return { selectedRooms: [...picked.except], allMatching: { search: picked.query } }
}

function matches(room: PickableRoom, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  const { projectRoomName, customerFirstName, customerLastName, customerEmail } = room
  const texts = [projectRoomName, `${customerFirstName} ${customerLastName}`, customerEmail]
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
