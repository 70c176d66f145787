import type { Region } from '@roomkeeper/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { regionsQuery, useRegionName } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { DialogButtons, Form } from '#ui/form/Form.tsx'
import { FormOutcome } from '#ui/form/FormConflict.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { GuardedButton } from '#ui/form/FormFoot.tsx'
import { useStoredForm } from '#ui/form/use-stored-form.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SlowAnswer, SlowButton } from '#ui/SlowAnswer.tsx'
import { toastSuccess, toastWarning } from '#ui/toast.ts'
import { RegionFields } from './RegionFields.tsx'
import classes from './Regions.module.css'
import {
  changeOf,
  draftOf,
  errorsOf,
  formOf,
  type RegionField,
  type RegionForm,
  type RegionSetting,
  regionSettings,
} from './region-form.ts'

/** Adds or changes a region. @param props.region null for a new one */
export function RegionDialog({ region }: { region: Region | null }) {
  const { t } = useTranslation('regions')
  return (
    <FormDialog title={region === null ? t('new.title') : t('edit.title', { name: region.regionName })} width="wide">
      <RegionEntries stored={region} />
    </FormDialog>
  )
}

function RegionEntries({ stored }: { stored: Region | null }) {
  const { t } = useTranslation('regions')
  const test = useConnectionTest(stored)
  const { form, base, conflict } = useRegionForm(stored, test.reset)
  const textOfSetting = useTextOfSetting()
  const wrong = Object.keys(form.errors) as RegionField[]
  const why =
    wrong.length === 0 ? null : t('pleaseCheck', { fields: wrong.map((each) => t(`fields.${each}`)).join(', ') })
  return (
    <Form form={form}>
      <RegionFields form={form} stored={base} />
      <SlowRegion isSaving={form.isPending} test={test} region={form.values.regionName} />
      <TestResult test={test} />
      <FormOutcome
        title={stored === null ? t('new.failed') : t('edit.failed')}
        isAlwaysShown
        conflict={conflict}
        labelOf={(setting) => t(`fields.${setting}`)}
        textOf={textOfSetting}
      />
      <DialogButtons submit={t('save')} why={conflict === null ? why : null}>
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
        <span className="rk-grow" />
      </DialogButtons>
    </Form>
  )
}

/** @returns a function that says a setting as the form shows it */
function useTextOfSetting(): (setting: RegionSetting, form: RegionForm) => string {
  const { t } = useTranslation('regions')
  const regionName = useRegionName()
  const nameOf = (id: number) => regionName(id) || String(id)
  return (setting, form) => {
    if (setting === 'state') return t(`states.${form.state}`)
    if (setting === 'productVersion') return form.productVersion.join(', ')
    return setting === 'selectedSourceRegion' ? form.selectedSourceRegion.map(nameOf).join(', ') : form[setting]
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
      <dl className="rk-facts">
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

function useRegionForm(stored: Region | null, onChange: () => void) {
  const { t } = useTranslation('regions')
  const queryClient = useQueryClient()
  const close = useCloseDialog()
  const refetch = async () =>
    (await queryClient.fetchQuery(regionsQuery)).find(({ regionId }) => regionId === stored?.regionId)
  return useStoredForm(
    { stored, valuesOf: formOf, settings: regionSettings, refusal: 'region-stale', refetch },
    (base) => ({
      checks: (form) => errorsOf(form, base),
      // Invalid numbers show their error while they are typed, and a stored address is checked at once.
      showsAtOnce: (field) => field === 'maxNumOfTenants' || (field === 'regionIPorURL' && base !== null),
      refusals: { 'region-name-taken': 'regionName', 'region-name-used': 'regionName' },
      onChange,
      submit: async (form) => {
        if (base === null) return (await client.call('createRegion', { body: draftOf(form) })).body
        return (await client.call('changeRegion', { body: changeOf(form, base) })).body
      },
      onSuccess: ({ regionName, health }) => {
        if (health === 'refuses-login') toastWarning(regionName, t('savedButDenied'))
        else toastSuccess(regionName, stored === null ? t('new.saved') : t('edit.saved'))
        close()
        return Promise.all(
          [regionsQuery.queryKey, ['rooms']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
        )
      },
    }),
  )
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
