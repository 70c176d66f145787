/** Prints one thing: in a table, its fields one below the other. */
import { shownText } from '#terminal/shown-text.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { padTo } from '#terminal/text-width.ts'
import { csvLine, jsonText, yamlText } from './formats.ts'
import type { Output } from './output-options.ts'
import { picked } from './print-list.ts'
import { cellText } from './table.ts'

/** @param name what `--quiet` prints */
export async function printOne(row: object, name: string, { terminal, format, isQuiet, json }: Output): Promise<void> {
  if (isQuiet) return terminal.writeLine(shownText(name))
  switch (format) {
    case 'json':
      return terminal.writeLine(jsonText(picked(row, json), 2))
    case 'yaml':
      return terminal.write(yamlText(row))
    case 'csv':
      await terminal.write(csvLine(Object.keys(row), terminal.showsOutput))
      return terminal.write(csvLine(Object.values(row), terminal.showsOutput))
    case 'table':
      return printFields(terminal, row)
  }
}

async function printFields(terminal: Terminal, row: object): Promise<void> {
  const fields = Object.entries(row).filter(([, value]) => !isEmpty(value))
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  for (const [name, value] of fields) {
    const lines = Array.isArray(value)
      ? value.map(inOneLine)
      : [typeof value === 'object' ? inOneLine(value) : cellText(value)]
    for (const [index, line] of lines.entries()) {
      const title = terminal.paint(padTo(index === 0 ? name : '', width, 'left'), 'bold')
      await terminal.writeLine(`${title}  ${shownText(line)}`)
    }
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** @returns counts and lists in one line */
function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return value.map(inOneLine).join('; ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, each]) => !isEmpty(each))
    .map(([name, each]) => `${name}: ${inOneLine(each)}`)
    .join(', ')
}
