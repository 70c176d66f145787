/** Writes the tables and curves of what growth.json holds. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withTables } from '../with-tables.ts'
import { growthCharts } from './growth-charts.ts'
import { newestPoints, readPoints } from './growth-points.ts'
import { growthTables } from './growth-tables.ts'

/** @param docs the folder of growth.json, growth.md (with its two marks) and images */
export async function writeGrowth(docs: string): Promise<void> {
  const points = newestPoints(await readPoints(join(docs, 'growth.json')))
  const page = join(docs, 'growth.md')
  await writeFile(page, withTables(await readFile(page, 'utf8'), 'growth', growthTables(points)))
  await mkdir(join(docs, 'images'), { recursive: true })
  for (const [file, svg] of growthCharts(points)) await writeFile(join(docs, 'images', `${file}.svg`), svg)
}
