/** Calculates what one PostgreSQL carries from what growth has measured, and writes the tables into docs/scale.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { newestPoints, type Point, readPoints } from '../growth/growth-points.ts'
import { table } from '../measure.ts'
import { withTables } from '../with-tables.ts'
import { formatted, shortNumber } from '../written-numbers.ts'
import { costAt, demandsOf, highestUse, loadOf, mostOperators, perOperatorAndHour, type Site } from './plan.ts'

export const page = join(repository, 'docs/scale.md')

export async function benchScale(): Promise<void> {
  const text = scaleTables(newestPoints(await readPoints(join(repository, 'docs/growth.json'))))
  await writeFile(page, withTables(await readFile(page, 'utf8'), 'scale', text))
  console.log(text)
}

/** The tables of docs/scale.md, in Markdown. @param points from the smallest size on */
export function scaleTables(points: readonly Point[]): string {
  return [demands(points), sites(points), carried(points), disks(points)].join('\n\n')
}

const sizes = [1_000_000, 5_000_000, 10_000_000]

function demands(points: readonly Point[]): string {
  const of = sizes.map((rooms) => demandsOf(points, rooms))
  const rows = (Object.keys(of[0] ?? {}) as (keyof ReturnType<typeof demandsOf>)[]).map((kind) => [
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
function sites(points: readonly Point[]): string {
  const rows = sizes.flatMap((rooms) =>
    [0, 1].map((replicas) => {
      const { use, useOfReplicas, most } = loadOf(points, site({ rooms, operators: 100, replicas }))
      return [
        `${titleOf(rooms)}${replicas > 0 ? ', and a replica' : ''}`,
        `${short(use * 100)} %${replicas > 0 ? `, ${short(useOfReplicas * 100)} %` : ''}`,
        `${most[0]} (${Math.round(most[1] * 100)} %)`,
      ]
    }),
  )
  return table(['100 operators, 1,000 regions, 100,000 operations a day', 'use of 8 cores', 'most of it'], rows)
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

function carried(points: readonly Point[]): string {
  const rows = sizes.map((rooms) => [
    titleOf(rooms),
    ...machines.map(([cores, replicas]) => {
      const most = mostOperators(points, site({ rooms, cores, replicas }))
      return `${most >= 10_000 ? 'over ' : ''}${most.toLocaleString('en')}`
    }),
  ])
  const columns = machines.map(([cores, replicas]) => {
    const added = replicas === 0 ? '' : ` + ${replicas} replica${replicas > 1 ? 's' : ''}`
    return `${cores} cores${added}`
  })
  return table([`operators below ${highestUse * 100} % of the cores`, ...columns], rows)
}

function disks(points: readonly Point[]): string {
  const gigabytes = (name: string) => sizes.map((rooms) => short(costAt(points, name, rooms) / 1e9))
  const ofOperations = short((costAt(points, 'create.wal', 1_000_000) * 100_000) / 1e9)
  const rows = [
    ['rooms, GB', ...gigabytes('bytes.table')],
    ['their indexes, GB', ...gigabytes('bytes.indexes')],
    ['WAL of 100,000 operations a day, GB', ...sizes.map(() => ofOperations)],
  ]
  return table(['on disk', ...sizes.map(titleOf)], rows)
}

function titleOf(rooms: number): string {
  return `${shortNumber(rooms)} rooms`
}

/** Three digits, which is more than such numbers are good for. */
function short(value: number): string {
  return formatted(Number(value.toPrecision(3)))
}
