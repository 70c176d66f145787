import { Box, Text } from '@mantine/core'
import { type LicenceTotalKey, licences, type RoomList } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import classes from './Statistics.module.css'
import type { StatisticsSearch } from './search.ts'

/**
 * What each figure adds up: the licence sums in the order of specification 001 §2, where ARIS and MINING viewers are one
 * figure, then those of ENTERPRISE.
 */
const sums = {
  designers: ['designers'],
  viewers: ['viewers', 'yukonViewer'],
  engineers: ['yukonEngineer'],
  analysts: ['yukonAnalyst'],
  architects: ['architects'],
  epBus: ['epBus'],
  epEam: ['epEam'],
  architectsSap: ['architectsSap'],
  designersSap: ['designersSap'],
  aiCredits: ['aiCredits'],
  esDesigners: ['esDesigner'],
  esViewers: ['esViewer'],
  esViewersPro: ['esViewerPro'],
  esAdmins: ['esAdmin'],
} as const satisfies Record<string, readonly LicenceTotalKey[]>
const figures = Object.entries(sums) as [keyof typeof sums, readonly LicenceTotalKey[]][]

interface StatisticsTotalsProps {
  answer: RoomList
  search: StatisticsSearch
}

/** The number of rooms that match the filter, and their licences in total, as far as such rooms can have them. */
export function StatisticsTotals({ answer, search }: StatisticsTotalsProps) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  const { licenses } = answer
  const possible = possibleTotals(search)
  const shown = figures.filter(([, keys]) => keys.some((key) => possible.has(key)))
  return (
    <Box component="section" className="rk-panel" flex="none" aria-label={t('totals.title')}>
      <dl className={classes.totals}>
        <Total
          name={t('totals.rooms')}
          value={answer.totalElements === null ? '…' : number.format(answer.totalElements)}
        />
        {shown.map(([figure, keys]) => (
          <Total
            key={figure}
            name={t(`totals.${figure}`)}
            value={licenses === null ? '…' : number.format(keys.reduce((sum, key) => sum + licenses[key], 0))}
          />
        ))}
      </dl>
      <Text className="rk-note" px="md" pb="xs">
        {t(`counted.${search.status ?? 'all'}`)}
      </Text>
    </Box>
  )
}

/** The totals to which rooms of the chosen product and edition can add anything. */
function possibleTotals({ product, edition }: StatisticsSearch): Set<LicenceTotalKey | null> {
  const ofFilter = licences.filter(
    (each) =>
      (product === undefined || each.product === product) && (edition === undefined || each.editions.includes(edition)),
  )
  return new Set(ofFilter.map(({ countedAs }) => countedAs))
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
