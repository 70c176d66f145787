import { longestPinnedNote, type RoomNote, routes } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client, useIdempotencyKey } from '#api/client.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField, TextAreaField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormOutcome } from '#ui/form/FormConflict.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { roomNotesQuery } from './queries.ts'

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

const versioned = (note: RoomNote) => ({ ...note, version: Date.parse(note.changedAt ?? note.createdAt) })
const valuesOf = (note: RoomNote | null) => ({ text: note?.text ?? '', pinned: note?.pinned ?? false })

function NoteForm({ room, note }: NoteDialogProps) {
  const { t } = useTranslation('notes')
  const close = useCloseDialog()
  const queryClient = useQueryClient()
  const keyOf = useIdempotencyKey()
  const [stored] = useState(() => note && versioned(note))
  const refetch = async () =>
    (await queryClient.fetchQuery({ ...roomNotesQuery(room), staleTime: 0 }))
      .map(versioned)
      .find(({ id }) => id === note?.id)
  const { form, conflict } = useStoredForm({ stored, valuesOf, refusal: 'note-stale', refetch }, (base) => ({
    schema: routes.addRoomNote.body.pick({ text: true, pinned: true }),
    showsErrors: 'after-submit',
    refusals: { 'too-many-pinned-notes': 'pinned' },
    endsWithSuccess: true,
    submit: (body) =>
      base === null
        ? client.call('addRoomNote', { body: { projectRoom: room, ...body }, headers: keyOf(body) })
        : client.call('changeRoomNote', { params: { id: base.id }, body: { ...body, changedAt: base.changedAt } }),
    onSuccess: () => {
      close()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  }))
  return (
    <Form form={form}>
      <TextAreaField name="text" label={t('text')} required minRows={4} maxRows={14} />
      <CheckField name="pinned" label={t('pinIt')} description={t('pinHint', { max: longestPinnedNote })} />
      <FormOutcome
        title={t('saveFailed')}
        conflict={conflict}
        labelOf={(setting) => t(setting === 'text' ? 'text' : 'pinIt')}
        textOf={(setting, { text, pinned }) => (setting === 'text' ? text : pinned ? t('pinned') : '')}
      />
      <DialogButtons submit={t('save')} />
    </Form>
  )
}
