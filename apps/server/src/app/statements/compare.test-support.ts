/** Compares what the source claims of a statement with what PostgreSQL says of it. */
import ts from 'typescript'
import { fieldOf } from '#platform/column-names.ts'
import type { Described, DescribedColumn } from './describe.test-support.ts'
import type { Statement } from './find-statements.test-support.ts'

/** What a value of a type of PostgreSQL is to the code; a document may be anything. */
type Kind = 'string' | 'number' | 'boolean' | 'buffer' | 'document'

const kinds: Record<string, Kind> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'buffer',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  json: 'document',
  jsonb: 'document',
  name: 'string',
  numeric: 'string',
  oid: 'number',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'string',
  uuid: 'string',
  void: 'string',
  xid8: 'string',
}

export function differences(checker: ts.TypeChecker, statement: Statement, described: Described): string[] {
  return [...rowDifferences(checker, statement, described), ...valueDifferences(checker, statement, described)]
}

function rowDifferences(checker: ts.TypeChecker, { row, texts }: Statement, { columns }: Described): string[] {
  // What a cursor gives is known when it is declared.
  if (row === null || texts.some((text) => text.startsWith('fetch '))) return []
  const given = new Map(columns.flatMap((column) => [[fieldOf(column.name), column] as const, [column.name, column]]))
  return row.fields.flatMap((field) => {
    const column = given.get(field.name)
    if (column === undefined)
      return field.flags & ts.SymbolFlags.Optional ? [] : [`${field.name} is not among the columns`]
    const claimed = typeOf(checker, checker.getTypeOfSymbol(field))
    return fieldDifferences(claimed, column, texts).map((each) => `${field.name} ${each}`)
  })
}

function fieldDifferences(claimed: Claimed, column: DescribedColumn, texts: readonly string[]): string[] {
  const kind = kindOf(column)
  // An outer join may find no row of the table, which makes its columns null.
  const isOuter = texts.some((text) => isOuterJoined(text, column.table ?? ''))
  const isProved = texts.every((text) => new RegExp(`\\b${column.name} is not null`).test(text))
  const unnamed = claimed.values && column.values?.filter((value) => !claimed.values?.includes(value))
  const wrong: [unknown, string][] = [
    [!fits(claimed, kind), `is ${kind.isList ? 'a list of ' : ''}${column.type}`],
    [(column.isNullable === true || isOuter) && !claimed.isNullable && !isProved, 'can be null'],
    [unnamed && unnamed.length > 0, `can be ${unnamed?.join(' or ')}`],
  ]
  return wrong.flatMap(([isWrong, text]) => (isWrong ? [text] : []))
}

function isOuterJoined(text: string, table: string): boolean {
  return (
    table !== '' && new RegExp(`(left|full) join ${table}\\b`).test(text) && !new RegExp(`from ${table}\\b`).test(text)
  )
}

function valueDifferences(checker: ts.TypeChecker, { values }: Statement, { parameters }: Described): string[] {
  if (values === null) return []
  if (values.length !== parameters.length) return [`${values.length} values for ${parameters.length} parameters`]
  return values.flatMap((value, index) => {
    const type = parameters[index] ?? ''
    const claimed = typeOf(checker, value)
    const kind = kindOf({ type })
    if (fits(claimed, kind) || alsoGiven[type]?.includes(claimed.kind)) return []
    return [`$${index + 1} is ${type}, not ${checker.typeToString(value)}`]
  })
}

/** What PostgreSQL also accepts for a parameter of a type, besides what it returns for a column of that type. */
const alsoGiven: Record<string, Claimed['kind'][]> = {
  bigint: ['string'],
  date: ['date'],
  numeric: ['number'],
  'timestamp with time zone': ['date'],
}

interface Claimed {
  kind: Kind | 'date' | 'unknown'
  isList: boolean
  isNullable: boolean
  values: string[] | null
}

function fits({ kind: claimed, isList }: Claimed, { kind, isList: isListThere }: { kind: Kind; isList: boolean }) {
  if (claimed === 'unknown' || kind === 'document') return true
  return claimed === kind && isList === isListThere
}

function kindOf({ type }: { type: string }): { kind: Kind; isList: boolean } {
  const isList = type.endsWith('[]')
  return { kind: kinds[isList ? type.slice(0, -2) : type] ?? 'string', isList }
}

function typeOf(checker: ts.TypeChecker, type: ts.Type): Claimed {
  const members = type.isUnion() ? type.types : [type]
  const absent = ts.TypeFlags.Null | ts.TypeFlags.Undefined
  const present = members.filter(({ flags }) => (flags & absent) === 0)
  const isNullable = present.length < members.length || (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0
  const lists = present.filter((each) => checker.isArrayType(each) || checker.isTupleType(each))
  if (present.length > 0 && lists.length === present.length) {
    const [element] = checker.getTypeArguments(lists[0] as ts.TypeReference)
    const inner = element === undefined ? null : typeOf(checker, element)
    return { kind: inner?.kind ?? 'unknown', isList: true, isNullable, values: null }
  }
  const texts = present.flatMap((each) => (each.isStringLiteral() ? [each.value] : []))
  const [kind = 'unknown', ...others] = new Set(present.map(kindOfType))
  return {
    kind: others.length === 0 ? kind : 'document',
    isList: false,
    isNullable,
    values: texts.length > 0 && texts.length === present.length ? texts : null,
  }
}

function kindOfType(type: ts.Type): Claimed['kind'] {
  const { flags, symbol } = type
  if (flags & ts.TypeFlags.StringLike) return 'string'
  if (flags & ts.TypeFlags.NumberLike) return 'number'
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean'
  if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.TypeParameter)) return 'unknown'
  if (symbol?.name === 'Buffer') return 'buffer'
  return symbol?.name === 'Date' ? 'date' : 'document'
}
