import { Box, Checkbox, Fieldset, MultiSelect, Radio } from '@mantine/core'
import { editions, products } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { useRegionOptions } from '#regions/index.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { CheckField, hintBelow, RadioField, TextField } from '#ui/form/Fields.tsx'
import { NumberField } from '#ui/form/NumberField.tsx'
import { type ResourceForm, useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import classes from './BackupPolicies.module.css'
import { type BackupPolicyForm, hasOtherFilters } from './backup-policy-form.ts'
import { weekdayName } from './use-words.ts'

const plain = { ...hintBelow, autoComplete: 'off', spellCheck: false }

export function BackupPolicyFields({ form: { values } }: { form: ResourceForm<BackupPolicyForm> }) {
  const { t } = useTranslation('backup-policies')
  return (
    <>
      <FieldGrid>
        <TextField {...plain} name="name" label={t('fields.name')} withAsterisk />
        {/* Beside an input with a label above it. */}
        <Box pt="calc(var(--rk-space-lg) + var(--rk-space-xs))">
          <CheckField name="isOn" size="xs" label={t('fields.isOn')} description={t('hints.isOn')} />
        </Box>
      </FieldGrid>
      <Fieldset legend={t('parts.rooms')} className="rk-column">
        <FieldGrid>
          <RegionsField />
          <TextField
            {...plain}
            name="search"
            label={t('fields.search')}
            description={hasOtherFilters(values.query) ? t('hints.filters') : t('hints.search')}
          />
          <CheckedOnes name="products" all={products} />
          <CheckedOnes name="editions" all={editions} />
        </FieldGrid>
      </Fieldset>
      <Fieldset legend={t('parts.backups')} className="rk-column">
        <FieldGrid>
          <RadioField name="kind" label={t('fields.kind')}>
            <div className="rk-choices">
              <Radio size="xs" value="classic" label={t('kinds.classic')} />
              <Radio size="xs" value="d2o" label={t('kinds.d2o')} />
            </div>
          </RadioField>
          <NumberField
            {...plain}
            name="verifyEvery"
            label={t('fields.verifyEvery')}
            description={t('hints.verifyEvery')}
            min={0}
            max={1000}
          />
        </FieldGrid>
        <Schedule every={values.every} />
        <div className={classes.numbers}>
          {(['daily', 'weekly', 'monthly'] as const).map((each) => (
            <NumberField key={each} {...plain} name={each} label={t(`fields.${each}`)} min={0} />
          ))}
        </div>
        <p className="rk-note">{t('hints.keep')}</p>
      </Fieldset>
    </>
  )
}

function Schedule({ every }: Pick<BackupPolicyForm, 'every'>) {
  const { t, i18n } = useTranslation('backup-policies')
  const ways = (['hours', 'day', 'week'] as const).map((value) => ({ value, label: t(`every.${value}`) }))
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ value: String(day), label: weekdayName(i18n.language, day) }))
  return (
    <div className={classes.numbers}>
      <SelectField name="every" label={t('fields.every')} data={ways} />
      {every === 'hours' && <NumberField {...plain} name="hours" label={t('fields.hours')} min={1} max={168} />}
      {every === 'week' && <SelectField name="weekday" label={t('fields.weekday')} data={days} />}
      {every !== 'hours' && (
        <>
          <TextField {...plain} name="at" label={t('fields.at')} placeholder="22:00" />
          <NumberField
            {...plain}
            name="windowHours"
            label={t('fields.windowHours')}
            description={t('hints.windowHours')}
            min={1}
            max={24}
          />
        </>
      )}
    </div>
  )
}

function RegionsField() {
  const { t } = useTranslation('backup-policies')
  const { data = [] } = useQuery(regionsQuery)
  const { value, set, input } = useField<number[]>('regions')
  const { options, renderOption } = useRegionOptions(data)
  return (
    <MultiSelect
      {...input}
      {...plain}
      label={t('fields.regions')}
      description={t('hints.regions')}
      placeholder={value.length === 0 ? t('all') : ''}
      comboboxProps={{ keepMounted: false }}
      clearable
      clearButtonProps={{ 'aria-label': t('clear') }}
      data={options}
      renderOption={renderOption}
      value={value.map(String)}
      onChange={(chosen) => set(chosen.map(Number))}
    />
  )
}

interface CheckedOnesProps<Name extends string> {
  name: 'products' | 'editions'
  all: readonly Name[]
}

function CheckedOnes<Name extends string>({ name, all }: CheckedOnesProps<Name>) {
  const { t } = useTranslation(['backup-policies', 'rooms'])
  const { value, set, input } = useField<Name[]>(name)
  const labelOf = (each: Name) => (name === 'products' ? each : t(`rooms:editions.${each as 'basic'}`))
  return (
    <Checkbox.Group
      {...input}
      label={t(`fields.${name}`)}
      description={t('hints.noneMeansAll')}
      value={value}
      // Keep their own order, whichever was chosen first.
      onChange={(chosen) => set(all.filter((each) => chosen.includes(each)))}
    >
      <div className="rk-choices">
        {all.map((each) => (
          <Checkbox key={each} size="xs" value={each} label={labelOf(each)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
