import { type RoomNote, routes } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField, TextAreaField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'

interface NoteDialogProps {
  room: string
  /** Null: a new one. */
  note: RoomNote | null
}

/** Writes or changes a note of a room. */
export function NoteDialog(props: NoteDialogProps) {
  const { t } = useTranslation('notes')
  return (
    <FormDialog title={props.note === null ? t('new.title', { name: props.room }) : t('edit.title')}>
      <NoteForm {...props} />
    </FormDialog>
  )
}

function NoteForm({ room, note }: NoteDialogProps) {
  const { t } = useTranslation('notes')
  const close = useCloseDialog()
  const queryClient = useQueryClient()
  const form = useResourceForm({
    initial: { text: note?.text ?? '', pinned: note?.pinned ?? false },
    bodyOf: (values) => values,
    schema: routes.addRoomNote.body.pick({ text: true, pinned: true }),
    showsErrors: 'after-submit',
    refusals: { 'too-many-pinned-notes': 'pinned' },
    endsWithSuccess: true,
    submit: (body) =>
      note === null
        ? client.call('addRoomNote', { body: { projectRoom: room, ...body } })
        : client.call('changeRoomNote', { params: { id: note.id }, body }),
    onSuccess: () => {
      close()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
  return (
    <Form form={form}>
      <TextAreaField name="text" label={t('text')} required minRows={4} maxRows={14} />
      <CheckField name="pinned" label={t('pinIt')} description={t('pinHint')} />
      <FormFailure title={t('saveFailed')} />
      <DialogButtons submit={t('save')} />
    </Form>
  )
}
