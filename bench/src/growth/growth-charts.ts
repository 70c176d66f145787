/** Which curves of growth are drawn: the names of their files, without `.svg`, and what they show. */
import { formatted } from '../written-numbers.ts'
import { type Chart, type ChartSeries, drawChart } from './draw-chart.ts'
import type { Point } from './growth-points.ts'
import { type ListId, listTitles } from './measured-lists.ts'

interface Drawn {
  title: string
  y: string
  /** Names of measures, and what stands at their lines. */
  lines: [measure: string, name: string][]
  unit: string
}

const firstRows = ['first-page', 'search-rows', 'two-letters-rows', 'company-rows', 'by-company', 'expiring'] as const
const counted = ['middle-page', 'search-total', 'two-letters-total', 'company-total'] as const

const charts: Record<string, Drawn> = {
  'growth-first-rows': {
    title: 'The first rows of a list, by the number of rooms',
    y: 'ms over HTTP, one client, median',
    lines: lists(firstRows, 'time'),
    unit: 'ms',
  },
  'growth-totals': {
    title: 'What has to be counted or walked to, by the number of rooms',
    y: 'ms over HTTP, one client, median',
    lines: [
      ...lists(counted, 'time'),
      ['statistics.screen', 'statistics of all rooms'],
      ['statistics.since', 'statistics since a day'],
    ],
    unit: 'ms',
  },
  'growth-postgres-cpu': {
    title: 'CPU of PostgreSQL for one call, by the number of rooms',
    y: 'ms of one core',
    lines: [
      ...lists(
        ['search-total', 'middle-page', 'company-total', 'company-rows', 'search-rows', 'first-page'],
        'postgres-cpu',
      ),
      ['create.postgres-cpu', 'a room is created'],
    ],
    unit: 'ms',
  },
  'growth-bytes': {
    title: 'What rooms take on disk, by their number',
    y: 'MiB',
    lines: [
      ['bytes.database', 'database'],
      ['bytes.indexes', 'all indexes of rooms'],
      ['bytes.table', 'rooms'],
      ['bytes.index.rooms_search', 'index of searches'],
      ['bytes.index.rooms_name', 'index of names'],
    ],
    unit: 'MiB',
  },
}

/** @param points from the smallest size on */
export function growthCharts(points: readonly Point[]): Map<string, string> {
  return new Map(Object.entries(charts).map(([file, drawn]) => [file, drawChart(chartOf(drawn, points))]))
}

function chartOf({ title, y, lines, unit }: Drawn, points: readonly Point[]): Chart {
  const series = lines
    .map(([measure, name]): ChartSeries => {
      const values = points.map(({ size, measures }) => [size, inUnit(measures[measure]?.value ?? 0, unit)] as const)
      return { name, points: values.filter(([, value]) => value > 0) }
    })
    .filter(({ points: known }) => known.length > 0)
  return { title, x: 'rooms', y, series, formatY: (value) => `${formatted(value)} ${unit}` }
}

function inUnit(value: number, unit: string): number {
  return unit === 'MiB' ? value / 2 ** 20 : value
}

function lists(ids: readonly ListId[], what: 'time' | 'postgres-cpu'): Drawn['lines'] {
  return ids.map((id) => [`${id}.${what}`, listTitles[id]])
}
