import { licencesOf, subLicencesOf } from '@roomkeeper/contract'
import { isProcess } from '@roomkeeper/rules'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '#ui/form/NumberField.tsx'
import { SelectField } from '#ui/form/SelectField.tsx'
import { Section } from '#ui/Page.tsx'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { LicenceRow } from './LicenceRow.tsx'
import { useLicenceLabel } from './use-field-labels.ts'

/** The licences of the chosen product and edition. */
export function LicenceSection({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('form')
  const { values, used } = useRoomForm()
  return (
    <Section
      title={t('section.licences')}
      hint={t('hint.licences', { product: values.product, edition: t(`edition.${values.edition}`) })}
    >
      {children}
      <div data-wide className={classes.licences} data-used={used !== null || undefined}>
        <div className={`rk-note ${classes.licencesHead}`} aria-hidden>
          <span />
          <span>{t('licence.count')}</span>
          <span>{t('licence.type')}</span>
        </div>
        {licencesOf(values.product, values.edition).map((licence) => (
          <LicenceRow key={licence.key} licence={licence} />
        ))}
        {values.product === 'MINING' && <DataVolumeRow />}
        {values.process !== '' && <ProcessRow />}
      </div>
    </Section>
  )
}

/** The data volume of a MINING room. */
function DataVolumeRow() {
  const labelOf = useLicenceLabel()
  const { values, set } = useRoomForm()
  const id = useId()
  const volume = subLicencesOf('MINING', values.edition).find((each) => !isProcess(each))
  if (volume === undefined) return null
  return (
    <div className={classes.licence}>
      <label htmlFor={id} className={classes.licenceLabel}>
        {labelOf(volume.key)}
      </label>
      <NumberField
        name="subLicenses.DataVolumeGB"
        id={id}
        min={volume.minimum}
        onBlur={() => {
          if (values.subLicenses.DataVolumeGB === '') set({ subLicenses: { DataVolumeGB: volume.minimum } })
        }}
      />
    </div>
  )
}

/** How processes are licensed: Living in one of its sizes, or Flex. */
function ProcessRow() {
  const { t } = useTranslation('form')
  const labelOf = useLicenceLabel()
  const { values, set, isFixed } = useRoomForm()
  const sizes = subLicencesOf('MINING', values.edition).filter(isProcess)
  const flex = sizes.find((each) => each.kind === 'process-flex')
  const living = sizes.filter((each) => each.kind === 'process-living')
  const isFlex = values.process === flex?.key
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
        <SelectField
          name="process"
          aria-label={t('field.process')}
          data={living.map((each) => ({ value: each.key, label: labelOf(each.key) }))}
        />
      )}
    </div>
  )
}
