/** Prints lists as they come: nothing but the rows of one page is kept, however many there are. */

import { unknownFields } from '#arguments.ts'
import { usageFailure } from '#failure.ts'
import { shownText } from '#terminal/shown-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { csvLine, jsonText, yamlText } from './formats.ts'
import type { Output } from './output-options.ts'
import { headerLine, type Layout, layoutOf, rowLine } from './table.ts'
import type { View } from './view.ts'

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>

/** @returns how many rows there were */
export async function printList<Row extends object>(view: View<Row>, rows: Rows<Row>, output: Output): Promise<number> {
  const { terminal, format, isQuiet, json, columns } = output
  if (isQuiet) return forEach(rows, (row) => terminal.writeLine(shownText(view.name(row))))
  const shown = columns === undefined ? view : viewOf(view, columns)
  switch (format) {
    case 'table':
      return printTable(terminal, shown, rows)
    case 'json':
      return printJson(terminal, rows, json && known(json, view))
    case 'yaml':
      return printYaml(terminal, rows)
    case 'csv':
      return printCsv(terminal, shown, rows)
  }
}

/** A list may have other fields than another list of the same command. @throws Failure */
function known(names: readonly string[], { fields }: Pick<View<never>, 'fields'>): readonly string[] {
  const unknown = unknownFields(names, fields)
  if (unknown !== null) throw usageFailure(unknown)
  return names
}

/** @returns the view with these fields as its columns; all stay, however narrow the terminal is, because they were asked for */
function viewOf<Row extends object>(view: View<Row>, names: readonly string[]): View<Row> {
  const columns = known(names, view).map((title) => ({
    title,
    rank: 0,
    value: (row: Row) => plainValue(row, title),
  }))
  return { ...view, fields: names, columns }
}

type Fields = Record<string, unknown>

function plainValue(row: object, field: string): string | number | boolean | null | undefined {
  const value = (row as Fields)[field]
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value as string | number | boolean | null | undefined
}

/** @param fields absent: all */
export function picked(row: object, fields: readonly string[] | undefined): object {
  return fields === undefined ? row : Object.fromEntries(fields.map((field) => [field, (row as Fields)[field] ?? null]))
}

/** Nothing is printed before the first row is there, here and below: half a list would hide that there was no answer. */
async function printCsv<Row extends object>(
  terminal: Terminal,
  { fields }: View<Row>,
  rows: Rows<Row>,
): Promise<number> {
  const line = (cells: readonly unknown[]) => csvLine(cells, terminal.showsOutput)
  const header = line(fields)
  const count = await forEach(rows, (row, index) =>
    terminal.write((index === 0 ? header : '') + line(fields.map((field) => (row as Fields)[field]))),
  )
  if (count === 0) await terminal.write(header)
  return count
}

/** An array with each element on a line of its own, so that also tools that read by lines can take it. */
async function printJson(
  terminal: Terminal,
  rows: Rows<object>,
  fields: readonly string[] | undefined,
): Promise<number> {
  const count = await forEach(rows, (row, index) =>
    terminal.write(`${index === 0 ? '[' : ','}\n${jsonText(picked(row, fields))}`),
  )
  await terminal.writeLine(count === 0 ? '[]' : '\n]')
  return count
}

async function printYaml(terminal: Terminal, rows: Rows<object>): Promise<number> {
  const count = await forEach(rows, (row) => terminal.write(yamlText([row])))
  if (count === 0) await terminal.writeLine('[]')
  return count
}

/** The widths are those of the first rows. */
const measuredRows = 100

async function printTable<Row>(terminal: Terminal, view: View<Row>, rows: Rows<Row>): Promise<number> {
  let first: Row[] = []
  let layout: Layout<Row> | null = null
  const printFirst = async () => {
    layout = layoutOf(view.columns, first, terminal.columns, terminal.paint)
    await terminal.writeLine(headerLine(layout))
    for (const row of first) await terminal.writeLine(rowLine(layout, row))
    first = []
  }
  const count = await forEach(rows, async (row) => {
    if (layout !== null) return terminal.writeLine(rowLine(layout, row))
    first.push(row)
    if (first.length === measuredRows) await printFirst()
  })
  if (count === 0) terminal.say(view.none)
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
