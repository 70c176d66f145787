import { Input } from '@mantine/core'
import {
  type CodedError,
  codedError,
  fieldErrorsOf,
  type ProjectRoom,
  type RoomDatabase,
  routes,
} from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { client } from '#api/client.ts'
import { textOf, textOfRefusal } from '#locales/error-texts.ts'
import { PinnedNotes } from '#notes/index.ts'
import { toastAccepted } from '#operations/index.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { SecretField, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FormErrors, useFormContext } from '#ui/form/resource-form.ts'
import { textOfError } from '#ui/form/use-errors.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { FileUpload } from '#uploads/index.ts'
import { databasesQuery } from './queries.ts'

/** Uploads a database export and adds its database to the room. */
export function ImportDatabaseDialog({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('databases')
  return (
    <FormDialog title={t('import.title')} width="large">
      <ImportForm room={room} />
    </FormDialog>
  )
}

function ImportForm({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['databases', 'errors'])
  const close = useCloseDialog()
  const { data: databases = [] } = useQuery(databasesQuery(room))
  const isFull = isFullOfDatabases(room, databases)
  const full = textOfRefusal('single-database')
  const form = useImportForm(room.tenantName, databases, isFull ? full : null, close)
  const [wrong = null] = Object.values(form.errors)
  return (
    <Form form={form}>
      <PinnedNotes notes={room.pinnedNotes} />
      {isFull && <ProblemAlert kind="warning" title={full} />}
      <DatabaseUpload
        isDisabled={isFull}
        onStarted={() => form.set({ file: '' })}
        onUploaded={(fileName, file) => form.set({ file: fileName, dbName: nameOfFile(file.name) })}
      />
      <TextField name="dbName" label={t('import.name')} withAsterisk autoComplete="off" maxLength={200} />
      <SecretField name="dbPassword" label={t('import.password')} peekLabel={t('import.peek')} withAsterisk />
      <FormFailure title={t('import.failed')} />
      <DialogButtons submit={t('import.create')} why={form.whyNot ?? (wrong && textOfError(wrong))} />
    </Form>
  )
}

function useImportForm(
  roomName: string,
  databases: readonly RoomDatabase[],
  whyNot: string | null,
  onAccepted: () => void,
) {
  const { t } = useTranslation('databases')
  const queryClient = useQueryClient()
  return useResourceForm({
    // `file` is the name of the upload on the server.
    initial: { file: '', dbName: '', dbPassword: '' },
    checks: ({ file, dbName, dbPassword }): FormErrors => {
      const wrongName = whyInvalidName(dbName, databases)
      return {
        ...(file === '' ? { file: codedError('upload-missing') } : {}),
        ...(wrongName === null ? {} : { dbName: wrongName }),
        ...(dbPassword === '' ? { dbPassword: codedError('password-missing') } : {}),
      }
    },
    whyNot: () => whyNot,
    endsWithSuccess: true,
    showsErrors: 'after-submit',
    showsAtOnce: (field, { file, dbName }) => field === 'dbName' && (file !== '' || dbName !== ''),
    submit: (body) => client.call('importDatabase', { body: { ...body, roomName } }),
    onSuccess: ({ body }, { dbName }) => {
      const text = t('import.accepted.text', { name: dbName.trim(), room: roomName })
      toastAccepted(body.operationId, { title: t('import.accepted.title'), text })
      onAccepted()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}

interface DatabaseUploadProps {
  isDisabled: boolean
  onStarted: () => void
  onUploaded: (fileName: string, file: File) => void
}

/** A failure clears the control. A toast and an alert below the control show it. */
function DatabaseUpload({ isDisabled, onStarted, onUploaded }: DatabaseUploadProps) {
  const { t } = useTranslation('databases')
  const [failures, setFailures] = useState(0)
  const [reason, setReason] = useState<string | null>(null)
  const error = useFormContext().errorAt('file')
  return (
    <div data-path="file">
      <FileUpload
        key={failures}
        route="uploadDatabase"
        accept=".adb"
        label={t('import.file')}
        emptyText={t('import.noFile')}
        disabled={isDisabled}
        onStarted={() => {
          setReason(null)
          onStarted()
        }}
        onUploaded={(answer, file) => {
          toastSuccess(t('import.uploaded.title'), t('import.uploaded.text'))
          onUploaded(answer.fileName, file)
        }}
        onFailed={(error) => {
          toastError(t('import.notUploaded.title'), t('import.notUploaded.text'))
          setReason(textOf(error))
          setFailures(failures + 1)
        }}
      />
      {error !== undefined && <Input.Error mt="2xs">{error}</Input.Error>}
      {reason !== null && (
        <ProblemAlert mt="xs" title={t('import.notUploaded.title')}>
          {reason}
        </ProblemAlert>
      )}
    </div>
  )
}

/** Every room starts with this empty database. It does not count as imported. */
const initialDatabase = 'main'

/** `my data.adb` → `my data` */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[^.]*$/, '').trim()
}

/** Rooms of the Basic edition can have only one imported database. The server checks this again. */
export function isFullOfDatabases(room: Pick<ProjectRoom, 'edition'>, databases: readonly RoomDatabase[]): boolean {
  return room.edition === 'basic' && databases.some((each) => each.databaseName !== initialDatabase)
}

/** Null if the name is valid. Names that differ only in case count as the same name. */
export function whyInvalidName(name: string, databases: readonly RoomDatabase[]): CodedError | null {
  const { error, data = '' } = z.safeParse(routes.importDatabase.body.shape.dbName, name)
  if (error !== undefined) return fieldErrorsOf(error)[0] ?? null
  const isTaken = databases.some((each) => each.databaseName.toLowerCase() === data.toLowerCase())
  return isTaken ? codedError('database-taken') : null
}
