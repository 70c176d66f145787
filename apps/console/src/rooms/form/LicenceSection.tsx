import { licencesOf } from '@roomkeeper/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '#ui/Page.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { LicenceRow } from './LicenceRow.tsx'
import { DataVolumeRow, ProcessRow } from './MiningRows.tsx'

/** The licences of the chosen product and edition, and no others. */
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
        <div className={classes.licencesHead} aria-hidden>
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
