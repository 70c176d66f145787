/** Runs the simulations and writes their tables into docs/scale.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { table } from '../measure.ts'
import { withTables } from '../with-tables.ts'
import { formatted, shortNumber } from '../written-numbers.ts'
import { allowedError, type CheckedPoint, checkPoints } from './checked-points.ts'
import { type Costs, measureOf, readCosts } from './costs.ts'
import { simulateMoves } from './models.ts'
import {
  arrivalsOf,
  costAt,
  demandsOf,
  highestUse,
  mostOperators,
  perOperatorAndHour,
  type Site,
  simulateSite,
} from './plan.ts'

export const page = join(repository, 'docs/scale.md')

export async function benchScale(): Promise<void> {
  const text = scaleTables(await readCosts())
  await writeFile(page, withTables(await readFile(page, 'utf8'), 'scale', text))
  console.log(text)
}

/** The tables of docs/scale.md, in Markdown. The same costs always give the same tables. */
export function scaleTables(costs: Costs, points = checkPoints(costs)): string {
  return [checked(points), moves(costs), demands(costs), sites(costs), carried(costs), disks(costs)].join('\n\n')
}

function checked(points: readonly CheckedPoint[]): string {
  const rows = points.map(({ title, unit, measured, simulated, isFitted }) => [
    title,
    unit,
    short(measured),
    short(simulated),
    isFitted ? 'fitted' : `${Math.round((simulated / measured - 1) * 100)} %`,
  ])
  return table(
    [`measured and simulated (allowed: ${allowedError * 100} %)`, 'unit', 'measured', 'simulated', 'differs by'],
    rows,
  )
}

/** What would help a migration more: more rooms at once, or less waiting. */
function moves({ move }: Costs): string {
  const rateOf = (atOnce: number, waits: number) =>
    short(60 * simulateMoves({ cores: 2, atOnce, costs: { ...move, waits } }).perSecond)
  const rows = [1, 2, 4, 8, 16].map((atOnce) => [
    String(atOnce),
    ...[1, 0.5, 0].map((share) => rateOf(atOnce, move.waits * share)),
  ])
  return table(['moves of 5 MB per minute, by rooms at once', 'as it is', 'half the waiting', 'no waiting'], rows)
}

const sizes = [1_000_000, 5_000_000, 10_000_000]

function demands(costs: Costs): string {
  const of = sizes.map((rooms) => demandsOf(costs, rooms))
  const arrivals = arrivalsOf(site({ operators: 100 }))
  const rows = (Object.keys(of[0] ?? {}) as (keyof typeof arrivals)[]).map((kind) => [
    kind,
    ...of.map((each) => short(each[kind])),
    kind in perOperatorAndHour ? String(perOperatorAndHour[kind as keyof typeof perOperatorAndHour]) : '',
  ])
  return table(['CPU of PostgreSQL, ms', ...sizes.map(titleOf), 'an hour and operator'], rows)
}

function site(given: Partial<Site>): Site {
  return { rooms: 1_000_000, regions: 1000, operators: 0, operationsPerDay: 100_000, cores: 8, replicas: 0, ...given }
}

/** What a hundred operators mean for one PostgreSQL. */
function sites(costs: Costs): string {
  const rows = sizes.flatMap((rooms) =>
    [0, 1].map((replicas) => {
      const { use, useOfReplicas, most, firstPage, total } = simulateSite(
        costs,
        site({ rooms, operators: 100, replicas }),
      )
      return [
        `${titleOf(rooms)}${replicas > 0 ? ', and a replica' : ''}`,
        `${short(use * 100)} %${replicas > 0 ? `, ${short(useOfReplicas * 100)} %` : ''}`,
        `${most[0]} (${Math.round(most[1] * 100)} %)`,
        short(firstPage),
        Number.isNaN(total) ? '' : short(total),
      ]
    }),
  )
  return table(
    [
      '100 operators, 1,000 regions, 100,000 operations a day',
      'use of 8 cores',
      'most of it',
      'first page, p99 ms',
      'broad total, median ms',
    ],
    rows,
  )
}

/** Cores, and replicas of as many. */
const machines: [cores: number, replicas: number][] = [
  [2, 0],
  [8, 0],
  [8, 1],
  [8, 4],
  [32, 0],
  [32, 4],
]

function carried(costs: Costs): string {
  const rows = sizes.map((rooms) => [
    titleOf(rooms),
    ...machines.map(([cores, replicas]) => {
      const most = mostOperators(costs, site({ rooms, cores, replicas }))
      return `${most >= 10_000 ? 'over ' : ''}${most.toLocaleString('en')}`
    }),
  ])
  const columns = machines.map(([cores, replicas]) => {
    const added = replicas === 0 ? '' : ` + ${replicas} replica${replicas > 1 ? 's' : ''}`
    return `${cores} cores${added}`
  })
  return table([`operators below ${highestUse * 100} % of the cores`, ...columns], rows)
}

function disks({ points, usual }: Costs): string {
  const gigabytes = (name: string) => sizes.map((rooms) => short(costAt(points, name, rooms) / 1e9))
  const perDay = (name: string) => short((measureOf(usual, name) * 100_000) / 1e9)
  const rows = [
    ['rooms, GB', ...gigabytes('bytes.table')],
    ['their indexes, GB', ...gigabytes('bytes.indexes')],
    ['WAL of 100,000 operations a day, GB', ...sizes.map(() => perDay('create.wal'))],
  ]
  return table(['on disk', ...sizes.map(titleOf)], rows)
}

function titleOf(rooms: number): string {
  return `${shortNumber(rooms)} rooms`
}

/** Three digits, which is more than such numbers are good for. */
function short(value: number): string {
  if (!Number.isFinite(value)) return 'cannot keep up'
  return formatted(Number(value.toPrecision(3)))
}
