/** RFC 4180, with the fields' names as header. A cell that a spreadsheet would take for a formula begins with '. */
import { shownLines } from '#terminal/shown-text.ts'

/** With its end. */
export function csvLine(cells: readonly unknown[]): string {
  const line = cells.map((cell) => quoted(defused(cellOf(cell)))).join(',')
  // In a file, texts stay as they are; a terminal would obey them.
  return `${process.stdout.isTTY === true ? shownLines(line) : line}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function defused(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
