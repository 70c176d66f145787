import { ProblemError, type ProjectRoom } from '@roomkeeper/contract'
import { missingLicenceWarning } from '@roomkeeper/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import type { Failure } from '../form/FailureAlert.tsx'
import { refusedFields, serversWords } from '../form/refusals.ts'
import { useMessages } from '../form/use-messages.ts'
import { roomQuery } from '../queries.ts'
import { editOf } from './edit-form.ts'
import type { useEditForm } from './use-edit-form.ts'

const places = { 'sap-number-taken': 'sapNumberLast' } as const

/** Sends the changes, and shows what the server has against them. */
export function useSubmitEdit(
  room: ProjectRoom,
  { form, base, changes, conflict, load }: ReturnType<typeof useEditForm>,
) {
  const { t } = useTranslation(['edit', 'form'])
  const translated = useMessages()
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<Failure | null>(null)
  const name = room.tenantName
  const { draft, errors } = form.parts

  const edit = useMutation({
    mutationFn: () => client.call('editRoom', { body: editOf(form.parts.form, base.version) }),
    onSuccess: async (answer) => {
      if (answer.status === 200) {
        // An answer that is on its way was made before the change.
        await queryClient.cancelQueries(roomQuery(name))
        queryClient.setQueryData(roomQuery(name).queryKey, answer.body)
        load(answer.body)
      }
      toastSuccess(t('submit'), t(answer.status === 200 ? 'edited.done' : 'edited.accepted', { name }))
      void queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
    onError: (error) => {
      const refused = refusedFields(error, places)
      const others = form.showRefusals(refused)
      const isShown = refused.length > 0 && others.length === 0
      const said = serversWords(error)
      if (said === null) setFailure({ title: t('failed'), text: textOf(error), others })
      else setFailure(isShown ? null : { title: said, text: null, others })
      // Shows what it was changed to.
      if (error instanceof ProblemError && error.problem.status === 409) {
        void queryClient.invalidateQueries(roomQuery(name))
      }
    },
  })
  const submit = () => {
    if (edit.isPending || changes.length === 0 || conflict !== null) return
    form.showAllErrors()
    setFailure(null)
    const warning = missingLicenceWarning(draft)
    if (warning !== null) toastWarning(t('form:warning'), translated(warning))
    if (Object.keys(errors).length > 0) return form.focusFirstWrong()
    edit.mutate()
  }
  return { failure, isPending: edit.isPending, submit }
}
