/** The numbers of the statistics as charts: what each is called, and its bars. */
import { type LicenceTotalKey, licenceTotalKeys, type RoomStatistics } from '@roomkeeper/contract'

export interface Bar {
  label: string
  count: number
}

export interface Chart {
  id: 'byProduct' | 'byEdition' | 'byRegion' | 'createdPerMonth' | 'licenses'
  /** Months pass from left to right; everything else is a list of bars. */
  isTimeline: boolean
  bars: readonly Bar[]
}

interface Naming {
  product: Readonly<Record<RoomStatistics['byProduct'][number]['product'], string>>
  edition: Readonly<Record<RoomStatistics['byEdition'][number]['edition'], string>>
  licence: (key: LicenceTotalKey) => string
}

/** Not a number of licences. */
const otherUnits: readonly LicenceTotalKey[] = ['yukonDataVolume', 'aiCredits']

/** Bars come largest first, months in their order. */
export function chartsOf(statistics: RoomStatistics, names: Naming): Chart[] {
  const { byProduct, byEdition, byRegion, createdPerMonth, licenses } = statistics
  const kinds = licenceTotalKeys.filter((key) => !otherUnits.includes(key))
  return [
    list(
      'byProduct',
      byProduct.map(({ product, rooms }) => ({ label: names.product[product], count: rooms })),
    ),
    list(
      'byEdition',
      byEdition.map(({ edition, rooms }) => ({ label: names.edition[edition], count: rooms })),
    ),
    list(
      'byRegion',
      byRegion.map(({ regionName, rooms }) => ({ label: regionName, count: rooms })),
    ),
    {
      id: 'createdPerMonth',
      isTimeline: true,
      bars: createdPerMonth.map(({ month, rooms }) => ({ label: month, count: rooms })),
    },
    list(
      'licenses',
      kinds.map((key) => ({ label: names.licence(key), count: licenses[key] })),
    ),
  ]
}

function list(id: Chart['id'], bars: readonly Bar[]): Chart {
  return { id, isTimeline: false, bars: bars.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count) }
}

/** The largest bars, and one for the sum of the rest, so that a chart stays readable with many regions. */
export function largestBars(bars: readonly Bar[], most: number, nameOfRest: (count: number) => string): Bar[] {
  if (bars.length <= most) return [...bars]
  const rest = bars.slice(most - 1)
  const sum = rest.reduce((total, { count }) => total + count, 0)
  return [...bars.slice(0, most - 1), { label: nameOfRest(rest.length), count: sum }]
}
