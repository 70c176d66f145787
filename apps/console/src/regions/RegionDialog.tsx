import type { Region } from '@roomkeeper/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery } from '#api/queries.ts'
import { isRefusal, textOf } from '#api/text-of-error.ts'
import { textOfRefusal } from '#ui/coded-text.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { GuardedButton } from '#ui/form/FormFoot.tsx'
import { StoredMeanwhile } from '#ui/form/StoredMeanwhile.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SlowAnswer, SlowButton } from '#ui/SlowAnswer.tsx'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import { RegionFields } from './RegionFields.tsx'
import classes from './RegionForm.module.css'
import {
  type ComparedField,
  changedFields,
  changeOf,
  draftOf,
  errorsOf,
  formOf,
  newRegionForm,
  type RegionField,
  type RegionForm,
  rebased,
} from './region-form.ts'

/** Adds or changes a region. @param props.region null for a new one */
export function RegionDialog({ region }: { region: Region | null }) {
  const { t } = useTranslation('regions')
  return (
    <FormDialog title={region === null ? t('new.title') : t('edit.title', { name: region.regionName })} width="most">
      <RegionEntries stored={region} />
    </FormDialog>
  )
}

function RegionEntries({ stored: opened }: { stored: Region | null }) {
  // The texts of a conflict are loaded with the form: loading them later would take the focus away from it.
  const { t } = useTranslation(['regions', 'meanwhile'])
  // What the entries are based on, and what a colleague has stored since then.
  const [stored, setStored] = useState(opened)
  const [newer, setNewer] = useState<Region | null>(null)
  const test = useConnectionTest(stored)
  const form = useRegionForm({ stored, onSaved: useCloseDialog(), onChange: test.reset, onStale: setNewer })
  const goOnFrom = (now: Region, values: RegionForm) => {
    setStored(now)
    setNewer(null)
    form.load(values)
  }
  const wrong = Object.keys(form.errors) as RegionField[]
  const why =
    wrong.length === 0 ? null : t('pleaseCheck', { fields: wrong.map((each) => t(`fields.${each}`)).join(', ') })
  return (
    <Form form={form}>
      <RegionFields form={form} stored={stored} />
      <SlowRegion isSaving={form.isPending} test={test} region={form.values.regionName} />
      <TestResult test={test} />
      {newer === null || stored === null ? (
        <FormFailure title={stored === null ? t('new.failed') : t('edit.failed')} isAlwaysShown />
      ) : (
        <ChangedRegion
          mine={form.values}
          stored={newer}
          onTakeStored={() => goOnFrom(newer, formOf(newer))}
          onKeepMine={() => goOnFrom(newer, rebased(form.values, stored, newer))}
        />
      )}
      <DialogButtons submit={t('save')} why={newer === null ? why : t('decideFirst')}>
        <GuardedButton
          variant="default"
          why={why}
          loading={test.isPending}
          onClick={() => {
            form.forgetRefusals()
            test.mutate(form.values, { onError: form.showRefusals })
          }}
        >
          {t('test.action')}
        </GuardedButton>
        <span className={classes.space} />
      </DialogButtons>
    </Form>
  )
}

interface ChangedRegionProps {
  mine: RegionForm
  stored: Region
  onTakeStored: () => void
  onKeepMine: () => void
}

/** A colleague has changed the region: each setting that differs, as it is entered and as it is stored. */
function ChangedRegion({ mine, stored, ...decide }: ChangedRegionProps) {
  const { t } = useTranslation('regions')
  const textOfValue = useTextOfValue()
  const fields = changedFields(mine, stored).map((field) => ({
    label: t(`fields.${field}`),
    mine: textOfValue(field, mine),
    stored: textOfValue(field, formOf(stored)),
  }))
  return <StoredMeanwhile title={textOfRefusal('region-stale')} fields={fields} {...decide} />
}

/** @returns a function that says the value of a field as the form shows it */
function useTextOfValue(): (field: ComparedField, form: RegionForm) => string {
  const { t } = useTranslation('regions')
  const { data: regions = [] } = useQuery(regionsQuery)
  const nameOf = (id: number) => regions.find(({ regionId }) => regionId === id)?.regionName ?? String(id)
  return (field, form) => {
    if (field === 'state') return t(`states.${form.state}`)
    if (field === 'productVersion') return form.productVersion.join(', ')
    const text = field === 'selectedSourceRegion' ? form.selectedSourceRegion.map(nameOf).join(', ') : form[field]
    return text === '' ? '–' : text
  }
}

