/** RFC 4180, with the fields' names as header. A cell that a spreadsheet would take for a formula begins with '. */
import { defused } from '@roomkeeper/rules'
import { shownLines, withoutControls } from '#terminal/shown-text.ts'

/** With its end. */
export function csvLine(cells: readonly unknown[]): string {
  // A pipe or a file may end on a terminal, too.
  const line = cells.map((cell) => quoted(withoutControls(cellOf(cell)))).join(',')
  return `${process.stdout.isTTY === true ? shownLines(line) : line}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return defused(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
