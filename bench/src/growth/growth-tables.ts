/**
 * What was measured as tables in Markdown: a row for each measure, a column for each number of rooms. What an
 * idle server takes, the CPU for each list and the bytes of each index stand in growth.json alone.
 */
import { table } from '../measure.ts'
import { statisticsCases } from '../statistics/bench-statistics.ts'
import { formatted, shortNumber } from '../written-numbers.ts'
import type { Measure, Point } from './growth-points.ts'
import { listTitles } from './measured-lists.ts'

type Row = [measure: string, title: string]

/** @param points from the smallest size on */
export function growthTables(points: readonly Point[]): string {
  const rows = (heading: string, all: readonly Row[]) => rowsTable(heading, all, points)
  return [
    table(
      ['rooms', 'load', 'revision', 'machine'],
      points.map(({ size, load, revision, machine }) => [size.toLocaleString('en'), String(load), revision, machine]),
    ),
    rows(
      'lists, ms (of bare SQL)',
      Object.entries(listTitles).map(([id, title]): Row => [`${id}.time`, title]),
    ),
    rows('first page, 16 clients (of bare SQL)', [
      ['calls.rate', 'calls per second'],
      ['calls.p50', 'median, ms'],
      ['calls.p99', 'slowest hundredth, ms'],
      ['calls.server-cpu', 'CPU of the API per call, ms'],
      ['calls.postgres-cpu', 'CPU of PostgreSQL per call, ms'],
    ]),
    rows('export (of \\copy)', [
      ['export.first-byte', 'first byte, ms'],
      ['export.rate', 'rows per second'],
      ['export.memory', "API's memory above idle, MiB"],
    ]),
    rows(
      'statistics, ms',
      Object.entries(statisticsCases).map(([id, { title }]): Row => [`statistics.${id}`, title]),
    ),
    rows('creating rooms', [
      ['create.alone', 'one alone, ms'],
      ['create.rate', '32 clients: rooms per second'],
      ['create.api-cpu', 'CPU per room, ms: API'],
      ['create.worker-cpu', 'worker'],
      ['create.region-cpu', 'region and its child processes'],
      ['create.postgres-cpu', 'PostgreSQL'],
      ['create.commits', 'commits per room'],
      ['create.wal', 'WAL per room'],
    ]),
    rows('on disk', [
      ['bytes.database', 'database'],
      ['bytes.table', 'rooms'],
      ['bytes.indexes', 'all indexes of rooms'],
    ]),
  ].join('\n\n')
}

function rowsTable(heading: string, rows: readonly Row[], points: readonly Point[]): string {
  const header = [heading, ...points.map(({ size }) => shortNumber(size))]
  const cells = rows.map(([name, title]) => [title, ...points.map(({ measures }) => cell(measures[name]))])
  return table(header, cells)
}

/** The value, and in brackets how many times the bare thing's it is. */
function cell(measure: Measure | undefined): string {
  if (measure === undefined) return ''
  const { value, unit, bare } = measure
  const written = unit === 'bytes' ? bytes(value) : formatted(value)
  return bare === undefined || bare === 0 ? written : `${written} (${(value / bare).toFixed(2)})`
}

function bytes(value: number): string {
  return value >= 2 ** 20 ? `${formatted(value / 2 ** 20)} MiB` : `${formatted(value / 2 ** 10)} KiB`
}
