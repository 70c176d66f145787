import { Checkbox, type InputWrapperProps, MultiSelect, Radio, TextInput } from '@mantine/core'
import { products, type RegionState } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { SecretInput } from '#ui/SecretInput.tsx'
import { sourceRegionsQuery } from './queries.ts'
import classes from './RegionForm.module.css'
import { needsPasswords, type RegionField, roomsAboveMaximum, urlLooksWrong } from './region-form.ts'
import type { RegionFormState } from './use-region-form.ts'

/** What is explained stands below the input, so that inputs side by side are in line. */
const fieldOrder: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'error', 'description']

interface FieldsProps {
  state: RegionFormState
}

export function RegionFields({ state }: FieldsProps) {
  const { t } = useTranslation('regions')
  return (
    <div className={classes.fields}>
      {state.stored?.warning === 'other-server' && <OtherServer state={state} />}
      <TextInput {...textField(state, 'regionName')} label={t('fields.regionName')} withAsterisk data-autofocus />
      <UrlField state={state} />
      <MaximumField state={state} />
      <StateField state={state} />
      <TextInput
        {...textField(state, 'userName')}
        label={t('fields.userName')}
        description={t('hints.userName')}
        withAsterisk
      />
      <ProductField state={state} />
      <Passwords state={state} />
      <SourceField state={state} />
    </div>
  )
}

/** An address without https may be meant so; that it is none at all is an error. */
function UrlField({ state }: FieldsProps) {
  const { t } = useTranslation('regions')
  const { form, stored, errors, hasLeft } = state
  const isTold = (stored !== null || hasLeft('regionIPorURL')) && urlLooksWrong(form)
  const isWrong = errors.regionIPorURL !== undefined
  return (
    <TextInput
      {...textField(state, 'regionIPorURL')}
      label={t('fields.regionIPorURL')}
      description={
        <>
          {t('hints.regionIPorURL')}
          {isTold && !isWrong && <span className={classes.note}>{t('hints.wrongUrl')}</span>}
        </>
      }
      placeholder="https://{host}"
      withAsterisk
      error={isTold && isWrong && t('hints.wrongUrl')}
    />
  )
}

function MaximumField({ state }: FieldsProps) {
  const { t } = useTranslation('regions')
  const tooMany = roomsAboveMaximum(state.form, state.stored)
  return (
    <TextInput
      {...textField(state, 'maxNumOfTenants')}
      label={t('fields.maxNumOfTenants')}
      description={
        <>
          {t('hints.maxNumOfTenants')}
          {tooMany !== null && <span className={classes.note}>{t('hints.tooMany', { n: tooMany })}</span>}
        </>
      }
      inputMode="numeric"
    />
  )
}

function StateField({ state: { form, set } }: FieldsProps) {
  const { t } = useTranslation('regions')
  return (
    <Radio.Group
      label={t('fields.state')}
      description={t('hints.state')}
      value={form.state}
      onChange={(value) => set({ state: value as RegionState })}
    >
      <div className={classes.choices}>
        <Radio size="xs" value="enabled" label={t('states.enabled')} />
        <Radio size="xs" value="disabled" label={t('states.disabled')} />
      </div>
    </Radio.Group>
  )
}

function ProductField({ state: { form, set, leave, errorAt } }: FieldsProps) {
  const { t } = useTranslation('regions')
  return (
    <Checkbox.Group
      label={t('fields.productVersion')}
      description={t('hints.productVersion')}
      withAsterisk
      value={form.productVersion}
      error={errorAt('productVersion')}
      onChange={(chosen) => {
        // In their own order, whichever was chosen first.
        set({ productVersion: products.filter((each) => chosen.includes(each)) })
        leave('productVersion')
      }}
    >
      <div className={classes.choices}>
        {products.map((each) => (
          <Checkbox key={each} size="xs" value={each} label={each} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** On edit they may stay empty, until the address or the user is another one. */
function Passwords({ state }: FieldsProps) {
  const { t } = useTranslation('regions')
  const { form, stored, set, leave, errorAt } = state
  const isRequired = needsPasswords(form, stored)
  const hint = stored === null ? undefined : isRequired ? t('hints.passwordsAgain') : t('hints.passwordsKept')
  return (['password', 'passwordSystem'] as const).map((field) => (
    <SecretInput
      key={field}
      label={t(`fields.${field}`)}
      {...(hint === undefined ? {} : { description: hint })}
      peekLabel={t('peek', { field: t(`fields.${field}`) })}
      isRequired={isRequired}
      value={form[field]}
      onChange={(value) => set({ [field]: value })}
      onBlur={() => leave(field)}
      error={errorAt(field)}
    />
  ))
}

function SourceField({ state: { form, stored, set } }: FieldsProps) {
  const { t } = useTranslation('regions')
  const { data = [], error } = useQuery(sourceRegionsQuery)
  const offered = data.filter((each) => each.regionId !== stored?.regionId)
  return (
    <MultiSelect
      wrapperProps={{ 'data-wide': true }}
      inputWrapperOrder={fieldOrder}
      label={t('fields.selectedSourceRegion')}
      description={t('hints.selectedSourceRegion')}
      placeholder={form.selectedSourceRegion.length === 0 ? t('none.chosen') : ''}
      comboboxProps={{ keepMounted: false }}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      data={offered.map((each) => ({ value: String(each.regionId), label: each.regionName }))}
      nothingFoundMessage={t('none.toChoose')}
      value={form.selectedSourceRegion.map(String)}
      onChange={(chosen) => set({ selectedSourceRegion: chosen.map(Number) })}
      error={error === null ? undefined : t('loadFailed')}
    />
  )
}

/** Whoever answers there may be anybody, so it is confirmed by hand and never along with another change. */
function OtherServer({ state: { form, set } }: FieldsProps) {
  const { t } = useTranslation('regions')
  return (
    <ProblemAlert data-wide title={t('warnings.other-server')}>
      {t('hints.otherServer')}
      <Checkbox
        mt="sm"
        size="xs"
        label={t('fields.confirmOtherServer')}
        description={t('hints.confirmOtherServer')}
        classNames={{ description: classes.consequence ?? '' }}
        checked={form.confirmOtherServer}
        onChange={(event) => set({ confirmOtherServer: event.currentTarget.checked })}
      />
    </ProblemAlert>
  )
}

function textField(
  state: RegionFormState,
  field: Exclude<RegionField, 'productVersion' | 'selectedSourceRegion' | 'state' | 'confirmOtherServer'>,
) {
  return {
    value: state.form[field],
    onChange: (event: { currentTarget: { value: string } }) => state.set({ [field]: event.currentTarget.value }),
    onBlur: () => state.leave(field),
    error: state.errorAt(field),
    autoComplete: 'off',
    spellCheck: false,
    inputWrapperOrder: fieldOrder,
  }
}
