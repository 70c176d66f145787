import { IconBarrierBlock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './MaintenanceBanner.module.css'
import { useMaintenance } from './queries.ts'

/** Tells every operator that visitors are kept out at the moment, and what they are told. */
export function MaintenanceBanner() {
  const { t } = useTranslation('app')
  const { data } = useMaintenance()
  return (
    <div role="status" aria-label={t('header.maintenance')}>
      {data?.maintenanceMode === true && (
        <div className={classes.banner}>
          <IconBarrierBlock size={18} stroke={1.8} aria-hidden />
          <strong>{t('maintenanceBanner')}</strong>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
          <p tabIndex={0}>{data.maintenanceMessage}</p>
        </div>
      )}
    </div>
  )
}
