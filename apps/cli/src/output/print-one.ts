/** Prints one thing: in a table, its fields one below the other. */
import { coloured } from '#terminal/colours.ts'
import { write, writeLine } from '#terminal/say.ts'
import { shownText } from '#terminal/shown-text.ts'
import { padTo } from '#terminal/text-width.ts'
import { csvLine } from './csv.ts'
import type { Output } from './output-options.ts'
import { jsonText } from './print-list.ts'
import { cellText } from './table.ts'
import { yamlText } from './yaml-text.ts'

/** @param name what `--quiet` prints */
export async function printOne(row: object, name: string, { format, isQuiet }: Output): Promise<void> {
  if (isQuiet) return writeLine(shownText(name))
  switch (format) {
    case 'json':
      return writeLine(jsonText(row, 2))
    case 'yaml':
      return write(yamlText(row))
    case 'csv':
      await write(csvLine(Object.keys(row)))
      return write(csvLine(Object.values(row)))
    case 'table':
      return printFields(row)
  }
}

async function printFields(row: object): Promise<void> {
  const fields = Object.entries(row).filter(([, value]) => !isEmpty(value))
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  for (const [name, value] of fields) {
    const lines = Array.isArray(value)
      ? value.map(inWords)
      : [typeof value === 'object' ? inWords(value) : cellText(value)]
    for (const [index, line] of lines.entries()) {
      const title = coloured(padTo(index === 0 ? name : '', width, 'left'), 'bold', process.stdout)
      await writeLine(`${title}  ${shownText(line)}`)
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Counts and lists in one line. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join('; ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, each]) => !isEmpty(each))
    .map(([name, each]) => `${name}: ${inWords(each)}`)
    .join(', ')
}
