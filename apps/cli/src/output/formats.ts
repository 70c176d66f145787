/** Values as JSON, YAML and CSV, in which no text can steer a terminal. */
import { defused } from '@roomkeeper/rules'
import { Document, isScalar, visit } from 'yaml'
import { escapedAsJson, isUnsafe, shownLines, withoutControls } from '#terminal/shown-text.ts'

/** @param indent spaces; absent: in one line */
export function jsonText(value: unknown, indent?: number): string {
  return escapedAsJson(JSON.stringify(value, null, indent))
}

/** @param isShown on a terminal */
export function csvLine(cells: readonly unknown[], isShown: boolean): string {
  // A pipe or a file may end on a terminal, too.
  const line = cells.map((cell) => quoted(withoutControls(cellOf(cell)))).join(',')
  return `${isShown ? shownLines(line) : line}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return defused(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** @returns YAML that ends with a line feed, with control characters escaped in double quotes */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, scalar) {
      if (isScalar(scalar) && typeof scalar.value === 'string' && isUnsafe(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapedAsJson(document.toString({ lineWidth: 0 }))
}
