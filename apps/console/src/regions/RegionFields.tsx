import { Checkbox, MultiSelect, Radio, Text } from '@mantine/core'
import { type Product, products, type Region } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '#api/queries.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { CheckField, hintBelow, RadioField, SecretField, TextField } from '#ui/form/Fields.tsx'
import type { ResourceForm } from '#ui/form/resource-form.ts'
import { useField } from '#ui/form/resource-form.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './Regions.module.css'
import { needsPasswords, type RegionForm, roomsAboveMaximum, urlIsUnusual } from './region-form.ts'

const plain = { ...hintBelow, autoComplete: 'off', spellCheck: false }

interface RegionFieldsProps {
  form: ResourceForm<RegionForm>
  /** null for a new region. */
  stored: Region | null
}

export function RegionFields({ form, stored }: RegionFieldsProps) {
  const { t } = useTranslation('regions')
  const { values } = form
  const tooMany = roomsAboveMaximum(values, stored)
  return (
    <FieldGrid>
      {stored?.warning === 'other-server' && <OtherServer />}
      <TextField {...plain} name="regionName" label={t('fields.regionName')} withAsterisk />
      <UrlField form={form} />
      <TextField
        {...plain}
        name="maxNumOfTenants"
        label={t('fields.maxNumOfTenants')}
        description={
          <>
            {t('hints.maxNumOfTenants')}
            {tooMany !== null && <Warning>{t('hints.tooMany', { n: tooMany, count: tooMany })}</Warning>}
          </>
        }
        inputMode="numeric"
      />
      <RadioField name="state" label={t('fields.state')} description={t('hints.state')}>
        <div className="rk-choices">
          <Radio size="xs" value="enabled" label={t('states.enabled')} />
          <Radio size="xs" value="disabled" label={t('states.disabled')} />
        </div>
      </RadioField>
      <TextField
        {...plain}
        name="userName"
        label={t('fields.userName')}
        description={t('hints.userName')}
        withAsterisk
      />
      <ProductField />
      <Passwords isNew={stored === null} isRequired={needsPasswords(values, stored)} />
      <SourceField except={stored?.regionId} />
    </FieldGrid>
  )
}

/** Below the hint of a field. */
function Warning({ children }: { children: string }) {
  return (
    <Text span inherit display="block" mt="3xs" c="var(--rk-warn)">
      {children}
    </Text>
  )
}

/** Warns about an address without https, which may be intended. An invalid address is an error. */
function UrlField({ form }: Pick<RegionFieldsProps, 'form'>) {
  const { t } = useTranslation('regions')
  const isShown = form.isShown('regionIPorURL') && urlIsUnusual(form.values)
  const isWrong = form.errors.regionIPorURL !== undefined
  return (
    <TextField
      {...plain}
      name="regionIPorURL"
      label={t('fields.regionIPorURL')}
      description={
        <>
          {t('hints.regionIPorURL')}
          {isShown && !isWrong && <Warning>{t('hints.wrongUrl')}</Warning>}
        </>
      }
      placeholder="https://{host}"
      withAsterisk
      {...(isShown && isWrong ? { error: t('hints.wrongUrl') } : {})}
    />
  )
}

function ProductField() {
  const { t } = useTranslation('regions')
  const { value, set, input } = useField<Product[]>('productVersion')
  return (
    <Checkbox.Group
      {...input}
      label={t('fields.productVersion')}
      description={t('hints.productVersion')}
      withAsterisk
      value={value}
      onChange={(chosen) => {
        // Keep the products' own order, whichever was chosen first.
        set(products.filter((each) => chosen.includes(each)))
        input.onBlur()
      }}
    >
      <div className="rk-choices">
        {products.map((each) => (
          <Checkbox key={each} size="xs" value={each} label={each} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** When a region is edited, the passwords may stay empty until the address or the user has changed. */
function Passwords({ isNew, isRequired }: { isNew: boolean; isRequired: boolean }) {
  const { t } = useTranslation('regions')
  const hint = isRequired ? t('hints.passwordsAgain') : t('hints.passwordsKept')
  return (['password', 'passwordSystem'] as const).map((field) => (
    <SecretField
      key={field}
      name={field}
      label={t(`fields.${field}`)}
      description={isNew ? undefined : hint}
      peekLabel={t('peek', { field: t(`fields.${field}`) })}
      withAsterisk={isRequired}
    />
  ))
}

/** @param props.except the id of this region */
function SourceField({ except }: { except: number | undefined }) {
  const { t } = useTranslation('regions')
  const { data = [], error } = useQuery(sourceRegionsQuery)
  const { value, set, input } = useField<number[]>('selectedSourceRegion')
  const offered = data.filter((each) => each.regionId !== except)
  return (
    <MultiSelect
      {...input}
      {...hintBelow}
      wrapperProps={{ 'data-wide': true }}
      label={t('fields.selectedSourceRegion')}
      description={t('hints.selectedSourceRegion')}
      placeholder={value.length === 0 ? t('none.chosen') : ''}
      comboboxProps={{ keepMounted: false }}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      data={offered.map((each) => ({ value: String(each.regionId), label: each.regionName }))}
      nothingFoundMessage={t('none.toChoose')}
      value={value.map(String)}
      onChange={(chosen) => set(chosen.map(Number))}
      error={error === null ? input.error : t('loadFailed')}
    />
  )
}

/** Any server may answer at an address, so another server must be confirmed by hand, without any other change. */
function OtherServer() {
  const { t } = useTranslation('regions')
  return (
    <ProblemAlert data-wide title={t('warnings.other-server')}>
      {t('hints.otherServer')}
      <CheckField
        name="confirmOtherServer"
        mt="sm"
        size="xs"
        label={t('fields.confirmOtherServer')}
        description={t('hints.confirmOtherServer')}
        classNames={{ description: classes.consequence }}
      />
    </ProblemAlert>
  )
}

/** The regions to which new shop orders can be distributed. */
const sourceRegionsQuery = apiQuery(['regions', 'source'], 'sourceRegions', {}, { background: 'refetch' })
