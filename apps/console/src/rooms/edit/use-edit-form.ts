import {
  type Answer,
  ProblemError,
  type ProjectRoom,
  type RoomDraft,
  type RoomEdit,
  roomFieldsWith,
} from '@roomkeeper/contract'
import { delegateTakesLicence, licenceCountedAs, missingLicenceWarning, type Reason } from '@roomkeeper/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOfWarning } from '#locales/error-texts.ts'
import { toastAccepted } from '#operations/index.ts'
import { differences } from '#ui/form/changes.ts'
import type { ResourceForm } from '#ui/form/resource-form.ts'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { formatTime } from '#ui/format.ts'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import { today, type UsedLicences, useRoomFormValue } from '../form/form-context.ts'
import { draftOf, formOf, type RoomForm } from '../form/room-form.ts'
import { pathOf, showsAtOnce } from '../form/room-form-errors.ts'
import { useFieldLabels } from '../form/use-field-labels.ts'
import { useFieldTexts } from '../form/use-field-texts.ts'
import { roomLicencesQuery, roomQuery } from '../queries.ts'
import { editOf, editSettings, errorsOfEdit } from './edit-form.ts'

interface EditFormOptions {
  room: ProjectRoom
  /** Why the form is read-only. */
  whyFixed: Reason | null
  /** Why the form cannot be submitted now. */
  whyNot: Reason | null
}

/** The state of the edit form, which follows the room. */
export function useEditForm({ room, whyFixed, whyNot }: EditFormOptions) {
  const { t } = useTranslation(['edit', 'form', 'rooms', 'meanwhile'])
  const edit = useEdit(room.tenantName)
  const isChanged = (entered: RoomForm, base: ProjectRoom) =>
    differences(editSettings, entered, formOf(base)).length > 0
  const whyNotSubmit = (entered: RoomForm, base: ProjectRoom, savedAt: Date | null = null) => {
    if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
    if (isChanged(entered, base)) return null
    return savedAt === null ? t('whyNot.unchanged') : t('whyNot.saved', { at: formatTime(savedAt.toISOString()) })
  }
  const record = {
    stored: room,
    valuesOf: formOf,
    bodyOf: (entered: RoomForm, now: ProjectRoom) => editOf(entered, now.version),
    settings: editSettings,
    refusal: 'version-stale' as const,
  }
  const { form, base, savedAt, conflict } = useStoredForm(record, (now) => ({
    checks: (entered) => errorsOfEdit(entered, now, today()),
    showsAtOnce,
    refusals: { 'sap-number-taken': 'sapNumberLast' },
    pathOf,
    isFixed: () => whyFixed !== null,
    isUnsaved: (entered) => whyFixed === null && isChanged(entered, now),
    whyNot: (entered) => whyNotSubmit(entered, now),
    onAttempt: (entered) => {
      const warning = missingLicenceWarning(draftOf(entered))
      if (warning !== null) toastWarning(t('form:warning'), textOfWarning(warning))
    },
    ...edit,
  }))
  const whyNotNow = whyNotSubmit(form.values, base, savedAt) ?? (conflict === null ? null : t('meanwhile:decideFirst'))
  const changes = useChanges(form.values, formOf(base))
  return { form, whyNot: whyNotNow, conflict, changes, savedAt, ...useEditParts(room, base, form) }
}

/** How many changes are named; the others are counted. */
const namedChanges = 3
/** Their inputs show what is entered; here their names suffice. */
const texts: readonly string[] = [...roomFieldsWith('form'), 'sapNumberLast']

/** What would be submitted, in one line; null: nothing. */
function useChanges(entered: RoomForm, stored: RoomForm): string | null {
  const { t } = useTranslation('edit')
  const labelsOf = useFieldLabels()
  const textOfField = useFieldTexts()
  const fields = differences(editSettings, entered, stored)
  if (fields.length === 0) return null
  const [before, after] = [editSettings.of(stored), editSettings.of(entered)]
  const named = fields.slice(0, namedChanges).map((path) => {
    const field = labelsOf([path])[0] ?? path
    if (texts.includes(path)) return field
    return t('changed.one', { field, from: textOfField(path, before[path]), to: textOfField(path, after[path]) })
  })
  const more = fields.length - namedChanges
  const all = more > 0 ? [...named, t('changed.more', { count: more })] : named
  return t('changed.count', { count: fields.length, changes: all.join(' · ') })
}

/** The context of the form's sections, and the licences in use. */
function useEditParts(room: ProjectRoom, base: ProjectRoom, form: ResourceForm<RoomForm>) {
  // In other states the region may not have the room, or is not asked.
  const isThere = room.projectRoomState === 'DEFAULT' || room.projectRoomState === 'SUSPENDED'
  const licences = useQuery({ ...roomLicencesQuery(room.tenantName), enabled: isThere })
  const used = usedOf(licences.data, licences.isLoading)
  const parts = useRoomFormValue(form, {
    regions: [],
    used,
    delegateTakesLicence: (draft) =>
      draft.additionalEmail !== base.additionalEmail && delegateTakesLicence(draft, usedByOwners(draft, used)),
  })
  return { parts, licences, asksRegion: isThere }
}

/** The call that sends the changes. */
function useEdit(name: string) {
  const { t } = useTranslation('edit')
  const queryClient = useQueryClient()
  return {
    submit: (body: RoomEdit) => client.call('editRoom', { body }),
    recordIn: (answer: Answer<'editRoom'>) => (answer.status === 200 ? answer.body : null),
    onSuccess: async (answer: Answer<'editRoom'>) => {
      if (answer.status === 200) {
        // Cancel fetches in progress: their answers may be older than the change.
        await queryClient.cancelQueries(roomQuery(name))
        queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
        toastSuccess(t('edited.title', { name }), t('edited.done', { name }))
      } else {
        const ends = { done: t('edited.done', { name }), failed: t('edited.failed', { name }) }
        toastAccepted(answer.body.operationId, {
          title: t('edited.subject', { name }),
          text: t('edited.accepted', { name }),
          ends,
        })
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
