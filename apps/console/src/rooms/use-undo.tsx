/** Undoing what was done with a room. */
import { type ActivityEntry, joinSentences, ProblemError } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { PinnedNotes } from '#notes/index.ts'
import { toastAccepted } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { useFieldLabels } from './form/use-field-labels.ts'
import { useFieldTexts } from './form/use-field-texts.ts'
import { roomQuery } from './queries.ts'

interface Undoable extends Pick<ActivityEntry, 'id' | 'undo'> {
  room: string
}

/** @returns a function that undoes an entry, and asks before it changes who can use the room; false: it was not undone */
export function useUndo() {
  const { t } = useTranslation(['edit', 'form', 'rooms', 'errors'])
  const queryClient = useQueryClient()
  const whyRefused = useWhyRefused()
  const call = async ({ id, room: name }: Undoable) => {
    const answer = await client.call('undoActivity', { params: { id } })
    const title = t('undo.done', { name })
    if (answer.status === 202) {
      const text = t('undo.accepted', { name })
      toastAccepted(answer.body.operationId, { title: t('undo.action'), text, ends: { done: title } })
      return
    }
    toastSuccess(title, t('undo.doneText'))
    await queryClient.cancelQueries(roomQuery(name))
    queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
  }
  return async (entry: Undoable): Promise<boolean> => {
    const { room: name, undo } = entry
    try {
      if (undo === null || undo.action === 'edit') await call(entry)
      else {
        const { action } = undo
        const { pinnedNotes } = await queryClient.fetchQuery(roomQuery(name))
        return await confirm({
          title: t(`${action}.title`, { name }),
          question: t(`${action}.question`, { name }),
          consequence: t(`${action}.consequence`),
          details: <PinnedNotes mt="md" notes={pinnedNotes} />,
          confirm: t('yes'),
          cancel: t('no'),
          danger: action === 'suspend',
          failed: t('undo.failed'),
          // The region has already started, so the dialog waits for the answer.
          isBinding: true,
          run: () => call(entry),
        })
      }
      return true
    } catch (error) {
      if (!isSessionEnd(error)) toastError(t('undo.failed'), whyRefused(error))
      return false
    } finally {
      for (const key of ['rooms', 'activity']) void queryClient.invalidateQueries({ queryKey: [key] })
    }
  }
}

/** The reason; where fields were changed meanwhile, with their values of now. */
function useWhyRefused() {
  const { t } = useTranslation('edit')
  const labelsOf = useFieldLabels()
  const textOfField = useFieldTexts()
  return (error: unknown): string => {
    const now = error instanceof ProblemError ? (error.problem.now ?? []) : []
    if (now.length === 0) return textOf(error)
    const values = now.map(({ field, value }) => `${labelsOf([field])[0] ?? field} ${textOfField(field, value)}`)
    return joinSentences([textOf(error), t('undo.now', { values: values.join(' · ') })])
  }
}
