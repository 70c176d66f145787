/** What a cell of a CSV file may begin with, so that spreadsheets show its text and compute nothing. */

/** A text that begins with one of these is taken for a formula. */
export const formulaStarts = ['=', '+', '-', '@', '\t', '\r'] as const

/** With an apostrophe before a text that a spreadsheet would take for a formula. Numbers need none. */
export function defused(text: string): string {
  return formulaStarts.some((start) => text.startsWith(start)) ? `'${text}` : text
}
