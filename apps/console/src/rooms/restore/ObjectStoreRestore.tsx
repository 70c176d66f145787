import { Button, Select, TextInput } from '@mantine/core'
import {
  type ObjectStoreRegion,
  type ObjectStoreSource,
  objectStoreRegions,
  objectStoreSource,
} from '@roomkeeper/contract'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { BackupReview } from './BackupReview.tsx'
import type { RestoreTabProps } from './ClassicRestore.tsx'
import classes from './restore.module.css'
import { StartRestore } from './StartRestore.tsx'
import { useRestore } from './use-restore.ts'
import { isOfOtherRoom, whyUnfitFor } from './whether-fits.ts'

interface Fields {
  backupLocationPath: string
  accessKey: string
  secretKey: string
  sessionToken: string
  region: ObjectStoreRegion | null
}

const emptyFields: Fields = { backupLocationPath: '', accessKey: '', secretKey: '', sessionToken: '', region: null }

/** A backup that the room's region reads from an object store by itself; checked first, then restored. */
export function ObjectStoreRestore({ room, whyNot, onAccepted }: RestoreTabProps) {
  const { t } = useTranslation(['restore', 'rooms'])
  const [confirmsOther, setConfirmsOther] = useState(false)
  const check = useMutation({
    mutationFn: async (source: ObjectStoreSource) =>
      (await client.call('inspectObjectStoreBackup', { body: source })).body,
  })
  const restore = useRestore(
    room.tenantName,
    (body: ObjectStoreSource, headers) => client.call('restoreRoomFromObjectStore', { body, headers }),
    onAccepted,
  )
  // What was found belongs to what was asked for.
  const forget = () => {
    check.reset()
    restore.reset()
    setConfirmsOther(false)
  }
  const backup = check.data
  const source = check.variables
  const reason = () => {
    if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
    if (backup === undefined) return t('objectStore.checkFirst')
    if (whyUnfitFor(room, backup) !== null) return t('unfit.title')
    return isOfOtherRoom(room, backup) && !confirmsOther ? t('confirmFirst') : null
  }
  return (
    <div className={classes.tab}>
      <SourceForm
        room={room.tenantName}
        isDisabled={whyNot !== null || restore.isPending}
        isChecking={check.isPending}
        onChange={forget}
        onCheck={(asked) => {
          forget()
          check.mutate(asked)
        }}
      />
      {check.error !== null && <ProblemAlert title={t('objectStore.checkFailed')}>{textOf(check.error)}</ProblemAlert>}
      {backup !== undefined && (
        <BackupReview
          room={room}
          backup={backup}
          otherRoomIsConfirmed={confirmsOther}
          onConfirmOtherRoom={setConfirmsOther}
        />
      )}
      <StartRestore
        whyNot={reason()}
        isPending={restore.isPending}
        error={restore.error}
        onStart={() => {
          if (source !== undefined) restore.mutate(source)
        }}
      />
    </div>
  )
}

interface SourceFormProps {
  room: string
  isDisabled: boolean
  isChecking: boolean
  onChange: () => void
  onCheck: (source: ObjectStoreSource) => void
}

/** Where the backup lies, and the keys to it. */
function SourceForm({ room, isDisabled, isChecking, onChange, onCheck }: SourceFormProps) {
  const { t } = useTranslation('restore')
  const [fields, setFields] = useState(emptyFields)
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const given = { ...fields, isD2O: true, projectRoomName: room }
  const { data: source, error } = objectStoreSource.safeParse({ ...given, region: fields.region ?? undefined })
  const set = (changes: Partial<Fields>) => {
    setFields({ ...fields, ...changes })
    onChange()
  }
  const errorAt = (field: keyof Fields) => {
    const message = error?.issues.find(({ path }) => path[0] === field)?.message
    return visited.has(field) && message !== undefined ? translated(message) : undefined
  }
  const translated = (message: string) => {
    if (fields.backupLocationPath.trim() !== '' && message === 'Invalid S3 URI format.')
      return t('objectStore.invalidUri')
    return message === 'Please select a region.' ? t('objectStore.selectRegion') : t('objectStore.enterUri')
  }
  const at = (field: Exclude<keyof Fields, 'region'>) => ({
    value: fields[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => set({ [field]: event.currentTarget.value }),
    onBlur: () => setVisited(new Set([...visited, field])),
    error: errorAt(field),
    disabled: isDisabled,
    autoComplete: 'off',
    spellCheck: false,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setVisited(new Set(Object.keys(fields)))
    if (source !== undefined && !isChecking) onCheck(source)
  }
  return (
    <form className={classes.fields} noValidate onSubmit={submit} aria-label={t('objectStore.title')}>
      <div data-wide>
        <TextInput
          {...at('backupLocationPath')}
          label={t('objectStore.uri')}
          withAsterisk
          placeholder="s3://bucket/path"
        />
      </div>
      <TextInput {...at('accessKey')} label={t('objectStore.accessKey')} />
      <TextInput {...at('secretKey')} type="password" autoComplete="new-password" label={t('objectStore.secretKey')} />
      <TextInput {...at('sessionToken')} label={t('objectStore.sessionToken')} />
      <Select
        label={t('objectStore.region')}
        withAsterisk
        searchable
        allowDeselect={false}
        comboboxProps={{ keepMounted: false }}
        placeholder={t('objectStore.pleaseSelect')}
        data={[...objectStoreRegions]}
        value={fields.region}
        disabled={isDisabled}
        error={errorAt('region')}
        onBlur={() => setVisited(new Set([...visited, 'region']))}
        onChange={(chosen) => set({ region: objectStoreRegions.find((each) => each === chosen) ?? null })}
      />
      <p className={classes.note} data-wide>
        {t('objectStore.hint')}
      </p>
      <div data-wide>
        <Button type="submit" variant="default" loading={isChecking} disabled={isDisabled}>
          {t('objectStore.check')}
        </Button>
      </div>
    </form>
  )
}
