/** The names of columns: snake_case in SQL, camelCase in the code. */

/** Translates the keys of the rows of one statement; their names are computed only once. */
export function rowsOf(rows: readonly object[]): object[] {
  const keys = Object.keys(rows[0] ?? {}).map((column) => [column, fieldOf(column)] as const)
  if (keys.every(([column, field]) => column === field)) return [...rows]
  return rows.map((row) =>
    Object.fromEntries(keys.map(([column, field]) => [field, (row as Record<string, unknown>)[column]])),
  )
}

/** `es_viewer_pro` becomes `esViewerPro`. */
export function fieldOf(column: string): string {
  return column.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())
}

/** For SQL text: `esViewerPro` becomes `es_viewer_pro`. */
export function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Renames the keys of an object to column names. */
export function inSnakeCase<Row extends object>(row: Row): InSnakeCase<Row> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value])) as InSnakeCase<Row>
}

type InSnakeCase<Row> = { [Name in keyof Row as SnakeCase<Name & string>]: Row[Name] }

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : ''

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** Renames the keys of columns that were stored in a document under their database names. */
export function rowOf<Columns extends object>(columns: Columns): RowOf<Columns> {
  return rowsOf([columns])[0] as RowOf<Columns>
}

type RowOf<Columns> = { [Name in keyof Columns as CamelCase<Name & string>]: Columns[Name] }
