import { Button, Group, Stack, TextInput, Tooltip } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SecretInput } from '#ui/SecretInput.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { FileUpload } from '#uploads/FileUpload.tsx'
import classes from './ImportDatabaseDialog.module.css'
import { isFullOfDatabases, nameOfFile, whyInvalidName } from './import-name.ts'
import { databasesQuery } from './queries.ts'
import { useImportMessages } from './use-import-messages.ts'

/** Uploads a database export and adds its database to the room. */
export function ImportDatabaseDialog({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('databases')
  return (
    <Dialog title={t('import.title')} width="large">
      <ImportForm room={room} />
    </Dialog>
  )
}

function ImportForm({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['databases', 'app'])
  const close = useCloseDialog()
  const translated = useImportMessages()
  const { data: databases = [] } = useQuery(databasesQuery(room))
  const [upload, setUpload] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const create = useImport(room.tenantName, close)
  const isFull = isFullOfDatabases(room, databases)
  const wrongName = whyInvalidName(name, databases)
  const whyNot = isFull ? full : whyNotReady(upload, wrongName, password)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (upload === null || whyNot !== null || create.isPending) return
    create.mutate({ dbName: name, dbPassword: password, file: upload, roomName: room.tenantName })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {isFull && <ProblemAlert kind="warning" title={translated(full)} />}
        <DatabaseUpload
          isDisabled={isFull}
          onStarted={() => setUpload(null)}
          onUploaded={(fileName, file) => {
            setUpload(fileName)
            setName(nameOfFile(file.name))
          }}
        />
        <TextInput
          label={t('import.name')}
          withAsterisk
          autoComplete="off"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={upload === null && name === '' ? undefined : wrongName === null ? undefined : translated(wrongName)}
        />
        <SecretInput
          label={t('import.password')}
          peekLabel={t('import.peek')}
          isRequired
          value={password}
          onChange={setPassword}
        />
        {create.error !== null && (
          <ProblemAlert title={t('import.failed')}>{translated(textOf(create.error))}</ProblemAlert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('app:cancel')}
          </Button>
          <Tooltip label={whyNot === null ? null : translated(whyNot)} disabled={whyNot === null}>
            <span className={classes.reason}>
              <Button type="submit" disabled={whyNot !== null} loading={create.isPending}>
                {t('import.create')}
              </Button>
            </span>
          </Tooltip>
        </Group>
      </Stack>
    </form>
  )
}

const full = 'On Basic you can only import one database'

/** In English; null when the database can be created. */
function whyNotReady(upload: string | null, wrongName: string | null, password: string): string | null {
  if (upload === null) return 'Please upload a file first.'
  return wrongName ?? (password === '' ? 'Please enter the password.' : null)
}

interface DatabaseUploadProps {
  isDisabled: boolean
  onStarted: () => void
  onUploaded: (fileName: string, file: File) => void
}

/** The control is cleared by a failure, which a toast and a line below it tell. */
function DatabaseUpload({ isDisabled, onStarted, onUploaded }: DatabaseUploadProps) {
  const { t } = useTranslation('databases')
  const [failures, setFailures] = useState(0)
  const [reason, setReason] = useState<string | null>(null)
  return (
    <div>
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
      {reason !== null && (
        <ProblemAlert mt="xs" title={t('import.notUploaded.title')}>
          {reason}
        </ProblemAlert>
      )}
    </div>
  )
}

interface DatabaseToImport {
  dbName: string
  dbPassword: string
  file: string
  roomName: string
}

function useImport(room: string, onAccepted: () => void) {
  const { t } = useTranslation('databases')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: DatabaseToImport) => client.call('importDatabase', { body }),
    onSuccess: (_, { dbName }) => {
      toastSuccess(t('import.accepted.title'), t('import.accepted.text', { name: dbName.trim(), room }))
      onAccepted()
      return queryClient.invalidateQueries({ queryKey: ['rooms'] })
    },
  })
}
