/** Prints lists as they come: nothing but the rows of one page is kept, however many there are. */

import { say, write, writeLine } from '#terminal/say.ts'
import { escapedAsJson, shownText } from '#terminal/shown-text.ts'
import { csvLine } from './csv.ts'
import type { Output } from './output-options.ts'
import { headerLine, type Layout, layoutOf, rowLine, terminalWidth } from './table.ts'
import type { View } from './view.ts'
import { yamlText } from './yaml-text.ts'

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>

/** @returns how many rows there were */
export async function printList<Row extends object>(
  view: View<Row>,
  rows: Rows<Row>,
  { format, isQuiet }: Output,
): Promise<number> {
  if (isQuiet) return forEach(rows, (row) => writeLine(shownText(view.name(row))))
  switch (format) {
    case 'table':
      return printTable(view, rows)
    case 'json':
      return printJson(rows)
    case 'yaml':
      return printYaml(rows)
    case 'csv':
      return printCsv(view, rows)
  }
}

type Fields = Record<string, unknown>

/** Nothing is printed before the first row is there, here and below: half a list would hide that there was no answer. */
async function printCsv<Row extends object>({ fields }: View<Row>, rows: Rows<Row>): Promise<number> {
  const header = csvLine(fields)
  const count = await forEach(rows, (row, index) =>
    write((index === 0 ? header : '') + csvLine(fields.map((field) => (row as Fields)[field]))),
  )
  if (count === 0) await write(header)
  return count
}

/** An array with each element on a line of its own, so that also tools that read by lines can take it. */
async function printJson(rows: Rows<object>): Promise<number> {
  const count = await forEach(rows, (row, index) => write(`${index === 0 ? '[' : ','}\n${jsonText(row)}`))
  await writeLine(count === 0 ? '[]' : '\n]')
  return count
}

export function jsonText(value: unknown, indent?: number): string {
  return escapedAsJson(JSON.stringify(value, null, indent))
}

async function printYaml(rows: Rows<object>): Promise<number> {
  const count = await forEach(rows, (row) => write(yamlText([row])))
  if (count === 0) await writeLine('[]')
  return count
}

/** The widths are those of the first rows. */
const measuredRows = 100

async function printTable<Row>(view: View<Row>, rows: Rows<Row>): Promise<number> {
  let first: Row[] = []
  let layout: Layout<Row> | null = null
  const printFirst = async () => {
    layout = layoutOf(view.columns, first, terminalWidth())
    await writeLine(headerLine(layout))
    for (const row of first) await writeLine(rowLine(layout, row))
    first = []
  }
  const count = await forEach(rows, async (row) => {
    if (layout !== null) return writeLine(rowLine(layout, row))
    first.push(row)
    if (first.length === measuredRows) await printFirst()
  })
  if (count === 0) say(view.none)
  else if (layout === null) await printFirst()
  return count
}

async function forEach<Row>(rows: Rows<Row>, use: (row: Row, index: number) => Promise<void>): Promise<number> {
  let count = 0
  for await (const row of rows) {
    await use(row, count)
    count += 1
  }
  return count
}
