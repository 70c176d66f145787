import { Button, Checkbox, Stack } from '@mantine/core'
import type { LiveMigration } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { liveMigrationsQuery } from '#api/live-migrations.ts'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import { DialogFoot } from '#ui/dialog/DialogFoot.tsx'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'
import { EditDialog, useRequestClose, useUnsavedChanges } from '#ui/EditDialog.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useSentences } from '#ui/use-sentences.ts'
import { MigrationRegionSelect } from './MigrationRegionSelect.tsx'

/** From which region to which rooms are to be moved, and how. @param props.stored null makes a new one */
export function MigrationDialog({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation('migrations')
  return (
    <EditDialog title={stored === null ? t('new.title') : t('edit.title')} width="most">
      <MigrationForm stored={stored} />
    </EditDialog>
  )
}

interface Fields {
  sourceRegion: number | null
  targetRegion: number | null
  routing: boolean
  parallel: boolean
}

const newFields: Fields = { sourceRegion: null, targetRegion: null, routing: false, parallel: false }

function MigrationForm({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation(['migrations', 'app'])
  const translated = useSentences('migrations')
  const [initial] = useState(() => fieldsOf(stored))
  const [fields, setFields] = useState(initial)
  const [isIncomplete, setIsIncomplete] = useState(false)
  const save = useSave(stored, useCloseDialog())
  const cancel = useRequestClose()
  useUnsavedChanges(JSON.stringify(fields) !== JSON.stringify(initial))
  const set = (change: Partial<Fields>) => {
    setFields({ ...fields, ...change })
    setIsIncomplete(false)
    save.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { sourceRegion, targetRegion } = fields
    if (sourceRegion === null || targetRegion === null) return setIsIncomplete(true)
    if (!save.isPending) save.mutate({ ...fields, sourceRegion, targetRegion })
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <MigrationRegionSelect
          label={t('fields.sourceRegion')}
          value={fields.sourceRegion}
          except={fields.targetRegion}
          onChange={(sourceRegion) => set({ sourceRegion })}
        />
        <MigrationRegionSelect
          label={t('fields.targetRegion')}
          value={fields.targetRegion}
          except={fields.sourceRegion}
          onChange={(targetRegion) => set({ targetRegion })}
        />
        {(['routing', 'parallel'] as const).map((field) => (
          <Checkbox
            key={field}
            label={t(`fields.${field}`)}
            description={t(`hints.${field}`)}
            checked={fields[field]}
            onChange={(event) => set({ [field]: event.currentTarget.checked })}
          />
        ))}
        {isIncomplete && <ProblemAlert kind="warning">{t('fillAll')}</ProblemAlert>}
        {save.error !== null && <ProblemAlert title={t('saveFailed')}>{translated(textOf(save.error))}</ProblemAlert>}
        <DialogFoot>
          <Button variant="default" onClick={cancel}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </DialogFoot>
      </Stack>
    </form>
  )
}

function fieldsOf(stored: LiveMigration | null): Fields {
  if (stored === null) return newFields
  const { sourceRegion, targetRegion, routing, parallel } = stored
  return { sourceRegion, targetRegion, routing, parallel }
}

interface CompleteFields extends Fields {
  sourceRegion: number
  targetRegion: number
}

function useSave(stored: LiveMigration | null, onSaved: () => void) {
  const { t } = useTranslation('migrations')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (fields: CompleteFields) =>
      client.call('saveLiveMigration', { body: stored === null ? fields : { ...fields, id: stored.id } }),
    onSuccess: () => {
      toastSuccess(t('title'), t('saved'))
      onSaved()
      return Promise.all(
        [liveMigrationsQuery.queryKey, regionsQuery.queryKey].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
  })
}
