import type { Region } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Pill } from '#ui/Pill.tsx'
import type { Selection } from '#ui/table/row-selection.tsx'
import { Table } from '#ui/table/Table.tsx'
import classes from './RegionsTable.module.css'

interface RegionsTableProps {
  regions: readonly Region[]
  selection: Selection<Region>
  empty: ReactNode
}

export function RegionsTable({ regions, selection, empty }: RegionsTableProps) {
  const { t } = useTranslation('regions')
  return (
    <Table
      label={t('title')}
      rows={regions}
      rowId={({ regionId }) => regionId}
      empty={empty}
      selection={{
        ...selection,
        title: t('columns.select'),
        labelOf: ({ regionName: name }) => t('columns.selectOf', { name }),
      }}
      columns={[
        { id: 'name', title: t('columns.name'), isName: true, cell: (region) => <RegionName region={region} /> },
        {
          id: 'url',
          title: t('columns.url'),
          cell: ({ regionIP }) => <span className={classes.address}>{regionIP}</span>,
        },
        { id: 'state', title: t('columns.state'), cell: ({ state }) => <RegionStatePill state={state} /> },
      ]}
    />
  )
}

function RegionName({ region: { regionName, warning } }: { region: Region }) {
  const { t } = useTranslation('regions')
  if (warning === null) return regionName
  const isOtherServer = warning === 'other-server'
  return (
    <>
      {regionName}
      <div>
        <Pill tone={isOtherServer ? 'bad' : 'warn'} icon={IconAlertTriangle} isSmall>
          {t(`warnings.${warning}`)}
        </Pill>
        {isOtherServer && <div className={classes.note}>{t('hints.otherServerInList')}</div>}
      </div>
    </>
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
