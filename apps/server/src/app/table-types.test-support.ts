/** Reads the table interfaces with TypeScript, and the schema from the database. */
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { columnOf } from '#platform/column-names.ts'
import { type Db, queryRows } from '#platform/database.ts'

export interface Column {
  /** `rooms.region_id`, as in SQL. */
  name: string
  kind: Kind
  isList: boolean
  isNullable: boolean
  /** Whether an insert must, may or must not set the column. */
  whenInserted: 'required' | 'optional' | 'never'
  /** The only permitted texts; null: any. */
  values: readonly string[] | null
}

/** The type of a column, or of the elements of a list. A document may be anything. */
type Kind = 'string' | 'number' | 'boolean' | 'buffer' | 'document'

const probe = `
  import type { Insertable, Selectable } from 'kysely'
  import type { Tables } from '#platform/tables.ts'
  import type {} from './tables.ts'
  export type Selected = { [Name in keyof Tables]: Selectable<Tables[Name]> }
  export type Inserted = { [Name in keyof Tables]: Insertable<Tables[Name]> }`

export function readTableTypes(): Column[] {
  const { checker, types } = check(probe)
  const [selected, inserted] = [types('Selected'), types('Inserted')]
  return selected.flatMap((table) => {
    const insert = inserted.find(({ name }) => name === table.name)
    const insertable = new Map(insert?.members.map((member) => [member.name, member]))
    return table.members.map((member) => {
      const given = insertable.get(member.name)
      const whenInserted = given === undefined ? 'never' : isOptional(given) ? 'optional' : 'required'
      const name = `${columnOf(table.name)}.${columnOf(member.name)}`
      return { name, whenInserted, ...describe(checker, checker.getTypeOfSymbol(member)) } as const
    })
  })
}

const isOptional = (member: ts.Symbol) => (member.flags & ts.SymbolFlags.Optional) !== 0

function check(text: string) {
  const file = join(import.meta.dirname, 'table-types.probe.ts')
  const { options } = ts.getParsedCommandLineOfConfigFile(
    join(dirname(ts.findConfigFile(import.meta.dirname, ts.sys.fileExists) ?? ''), 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  ) ?? { options: {} }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, language, ...rest) =>
    name === file ? ts.createSourceFile(name, text, language) : getSourceFile(name, language, ...rest)
  const program = ts.createProgram([file], options, host)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const exported = module === undefined ? [] : checker.getExportsOfModule(module)
  const membersOf = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol).getProperties()
  return {
    checker,
    types(name: string) {
      const symbol = exported.find((each) => each.name === name)
      if (symbol === undefined) throw new Error(`The type ${name} was not found.`)
      const tables = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
      return tables.map((table) => ({ name: table.name, members: membersOf(table) }))
    },
  }
}

function describe(checker: ts.TypeChecker, type: ts.Type): Omit<Column, 'name' | 'whenInserted'> {
  const members = type.isUnion() ? type.types : [type]
  const present = members.filter(({ flags }) => (flags & ts.TypeFlags.Null) === 0)
  const isNullable = present.length < members.length || (type.flags & ts.TypeFlags.Unknown) !== 0
  const [first] = present
  if (first !== undefined && checker.isArrayType(first)) {
    const [element] = checker.getTypeArguments(first as ts.TypeReference)
    return { kind: element === undefined ? 'document' : kindOf(element), isList: true, isNullable, values: null }
  }
  const values = present.flatMap((each) => (each.isStringLiteral() ? [each.value] : []))
  const [kind = 'document', ...others] = new Set(present.map(kindOf))
  return {
    kind: others.length === 0 ? kind : 'document',
    isList: false,
    isNullable,
    values: values.length > 0 && values.length === present.length ? values.sort() : null,
  }
}

function kindOf(type: ts.Type): Kind {
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return 'string'
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return 'number'
  if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return 'boolean'
  return type.symbol?.name === 'Buffer' ? 'buffer' : 'document'
}

const kinds: Record<string, Kind> = {
  bool: 'boolean',
  bytea: 'buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'document',
  text: 'string',
  timestamptz: 'string',
  uuid: 'string',
  xid8: 'string',
}

type SchemaRow = Omit<Column, 'kind'> & { type: string; definition: string | null }

/** @param except tables to leave out */
export async function readSchema(db: Db, except: readonly string[]): Promise<Column[]> {
  const rows = await queryRows<SchemaRow>(
    db,
    `select c.relname || '.' || a.attname as name, coalesce(e.typname, t.typname)::text as type,
            e.oid is not null as is_list, not a.attnotnull as is_nullable,
            case when a.attgenerated <> '' or a.attidentity = 'a' then 'never'
                 when a.attnotnull and not a.atthasdef and a.attidentity = '' then 'required'
                 else 'optional' end as when_inserted,
            (select array_agg(enumlabel::text order by enumlabel::text) from pg_enum where enumtypid = t.oid) as values,
            (select pg_get_constraintdef(k.oid) from pg_constraint k
              where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as definition
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_type t on t.oid = a.atttypid
       left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> all($1)`,
    [except],
  )
  return rows.map(({ type, definition, values, ...row }) => ({
    ...row,
    kind: values === null ? kindInSchema(type) : 'string',
    values: values ?? valuesIn(definition),
  }))
}

function kindInSchema(type: string): Kind {
  const kind = kinds[type]
  if (kind === undefined) throw new Error(`Say what a column of the type ${type} is to the code.`)
  return kind
}

/** Reads the values of `check (state in ('a', 'b'))` from PostgreSQL's form of the constraint. */
function valuesIn(definition: string | null): string[] | null {
  const list = definition?.match(/= ANY \(ARRAY\[(.+)\]\)/)?.[1]
  return list === undefined ? null : [...list.matchAll(/'([^']*)'/g)].map(([, value = '']) => value).sort()
}
