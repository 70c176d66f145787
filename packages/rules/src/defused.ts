/** What in the cells of a CSV file a spreadsheet would compute. */

/** A text that begins with one of these is taken for a formula. */
export const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'] as const

/** Where a spreadsheet may begin a cell that splits lines at semicolons or tabs, and then does not see the quotes. */
export const cellEnds = [';', '\t', '\r', '\n'] as const

/** The places before a formula, for JavaScript and PostgreSQL. */
export const beforeFormulas = `^(?=[${classOf(formulaStarts)}])|(?<=[${classOf(cellEnds)}]"*)(?=[=+@＝＋－＠-])`
const pattern = new RegExp(beforeFormulas, 'g')

/** With an apostrophe before what a spreadsheet would take for a formula. Numbers need none. */
export function defused(text: string): string {
  return text.replaceAll(pattern, "'")
}

function classOf(characters: readonly string[]): string {
  return characters.map((character) => (character === '-' ? '\\-' : character)).join('')
}
