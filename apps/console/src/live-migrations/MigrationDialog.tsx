import type { LiveMigration } from '@roomkeeper/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { liveMigrationsQuery, regionsQuery } from '#api/queries.ts'
import { isRefusal, textOf } from '#api/text-of-error.ts'
import { textOfRefusal } from '#ui/coded-text.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { CheckField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { type FormErrors, useField, wholeForm } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { StoredMeanwhile } from '#ui/form/StoredMeanwhile.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { useRegionNames } from './queries.ts'

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

function MigrationForm({ stored: opened }: { stored: LiveMigration | null }) {
  // The texts of a conflict are loaded with the form: loading them later would take the focus away from it.
  const { t } = useTranslation(['migrations', 'meanwhile'])
  // What the entries are based on, and what a colleague has stored since then.
  const [stored, setStored] = useState(opened)
  const [newer, setNewer] = useState<LiveMigration | null>(null)
  const form = useMigrationForm(stored, useCloseDialog(), setNewer)
  const goOnFrom = (now: LiveMigration, values: Fields) => {
    setStored(now)
    setNewer(null)
    form.load(values)
  }
  const { sourceRegion, targetRegion } = form.values
  const incomplete = form.errorAt(wholeForm)
  return (
    <Form form={form}>
      <FieldGrid>
        <MigrationRegionField name="sourceRegion" label={t('fields.sourceRegion')} except={targetRegion} />
        <MigrationRegionField name="targetRegion" label={t('fields.targetRegion')} except={sourceRegion} />
        <CheckField name="routing" label={t('fields.routing')} description={t('hints.routing')} />
        <CheckField name="parallel" label={t('fields.parallel')} description={t('hints.parallel')} />
      </FieldGrid>
      {incomplete !== undefined && <ProblemAlert kind="warning">{incomplete}</ProblemAlert>}
      {newer === null || stored === null ? (
        <FormFailure title={t('saveFailed')} />
      ) : (
        <ChangedConfiguration
          mine={form.values}
          stored={fieldsOf(newer)}
          onTakeStored={() => goOnFrom(newer, fieldsOf(newer))}
          onKeepMine={() => goOnFrom(newer, rebased(form.values, fieldsOf(stored), fieldsOf(newer)))}
        />
      )}
      <DialogButtons submit={t('save')} why={newer === null ? null : t('decideFirst')} />
    </Form>
  )
}

interface ChangedConfigurationProps {
  mine: Fields
  stored: Fields
  onTakeStored: () => void
  onKeepMine: () => void
}

/** A colleague has changed the configuration: each field that differs, as it is entered and as it is stored. */
function ChangedConfiguration({ mine, stored, ...decide }: ChangedConfigurationProps) {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionNames()
  const textOfValue = (value: string | boolean | null) =>
    typeof value === 'boolean' ? t(value ? 'on' : 'off') : nameOf(Number(value))
  const fields = differing(mine, stored).map((field) => ({
    label: t(`fields.${field}`),
    mine: textOfValue(mine[field]),
    stored: textOfValue(stored[field]),
  }))
  return <StoredMeanwhile title={textOfRefusal('migration-stale')} fields={fields} {...decide} />
}

const fieldNames = ['sourceRegion', 'targetRegion', 'routing', 'parallel'] as const satisfies readonly (keyof Fields)[]

function differing(one: Fields, other: Fields) {
  return fieldNames.filter((field) => one[field] !== other[field])
}

/** Where nothing was changed, the stored values are taken over. */
function rebased(mine: Fields, before: Fields, stored: Fields): Fields {
  return { ...stored, ...Object.fromEntries(differing(mine, before).map((field) => [field, mine[field]])) }
}

function useMigrationForm(stored: LiveMigration | null, onSaved: () => void, onStale: (now: LiveMigration) => void) {
  const { t } = useTranslation('migrations')
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: stored === null ? newFields : fieldsOf(stored),
    bodyOf: ({ sourceRegion, targetRegion, ...how }) => ({
      ...(stored === null ? {} : { id: stored.id, version: stored.version }),
      sourceRegion: Number(sourceRegion),
      targetRegion: Number(targetRegion),
      ...how,
    }),
    checks: (entered): FormErrors => {
      const missing = (['sourceRegion', 'targetRegion'] as const).filter((each) => entered[each] === null)
      if (missing.length === 0) return {}
      return { [wholeForm]: t('fillAll'), ...Object.fromEntries(missing.map((each) => [each, t('pleaseSelect')])) }
    },
    showsErrors: 'after-submit',
    // Entries that were carried over to a newer version are unsaved, although the form began with them.
    isUnsaved: (now) => differing(now, stored === null ? newFields : fieldsOf(stored)).length > 0,
    submit: (body) => client.call('saveLiveMigration', { body }),
    onError: async (error) => {
      if (stored === null || !isRefusal(error, 'migration-stale')) return
      onStale((await client.call('liveMigration', { params: { id: stored.id } })).body)
    },
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
