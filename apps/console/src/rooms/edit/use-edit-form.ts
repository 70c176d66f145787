import type { Answer, ProjectRoom, RoomDraft } from '@roomkeeper/contract'
import { delegateTakesLicence, licenceCountedAs } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { UsedLicences } from '../form/form-context.ts'
import { formOf, type RoomForm } from '../form/room-form.ts'
import { useRoomForm } from '../form/use-room-form.ts'
import { roomLicencesQuery } from '../queries.ts'
import { differencesOf, errorsOfEdit, withPlacesOf } from './edit-form.ts'

/** The stored room was changed where something else was typed. */
export interface Conflict {
  mine: RoomForm
  stored: RoomForm
  /** Where the two differ. */
  places: readonly string[]
  takeStored: () => void
  keepMine: () => void
}

/**
 * The state of the edit form. `base` is the room that the entries are made on. When the room changes by itself, an
 * untouched form follows; one that was touched keeps what was typed and tells of the conflict.
 */
export function useEditForm(room: ProjectRoom, isFixed: boolean) {
  const [base, setBase] = useState(room)
  const before = useMemo(() => formOf(base), [base])
  // Elsewhere the room may not be on its region (yet, any more), or the region is not asked.
  const isThere = room.projectRoomState === 'DEFAULT' || room.projectRoomState === 'SUSPENDED'
  const licences = useQuery({ ...roomLicencesQuery(room.tenantName), enabled: isThere })
  const used = usedOf(licences.data, licences.isLoading)
  const form = useRoomForm({
    initial: before,
    regions: [],
    errorsOf: (values, today) => errorsOfEdit(values, base, today),
    isFixed: () => isFixed,
    used,
    delegateTakesLicence: (draft) =>
      draft.additionalEmail !== base.additionalEmail && delegateTakesLicence(draft, usedByOwners(draft, used)),
  })
  const mine = form.parts.form
  const changes = differencesOf(mine, before)

  const load = (loaded: ProjectRoom, values = formOf(loaded)) => {
    setBase(loaded)
    form.load(values)
  }
  const stored = useMemo(() => formOf(room), [room])
  const isNewer = room.version > base.version
  const places = isNewer ? differencesOf(mine, stored) : []
  const isFollowing = isNewer && (changes.length === 0 || places.length === 0)
  // What changed is nothing that stands in the form, such as the state.
  const isBesides = isNewer && differencesOf(before, stored).length === 0
  if (isFollowing) load(room)
  else if (isBesides) setBase(room)
  const conflict: Conflict | null =
    isNewer && !isFollowing && !isBesides
      ? {
          mine,
          stored,
          places,
          takeStored: () => load(room),
          keepMine: () => load(room, withPlacesOf(stored, mine, changes)),
        }
      : null
  return { form, base, changes, conflict, licences, load }
}

function usedOf(licences: Answer<'roomLicences'>['body'] | undefined, isLoading: boolean): UsedLicences {
  if (licences === undefined) return isLoading ? 'loading' : 'unknown'
  return new Map(licences.map((each) => [each.licenseKey, each.used]))
}

/** How many of the licences that a delegate needs are in use; where that is not known, the owner's own. */
function usedByOwners(draft: RoomDraft, used: UsedLicences): number {
  if (typeof used === 'string') return 1
  const counted = (['designers', 'yukonAnalyst', 'yukonEngineer'] as const).flatMap((total) => {
    const key = licenceCountedAs(draft.product, draft.edition, total)?.key
    return key === undefined ? [] : [used.get(key) ?? 0]
  })
  return counted.reduce((sum, each) => sum + each, 0)
}
