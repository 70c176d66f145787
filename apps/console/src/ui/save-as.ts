/** Lets the browser save this as a file. */
export function saveAs(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The download has its own hold on the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/**
 * CSV as RFC 4180 has it, of cells that a spreadsheet takes for texts and numbers, never for formulas. Lines end with
 * CRLF, the last one too; a text that looks like a formula gets a leading apostrophe.
 */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
