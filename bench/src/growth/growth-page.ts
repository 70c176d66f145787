/** Writes the tables and curves of what growth.json holds. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { growthCharts } from './growth-charts.ts'
import { newestPoints, readPoints } from './growth-points.ts'
import { growthTables } from './growth-tables.ts'

const marks = ['<!-- written by npm run bench -- growth -->', '<!-- until here -->'] as const

/** @param docs the folder of growth.json, growth.md (with the two marks) and images */
export async function writeGrowth(docs: string): Promise<void> {
  const points = newestPoints(await readPoints(join(docs, 'growth.json')))
  const page = join(docs, 'growth.md')
  await writeFile(page, between(await readFile(page, 'utf8'), growthTables(points)))
  await mkdir(join(docs, 'images'), { recursive: true })
  for (const [file, svg] of growthCharts(points)) await writeFile(join(docs, 'images', `${file}.svg`), svg)
}

/** @throws Error when the page has no such marks */
function between(page: string, tables: string): string {
  const [from, to] = marks.map((mark) => page.indexOf(mark))
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error(`The page has no place for tables between "${marks.join('" and "')}".`)
  return `${page.slice(0, from)}${marks[0]}\n\n${tables}\n\n${page.slice(to)}`
}
