/** Pages that hold tables which a bench has written, between two marks. */
const end = '<!-- until here -->'
const beginOf = (bench: string) => `<!-- written by npm run bench -- ${bench} -->`

/** The page with these tables in place of what stood between its marks. @throws Error when it has none */
export function withTables(page: string, bench: string, tables: string): string {
  const [from, to] = placeOf(page, bench)
  return `${page.slice(0, from)}\n\n${tables}\n\n${page.slice(to)}`
}

export function tablesOf(page: string, bench: string): string {
  return page.slice(...placeOf(page, bench)).trim()
}

function placeOf(page: string, bench: string): [from: number, to: number] {
  const begin = page.indexOf(beginOf(bench))
  const to = page.indexOf(end, begin)
  if (begin < 0 || to < 0) throw new Error(`The page has no place for tables between "${beginOf(bench)}" and "${end}".`)
  return [begin + beginOf(bench).length, to]
}
