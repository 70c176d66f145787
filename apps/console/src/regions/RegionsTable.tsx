import { Checkbox } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Pill } from '#ui/Pill.tsx'
import classes from '#ui/Table.module.css'
import type { Selection } from '#ui/table/use-selection.ts'

interface RegionsTableProps {
  regions: readonly Region[]
  selection: Selection<Region>
}

export function RegionsTable({ regions, selection }: RegionsTableProps) {
  const { t } = useTranslation('regions')
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={t('title')}>
        <thead>
          <tr>
            <th scope="col" className={classes.check}>
              <span className={classes.hidden}>{t('columns.select')}</span>
            </th>
            <th scope="col">{t('columns.name')}</th>
            <th scope="col">{t('columns.url')}</th>
            <th scope="col">{t('columns.state')}</th>
          </tr>
        </thead>
        <tbody>
          {regions.map((region) => (
            <tr key={region.regionId} data-selected={selection.has(region) || undefined}>
              <td className={classes.check}>
                <Checkbox
                  size="xs"
                  aria-label={t('columns.selectOf', { name: region.regionName })}
                  checked={selection.has(region)}
                  onChange={() => selection.toggle(region)}
                />
              </td>
              <th scope="row">
                {region.regionName}
                {region.warning !== null && (
                  <div>
                    <Pill tone={region.warning === 'other-server' ? 'bad' : 'warn'} icon={IconAlertTriangle} isSmall>
                      {t(`warnings.${region.warning}`)}
                    </Pill>
                    {region.warning === 'other-server' && (
                      <div className={classes.note}>{t('hints.otherServerInList')}</div>
                    )}
                  </div>
                )}
              </th>
              <td className={classes.address}>{region.regionIP}</td>
              <td>
                <RegionStatePill state={region.state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RegionStatePill({ state }: Pick<Region, 'state'>) {
  const { t } = useTranslation('regions')
  const isEnabled = state === 'enabled'
  return (
    <Pill tone={isEnabled ? 'good' : 'quiet'} icon={isEnabled ? IconCircleCheck : IconBan}>
      {t(`states.${state}`)}
    </Pill>
  )
}
