import { NumberInput, Select } from '@mantine/core'
import { subLicencesOf } from '@roomkeeper/contract'
import { isProcess } from '@roomkeeper/rules'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useFormParts } from './form-context.ts'
import { useMessages } from './use-messages.ts'

/** The data volume of a MINING room. */
export function DataVolumeRow() {
  const translated = useMessages()
  const { form, set, at } = useFormParts()
  const id = useId()
  const volume = subLicencesOf('MINING', form.edition).find((each) => !isProcess(each))
  const field = at('subLicenses.DataVolumeGB')
  if (volume === undefined) return null
  const setVolume = (DataVolumeGB: number | string) => set({ subLicenses: { DataVolumeGB } })
  return (
    <div className={classes.licence}>
      <label htmlFor={id} className={classes.licenceLabel}>
        {translated(volume.label)}
      </label>
      <NumberInput
        {...field}
        id={id}
        value={form.subLicenses.DataVolumeGB}
        onChange={setVolume}
        onBlur={() => {
          field.onBlur()
          if (form.subLicenses.DataVolumeGB === '') setVolume(volume.minimum)
        }}
        min={volume.minimum}
        clampBehavior="none"
        allowNegative={false}
        allowDecimal={false}
      />
    </div>
  )
}

/** How processes are licensed: Living in one of its sizes, or Flex. */
export function ProcessRow() {
  const { t } = useTranslation('form')
  const translated = useMessages()
  const { form, set, at, isFixed } = useFormParts()
  const sizes = subLicencesOf('MINING', form.edition).filter(isProcess)
  const flex = sizes.find((each) => each.kind === 'process-flex')
  const living = sizes.filter((each) => each.kind === 'process-living')
  const isFlex = form.process === flex?.key
  return (
    <div className={classes.licence}>
      <span className={classes.licenceLabel}>{t('field.processType')}</span>
      <Choice
        label={t('field.processType')}
        hideLabel
        isDisabled={isFixed('process')}
        value={isFlex ? 'flex' : 'living'}
        options={(['living', 'flex'] as const).map((each) => ({ value: each, label: t(`process.${each}`) }))}
        onChange={(chosen) => set({ process: (chosen === 'flex' ? flex : living[0])?.key ?? '' })}
      />
      {!isFlex && (
        <Select
          {...at('process')}
          aria-label={t('field.process')}
          allowDeselect={false}
          comboboxProps={{ keepMounted: false }}
          data={living.map((each) => ({ value: each.key, label: translated(each.label) }))}
          value={form.process}
          onChange={(process) => set(process === null ? {} : { process })}
        />
      )}
    </div>
  )
}
