import { licenceTotalKeys, type LicenceTotals as Totals } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import classes from './LicenceTotals.module.css'

/** The licences of all matching rooms; those that nobody has are left out. */
export function LicenceTotals({ totals }: { totals: Totals }) {
  const { t } = useTranslation('rooms')
  const number = useNumberFormat()
  const shown = licenceTotalKeys.filter((key) => totals[key] > 0)
  if (shown.length === 0) return null
  return (
    <section className={classes.root} aria-label={t('totals.title')}>
      <span className={classes.title}>{t('totals.title')}</span>
      <dl>
        {shown.map((key) => (
          <div key={key}>
            <dt>{t(`totals.${key}`)}</dt>
            <dd>{number.format(totals[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
