import type { LiveMigration } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { liveMigrationsQuery, regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { CheckField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FormErrors, useField, wholeForm } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'

/** Adds or changes a configuration. @param props.stored null for a new one */
export function MigrationDialog({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog title={stored === null ? t('new.title') : t('edit.title')} width="most">
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

const newFields: Fields = { sourceRegion: null, targetRegion: null, routing: false, parallel: false }

function MigrationForm({ stored }: { stored: LiveMigration | null }) {
  const { t } = useTranslation('migrations')
  const form = useMigrationForm(stored, useCloseDialog())
  const { sourceRegion, targetRegion } = form.values
  const incomplete = form.errorAt(wholeForm)
  return (
    <Form form={form}>
      <MigrationRegionField name="sourceRegion" label={t('fields.sourceRegion')} except={targetRegion} />
      <MigrationRegionField name="targetRegion" label={t('fields.targetRegion')} except={sourceRegion} />
      <CheckField name="routing" label={t('fields.routing')} description={t('hints.routing')} />
      <CheckField name="parallel" label={t('fields.parallel')} description={t('hints.parallel')} />
      {incomplete !== undefined && <ProblemAlert kind="warning">{incomplete}</ProblemAlert>}
      <FormFailure title={t('saveFailed')} />
      <DialogButtons submit={t('save')} />
    </Form>
  )
}

function useMigrationForm(stored: LiveMigration | null, onSaved: () => void) {
  const { t } = useTranslation('migrations')
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: stored === null ? newFields : fieldsOf(stored),
    bodyOf: ({ sourceRegion, targetRegion, ...how }) => ({
      ...(stored === null ? {} : { id: stored.id }),
      sourceRegion: Number(sourceRegion),
      targetRegion: Number(targetRegion),
      ...how,
    }),
    checks: ({ sourceRegion, targetRegion }): FormErrors =>
      sourceRegion === null || targetRegion === null ? { [wholeForm]: t('fillAll') } : {},
    showsErrors: 'after-submit',
    submit: (body) => client.call('saveLiveMigration', { body }),
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

function fieldsOf({ sourceRegion, targetRegion, routing, parallel }: LiveMigration): Fields {
  return { sourceRegion: String(sourceRegion), targetRegion: String(targetRegion), routing, parallel }
}

interface MigrationRegionFieldProps {
  name: string
  label: string
  /** The region chosen on the other side. */
  except: string | null
}

/** A select of regions, by name and address, with the number of rooms in the chosen one. */
function MigrationRegionField({ name, label, except }: MigrationRegionFieldProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { data: regions = [], error } = useQuery(regionsQuery)
  const { value } = useField<string | null>(name)
  const chosen = regions.find((each) => String(each.regionId) === value)
  const offered = regions.filter((each) => String(each.regionId) !== except)
  return (
    <SelectField
      name={name}
      label={label}
      withAsterisk
      searchable
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t('noRegion')}
      data={offered.map((each) => ({
        value: String(each.regionId),
        label: t('regionOption', { name: each.regionName, address: each.regionIP }),
      }))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        chosen === undefined ? undefined : t('numberOfRooms', { n: number.format(chosen.numberOfProjectRooms) })
      }
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}
