/** What was measured at each number of rooms, kept as JSON so that a finished size is not measured again. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

export interface Measure {
  value: number
  /** Such as `ms`, `calls/s`, `bytes`. */
  unit: string
  /** The same by the simplest thing that gives the same answer, in turns in the same run. */
  bare?: number
}

export interface Point {
  /** The number of rooms that were wanted; a few hundred more may be there. */
  size: number
  /** The last commit that changed the product. */
  revision: string
  /** The highest load average of a minute while it was measured, the bench's own work included. */
  load: number
  /** Such as `2 cores, 24 GiB, PostgreSQL 18.4, Node 24.21.0`. */
  machine: string
  /** By names such as `search-rows.postgres-cpu`. */
  measures: Record<string, Measure>
}

/** @returns none if there is no such file yet */
export async function readPoints(file: string): Promise<Point[]> {
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : []
}

export async function writePoints(file: string, points: readonly Point[]): Promise<void> {
  await writeFile(file, `[\n${points.map(textOf).join(',\n')}\n]\n`)
}

/** A line for each measure, so that a change can be read. */
function textOf({ measures, ...point }: Point): string {
  const facts = Object.entries(point).map(([name, value]) => `    "${name}": ${JSON.stringify(value)},`)
  const lines = Object.entries(measures).map(([name, { value, unit, bare }]) => {
    const ofBare = bare === undefined ? '' : `, "bare": ${bare}`
    return `      "${name}": { "value": ${value}, "unit": ${JSON.stringify(unit)}${ofBare} }`
  })
  return ['  {', ...facts, '    "measures": {', lines.join(',\n'), '    }', '  }'].join('\n')
}

/** The newest point of each size, from the smallest on. */
export function newestPoints(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [point.size, point])).values()].toSorted((a, b) => a.size - b.size)
}

/** Collects measures in three significant digits. */
export class Measures {
  readonly all: Record<string, Measure> = {}

  add(name: string, unit: string, value: number | null | undefined, bare?: number | null): void {
    if (value === null || value === undefined) return
    this.all[name] = {
      value: rounded(value),
      unit,
      ...(bare === undefined || bare === null ? {} : { bare: rounded(bare) }),
    }
  }
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
