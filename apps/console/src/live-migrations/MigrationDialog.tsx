import type { LiveMigration } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { liveMigrationsQuery, regionsQuery, useRegionName } from '#api/queries.ts'
import { RegionSelect } from '#regions/index.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { CheckField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormOutcome } from '#ui/form/FormConflict.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FormErrors, wholeForm } from '#ui/form/resource-form.ts'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** Adds or changes a configuration. @param props.stored null for a new one */
export function MigrationDialog({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={stored === null ? t('new.title') : t('edit.title')} width="wide">
      <MigrationForm stored={stored} />
    </FormDialog>
  )
}

interface Fields {
  /** Region ids as strings, as the selects need them. */
  sourceRegion: string | null
  targetRegion: string | null
  routing: boolean
  parallel: boolean
}

function fieldsOf(stored: LiveMigration | null): Fields {
  if (stored === null) return { sourceRegion: null, targetRegion: null, routing: false, parallel: false }
  const { sourceRegion, targetRegion, routing, parallel } = stored
  return { sourceRegion: String(sourceRegion), targetRegion: String(targetRegion), routing, parallel }
}

function MigrationForm({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionName()
  const { form, conflict } = useMigrationForm(stored)
  const { sourceRegion, targetRegion } = form.values
  const incomplete = form.errorAt(wholeForm)
  const textOfSetting = (setting: keyof Fields, fields: Fields) => {
    const value = fields[setting]
    return typeof value === 'boolean' ? t(value ? 'on' : 'off') : nameOf(Number(value))
  }
  return (
    <Form form={form}>
      <FieldGrid>
        <MigrationRegionField name="sourceRegion" label={t('fields.sourceRegion')} except={targetRegion} />
        <MigrationRegionField name="targetRegion" label={t('fields.targetRegion')} except={sourceRegion} />
        <CheckField name="routing" label={t('fields.routing')} description={t('hints.routing')} />
        <CheckField name="parallel" label={t('fields.parallel')} description={t('hints.parallel')} />
      </FieldGrid>
      {incomplete !== undefined && <ProblemAlert kind="warning">{incomplete}</ProblemAlert>}
      <FormOutcome
        title={t('saveFailed')}
        conflict={conflict}
        labelOf={(setting) => t(`fields.${setting}`)}
        textOf={textOfSetting}
      />
      <DialogButtons submit={t('save')} />
    </Form>
  )
}

function useMigrationForm(stored: LiveMigration | null) {
  const { t } = useTranslation('migrations')
  const queryClient = useQueryClient()
  const close = useCloseDialog()
  return useStoredForm(
    {
      stored,
      valuesOf: fieldsOf,
      bodyOf: ({ sourceRegion, targetRegion, ...how }, base) => ({
        ...(base === null ? {} : { id: base.id, version: base.version }),
        sourceRegion: Number(sourceRegion),
        targetRegion: Number(targetRegion),
        ...how,
      }),
      refusal: 'migration-stale',
      refetch: async () =>
        stored === null ? undefined : (await client.call('liveMigration', { params: { id: stored.id } })).body,
    },
    () => ({
      checks: (entered): FormErrors => {
        const missing = (['sourceRegion', 'targetRegion'] as const).filter((each) => entered[each] === null)
        if (missing.length === 0) return {}
        return { [wholeForm]: t('fillAll'), ...Object.fromEntries(missing.map((each) => [each, t('pleaseSelect')])) }
      },
      showsErrors: 'after-submit',
      submit: (body) => client.call('saveLiveMigration', { body }),
      onSuccess: () => {
        toastSuccess(t('title'), t('saved'))
        close()
        return Promise.all(
          [liveMigrationsQuery.queryKey, regionsQuery.queryKey].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        )
      },
    }),
  )
}

interface MigrationRegionFieldProps {
  name: string
  label: string
  /** The region chosen on the other side. */
  except: string | null
}

/** A region by name and address, with the number of rooms in the chosen one. */
function MigrationRegionField({ name, label, except }: MigrationRegionFieldProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  return (
    <RegionSelect
      name={name}
      label={label}
      withAsterisk
      offers={({ regionId }) => String(regionId) !== except}
      labelOf={({ regionName, regionIP }) => t('regionOption', { name: regionName, address: regionIP })}
      describe={({ numberOfProjectRooms }) => t('numberOfRooms', { n: number.format(numberOfProjectRooms) })}
    />
  )
}
