import { Text } from '@mantine/core'
import { type View, viewDraft } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { toastSuccess } from '#ui/toast.ts'
import type { RoomsSearch } from '../search.ts'
import { columnsNow, queryOf, viewsQuery } from './views.ts'

interface ViewDialogProps {
  /** Null: a new one, of the list as it is now. */
  view: View | null
  search: RoomsSearch
  onSaved: (view: View) => void
}

/** Names a view, and shares it with all operators or not. */
export function ViewDialog(props: ViewDialogProps) {
  const { t } = useTranslation('views')
  return (
    <FormDialog title={t(props.view === null ? 'create.title' : 'change.title')} width="third">
      <ViewForm {...props} />
    </FormDialog>
  )
}

function ViewForm({ view, search, onSaved }: ViewDialogProps) {
  const { t } = useTranslation('views')
  const close = useCloseDialog()
  const queryClient = useQueryClient()
  const form = useResourceForm({
    initial: { name: view?.name ?? '', isShared: view?.isShared ?? false },
    bodyOf: (values) => values,
    schema: viewDraft.pick({ name: true, isShared: true }),
    showsErrors: 'after-submit',
    refusals: { 'view-name-taken': 'name' },
    submit: (body) =>
      view === null
        ? client.call('createView', { body: { ...body, query: queryOf(search), columns: columnsNow() } })
        : client.call('changeView', { params: { id: view.id }, body }),
    onSuccess: ({ body }) => {
      queryClient.setQueryData(viewsQuery.queryKey, (known = []) => [...known.filter(({ id }) => id !== body.id), body])
      toastSuccess(t('saved'), body.name)
      onSaved(body)
      close()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  })
  return (
    <Form form={form}>
      {view === null && <Text size="sm">{t('create.hint')}</Text>}
      <TextField name="name" label={t('name')} required autoComplete="off" maxLength={60} data-autofocus />
      <CheckField name="isShared" label={t('isShared')} />
      <FormFailure title={t('saveFailed')} />
      <DialogButtons submit={t(view === null ? 'create.confirm' : 'change.confirm')} />
    </Form>
  )
}