interface SlowRegionProps {
  isSaving: boolean
  test: ConnectionTest
  region: string
}

/** The server at the address hangs. It is asked for a test, which may be left out, and when an address is saved. */
function SlowRegion({ isSaving, test, region }: SlowRegionProps) {
  const { t } = useTranslation('app')
  return (
    <SlowAnswer isWaiting={isSaving || test.isPending} text={t('slow.region', { region })}>
      {test.isPending && <SlowButton onClick={test.reset}>{t('slow.stop')}</SlowButton>}
    </SlowAnswer>
  )
}

/** The server that answered at the address, or exactly what went wrong. */
function TestResult({ test: { data, error } }: { test: ConnectionTest }) {
  const { t } = useTranslation('regions')
  const number = useNumberFormat()
  if (error !== null) {
    return (
      <ProblemAlert ref={bringIntoView} title={t('test.failed')}>
        {t('test.error', { message: textOf(error) })}
      </ProblemAlert>
    )
  }
  if (data === undefined) return null
  return (
    <div role="status" ref={bringIntoView} className={classes.result} data-warning={data.isOtherServer || undefined}>
      {data.isOtherServer && <strong>{t('test.otherServer')}</strong>}
      {data.isOtherServer ? <p>{t('test.done')}</p> : <strong>{t('test.done')}</strong>}
      <dl>
        <div>
          <dt>{t('test.version')}</dt>
          <dd>{data.version}</dd>
        </div>
        <div>
          <dt>{t('test.products')}</dt>
          <dd>{data.products.join(', ')}</dd>
        </div>
        <div>
          <dt>{t('test.latency')}</dt>
          <dd>{t('test.milliseconds', { n: number.format(Math.round(data.latencyMs)) })}</dd>
        </div>
      </dl>
    </div>
  )
}

/**
 * Scrolls to the result of a test: the form may be longer than the window, in which the Test button stays in view.
 */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
}

interface RegionFormOptions {
  /** Null for a new region. */
  stored: Region | null
  onSaved: () => void
  onChange: () => void
  /** A colleague has changed the region meanwhile. */
  onStale: (now: Region) => void
}

function useRegionForm({ stored, onSaved, onChange, onStale }: RegionFormOptions) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  return useResourceForm({
    initial: stored === null ? newRegionForm : formOf(stored),
    checks: (form) => errorsOf(form, stored),
    // Invalid numbers show their error while they are typed, and a stored address is checked at once.
    showsAtOnce: (field) => field === 'maxNumOfTenants' || (field === 'regionIPorURL' && stored !== null),
    refusals: { 'region-name-taken': 'regionName', 'region-name-used': 'regionName' },
    onChange,
    submit: async (form) => {
      if (stored === null) return (await client.call('createRegion', { body: draftOf(form) })).body
      return (await client.call('changeRegion', { body: changeOf(form, stored) })).body
    },
    // Entries that were carried over to a newer version are unsaved, although the form began with them.
    isUnsaved: (form) => JSON.stringify(form) !== JSON.stringify(stored === null ? newRegionForm : formOf(stored)),
    onError: async (error) => {
      if (stored === null || !isRefusal(error, 'region-stale')) return
      const regions = await queryClient.fetchQuery({ ...regionsQuery, staleTime: 0 })
      const now = regions.find(({ regionId }) => regionId === stored.regionId)
      if (now !== undefined) onStale(now)
    },
    onSuccess: ({ regionName, health }) => {
      if (health === 'refuses-login') toastWarning(regionName, t('savedButDenied'))
      else toastSuccess(regionName, stored === null ? t('new.saved') : t('edit.saved'))
      onSaved()
      return Promise.all(
        [regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    },
  })
}

/** Tests the connection with the entered settings. @param stored null for a new region */
function useConnectionTest(stored: Region | null) {
  return useMutation({
    mutationFn: async (form: RegionForm) => {
      const body = stored === null ? draftOf(form) : { ...draftOf(form), id: stored.regionId }
      return (await client.call('testRegion', { body })).body
    },
  })
}

type ConnectionTest = ReturnType<typeof useConnectionTest>
