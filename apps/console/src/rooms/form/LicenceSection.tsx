import { licencesOf } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '#ui/Section.tsx'
import classes from './form.module.css'
import { useFormParts } from './form-context.ts'
import { LicenceRow } from './LicenceRow.tsx'
import { DataVolumeRow, ProcessRow } from './MiningRows.tsx'

/** The licences of the chosen product and edition, and no others. */
export function LicenceSection({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('form')
  const { form, used } = useFormParts()
  return (
    <Section
      title={t('section.licences')}
      hint={t('hint.licences', { product: form.product, edition: t(`edition.${form.edition}`) })}
    >
      {children}
      <div data-wide className={classes.licences} data-used={used !== null || undefined}>
        <div className={classes.licencesHead} aria-hidden>
          <span />
          <span>{t('licence.count')}</span>
          <span>{t('licence.type')}</span>
        </div>
        {licencesOf(form.product, form.edition).map((licence) => (
          <LicenceRow key={licence.key} licence={licence} />
        ))}
        {form.product === 'MINING' && <DataVolumeRow />}
        {form.process !== '' && <ProcessRow />}
      </div>
    </Section>
  )
}
