import { type Answer, ProblemError, type ProjectRoom, type RoomDraft, type RoomEdit } from '@roomkeeper/contract'
import { delegateTakesLicence, licenceCountedAs, missingLicenceWarning, type Reason } from '@roomkeeper/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { toastAccepted } from '#operations/index.ts'
import { textOfWarning } from '#ui/coded-text.ts'
import type { ResourceForm } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import { today, type UsedLicences, useRoomParts } from '../form/form-context.ts'
import { draftOf, formOf, type RoomForm } from '../form/room-form.ts'
import { pathOf, showsAtOnce } from '../form/room-form-errors.ts'
import { roomLicencesQuery, roomQuery } from '../queries.ts'
import { differencesOf, editOf, errorsOfEdit, whenChanged, withFieldsOf } from './edit-form.ts'

/** A value of the stored room was changed, and the entries differ from it. */
export interface Conflict {
  mine: RoomForm
  stored: RoomForm
  /** The paths at which the two differ. */
  paths: readonly string[]
  takeStored: () => void
  keepMine: () => void
}

interface EditFormOptions {
  room: ProjectRoom
  /** Why the form is read-only. */
  whyFixed: Reason | null
  /** Why the form cannot be submitted now. */
  whyNot: Reason | null
}

/**
 * The state of the edit form. `base` is the room on which the entries are based. When the stored room changes, an
 * untouched form follows; a form with entries keeps them and shows the conflict.
 */
export function useEditForm({ room, whyFixed, whyNot }: EditFormOptions) {
  const { t } = useTranslation(['edit', 'form', 'rooms', 'meanwhile'])
  const [base, setBase] = useState(room)
  const before = useMemo(() => formOf(base), [base])
  const stored = useMemo(() => formOf(room), [room])
  const [accepted, setAccepted] = useState<AcceptedEdit | null>(null)
  const end = accepted === null ? null : endOf(accepted, room, base)
  const whatNow = (entered: RoomForm) =>
    room.version > base.version && end === null ? whenChanged(entered, before, stored) : null
  const changesIn = (entered: RoomForm) => differencesOf(entered, before)
  const whyNotSubmit = (entered: RoomForm) => {
    if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
    if (whatNow(entered) === 'conflict') return t('whyNot.conflict')
    return changesIn(entered).length === 0 ? t('whyNot.unchanged') : null
  }
  const call = useEdit(room.tenantName, (edited, sent) => load(edited, formOf(edited), sent), setAccepted)
  const form = useResourceForm({
    initial: before,
    bodyOf: (entered) => editOf(entered, base.version),
    checks: (entered) => errorsOfEdit(entered, base, today()),
    showsAtOnce,
    refusals: { 'sap-number-taken': 'sapNumberLast' },
    pathOf: pathOf,
    isFixed: () => whyFixed !== null,
    isUnsaved: (entered) => whyFixed === null && changesIn(entered).length > 0,
    whyNot: whyNotSubmit,
    onAttempt: (entered) => {
      const warning = missingLicenceWarning(draftOf(entered))
      if (warning !== null) toastWarning(t('form:warning'), textOfWarning(warning))
    },
    ...call,
  })

  function load(loaded: ProjectRoom, values = formOf(loaded), sent?: RoomForm): void {
    setBase(loaded)
    form.load(values, sent)
  }
  useEffect(() => {
    if (accepted === null || end === null) return
    setAccepted(null)
    if (end === 'done') load(room, stored, accepted.sent)
  })
  const mine = form.values
  const now = whatNow(mine)
  if (now === 'follow') load(room)
  else if (now === 'go-on') setBase(room)
  const takeStored = () => load(room)
  const keepMine = () => load(room, withFieldsOf(stored, mine, changesIn(mine)))
  const conflict: Conflict | null =
    now === 'conflict' ? { mine, stored, paths: differencesOf(mine, stored), takeStored, keepMine } : null
  return { form, whyNot: whyNotSubmit(mine), conflict, ...useEditParts(room, base, form) }
}

/** The context of the form's sections, and the licences in use. */
function useEditParts(room: ProjectRoom, base: ProjectRoom, form: ResourceForm<RoomForm>) {
  // In other states the region may not have the room, or is not asked.
  const isThere = room.projectRoomState === 'DEFAULT' || room.projectRoomState === 'SUSPENDED'
  const licences = useQuery({ ...roomLicencesQuery(room.tenantName), enabled: isThere })
  const used = usedOf(licences.data, licences.isLoading)
  const parts = useRoomParts(form, {
    regions: [],
    used,
    delegateTakesLicence: (draft) =>
      draft.additionalEmail !== base.additionalEmail && delegateTakesLicence(draft, usedByOwners(draft, used)),
  })
  return { parts, licences, asksRegion: isThere }
}

/** An edit that takes longer than the answer to it. */
interface AcceptedEdit {
  operationId: string
  sent: RoomForm
}

/** How an accepted edit ended, or null while it runs. @param base the room before the edit */
function endOf({ operationId, sent }: AcceptedEdit, room: ProjectRoom, base: ProjectRoom): 'done' | 'failed' | null {
  if (room.failedOperationId === operationId) return 'failed'
  if (room.version === base.version || room.runningOperation?.operationId === operationId) return null
  return differencesOf(sent, formOf(room)).length === 0 ? 'done' : null
}

/** The call that sends the changes. @param onEdited called with the changed room, if it is known at once */
function useEdit(
  name: string,
  onEdited: (room: ProjectRoom, sent: RoomForm) => void,
  onAccepted: (edit: AcceptedEdit) => void,
) {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return {
    submit: (body: RoomEdit) => client.call('editRoom', { body }),
    onSuccess: async (answer: Answer<'editRoom'>, _: RoomEdit, sent: RoomForm) => {
      if (answer.status === 200) {
        // Cancel fetches in progress: their answers may be older than the change.
        await queryClient.cancelQueries(roomQuery(name))
        queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
        onEdited(answer.body, sent)
        toastSuccess(t('submit'), t('edited.done', { name }))
      } else {
        const { operationId } = answer.body
        onAccepted({ operationId, sent })
        const ends = { done: t('edited.done', { name }), failed: t('edited.failed', { name }) }
        toastAccepted(operationId, { title: t('submit'), text: t('edited.accepted', { name }), ends })
      }
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    onError: (error: Error) => {
      // Fetch the room, to show what it was changed to.
      if (error instanceof ProblemError && error.problem.status === 409) {
        void queryClient.invalidateQueries(roomQuery(name))
      }
    },
  }
}

function usedOf(licences: Answer<'roomLicences'>['body'] | undefined, isLoading: boolean): UsedLicences {
  if (licences === undefined) return isLoading ? 'loading' : 'unknown'
  return new Map(licences.map((each) => [each.licenseKey, each.used]))
}

/** How many of the licences that a delegate needs are in use; if unknown, only the owner's. */
function usedByOwners(draft: RoomDraft, used: UsedLicences): number {
  if (typeof used === 'string') return 1
  const counted = (['designers', 'yukonAnalyst', 'yukonEngineer'] as const).flatMap((total) => {
    const key = licenceCountedAs(draft.product, draft.edition, total)?.key
    return key === undefined ? [] : [used.get(key) ?? 0]
  })
  return counted.reduce((sum, each) => sum + each, 0)
}
