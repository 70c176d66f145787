import { type CsvForm, csvSeparators } from '@roomkeeper/contract'
import { defused } from '@roomkeeper/rules'

/** Makes the browser save the content as a file. */
export function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // By then the download no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * CSV with CRLF after every line, the last one too. What looks like a formula in a text has an apostrophe before it, so
 * that spreadsheets read cells as texts and numbers only.
 * @param rows numbers are whole
 */
export function csvOf(rows: readonly (readonly (string | number)[])[], format: CsvForm = 'programs'): string {
  const lines = rows.map((row) => `${row.map(cellOf).join(csvSeparators[format])}\r\n`)
  return `${format === 'programs' ? '' : '\ufeff'}${lines.join('')}`
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  return `"${defused(value).replaceAll('"', '""')}"`
}
