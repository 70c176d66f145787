import { Button } from '@mantine/core'
import {
  type BackupContents,
  type FieldError,
  fieldErrorsOf,
  type ObjectStoreRegion,
  type ObjectStoreSource,
  objectStoreRegions,
  objectStoreSource,
} from '@roomkeeper/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { TextField } from '#ui/form/Fields.tsx'
import { Form, FormFailure } from '#ui/form/Form.tsx'
import { FormFoot } from '#ui/form/FormFoot.tsx'
import type { FormErrors } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { type RestoreSourceProps, StartRestore, useRestore } from './StartRestore.tsx'

interface Found {
  source: ObjectStoreSource
  backup: BackupContents
}

/** Restores a backup that the room's region reads from an object store itself; it is checked first. */
export function ObjectStoreRestore({ room, whyNot, onAccepted }: RestoreSourceProps) {
  const { t } = useTranslation('restore')
  const [found, setFound] = useState<Found | null>(null)
  const restore = useRestore(
    room.tenantName,
    (body: ObjectStoreSource, headers) => client.call('restoreRoomFromObjectStore', { body, headers }),
    onAccepted,
  )
  const take = (now: Found | null) => {
    setFound(now)
    restore.reset()
  }
  return (
    <div className="rk-column">
      <SourceForm room={room.tenantName} isDisabled={whyNot !== null || restore.isPending} onFound={take} />
      <StartRestore
        room={room}
        whyNot={whyNot}
        backup={found?.backup ?? null}
        whyNone={t('objectStore.checkFirst')}
        restore={restore}
        onStart={() => {
          if (found !== null) restore.mutate(found.source)
        }}
      />
    </div>
  )
}

interface SourceFormProps {
  room: string
  isDisabled: boolean
  /** Called with the result of the check, and with null as soon as the checked entries change. */
  onFound: (found: Found | null) => void
}

/** The location of the backup and its credentials. */
function SourceForm(props: SourceFormProps) {
  const { t } = useTranslation('restore')
  const form = useSourceForm(props)
  const plain = { autoComplete: 'off', spellCheck: false }
  return (
    <Form form={form} aria-label={t('objectStore.title')}>
      <FieldGrid>
        <div data-wide>
          <TextField
            {...plain}
            name="backupLocationPath"
            label={t('objectStore.uri')}
            withAsterisk
            placeholder="s3://bucket/path"
          />
        </div>
        <TextField {...plain} name="accessKey" label={t('objectStore.accessKey')} />
        <TextField
          {...plain}
          name="secretKey"
          type="password"
          autoComplete="new-password"
          label={t('objectStore.secretKey')}
        />
        <TextField {...plain} name="sessionToken" label={t('objectStore.sessionToken')} />
        <SelectField
          name="region"
          label={t('objectStore.region')}
          withAsterisk
          searchable
          placeholder={t('objectStore.pleaseSelect')}
          data={[...objectStoreRegions]}
        />
        <p className="rk-note" data-wide>
          {t('objectStore.hint')}
        </p>
      </FieldGrid>
      <FormFoot>
        <Button type="submit" variant="default" loading={form.isPending} disabled={props.isDisabled}>
          {t('objectStore.check')}
        </Button>
      </FormFoot>
      <FormFailure title={t('objectStore.checkFailed')} isAlwaysShown />
    </Form>
  )
}

const newSource = {
  backupLocationPath: '',
  accessKey: '',
  secretKey: '',
  sessionToken: '',
  region: null as ObjectStoreRegion | null,
}

function useSourceForm({ room, isDisabled, onFound }: SourceFormProps) {
  const { t } = useTranslation('restore')
  const meant = ({ region, ...source }: typeof newSource) =>
    objectStoreSource.safeParse({ ...source, region: region ?? undefined, isD2O: true, projectRoomName: room })
  const messageOf = (error: FieldError, { backupLocationPath }: typeof newSource) => {
    if (error.field === 'region') return t('objectStore.selectRegion')
    if (error.field !== 'backupLocationPath') return error
    return backupLocationPath.trim() === '' ? t('objectStore.enterUri') : t('objectStore.invalidUri')
  }
  // A result for former entries does not count for the present ones.
  const round = useRef(0)
  return useResourceForm({
    initial: newSource,
    bodyOf: (source) => meant(source).data,
    checks: (source): FormErrors => {
      const { error } = meant(source)
      const wrong = error === undefined ? [] : fieldErrorsOf(error)
      return Object.fromEntries(wrong.map((each) => [each.field, messageOf(each, source)]))
    },
    isFixed: () => isDisabled,
    onChange: () => {
      round.current += 1
      onFound(null)
    },
    onAttempt: () => onFound(null),
    submit: async (source) => {
      if (source === undefined) return null
      const own = round.current
      try {
        const { body: backup } = await client.call('inspectObjectStoreBackup', { body: source })
        return own === round.current ? { source, backup } : null
      } catch (error) {
        if (own === round.current) throw error
        return null
      }
    },
    onSuccess: onFound,
  })
}
