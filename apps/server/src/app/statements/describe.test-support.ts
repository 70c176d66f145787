/** Asks PostgreSQL what a statement takes and gives, without running it. */
import pg from 'pg'

export interface Described {
  /** The types of its parameters, by name, such as `uuid` or `text[]`. */
  parameters: string[]
  columns: DescribedColumn[]
}

export interface DescribedColumn extends ColumnOfTable {
  name: string
  type: string
}

/** All null: the column is an expression. */
interface ColumnOfTable {
  table: string | null
  isNullable: boolean | null
  /** The only texts that the column permits; null: any. */
  values: string[] | null
}

interface Field {
  name: string
  tableID: number
  columnID: number
  dataTypeID: number
}

interface Raw {
  parameters: number[]
  fields: Field[]
}

export class Describer {
  readonly #client: pg.Client
  readonly #types: Map<number, string>
  readonly #columns: Map<string, ColumnOfTable>

  private constructor(client: pg.Client, types: Map<number, string>, columns: Map<string, ColumnOfTable>) {
    this.#client = client
    this.#types = types
    this.#columns = columns
  }

  static async open(url: string): Promise<Describer> {
    const client = new pg.Client(url)
    await client.connect()
    const types = await client.query<{ oid: number; name: string }>(
      'select oid, oid::regtype::text as name from pg_type',
    )
    const columns = await client.query<ColumnOfTable & { key: string; definition: string | null }>(`
      select attrelid || ' ' || attnum as key, attrelid::regclass::text as table, not attnotnull as "isNullable",
             (select array_agg(enumlabel::text) from pg_enum where enumtypid = atttypid) as values,
             (select pg_get_constraintdef(k.oid) from pg_constraint k
               where k.conrelid = attrelid and k.contype = 'c' and k.conkey = array[attnum] limit 1) as definition
        from pg_attribute where attnum > 0 and not attisdropped`)
    return new Describer(
      client,
      new Map(types.rows.map(({ oid, name }) => [oid, name])),
      new Map(
        columns.rows.map(({ key, definition, ...column }) => [
          key,
          { ...column, values: column.values ?? valuesIn(definition) },
        ]),
      ),
    )
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  /** @throws pg.DatabaseError that says what is wrong with the statement */
  async describe(text: string): Promise<Described> {
    const { parameters, fields } = await this.#ask(text)
    const nameOf = (oid: number) => this.#types.get(oid) ?? String(oid)
    return {
      parameters: parameters.map(nameOf),
      columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
        name,
        type: nameOf(dataTypeID),
        ...(this.#columns.get(`${tableID} ${columnID}`) ?? { table: null, isNullable: null, values: null }),
      })),
    }
  }

  #ask(text: string): Promise<Raw> {
    const { promise, resolve, reject } = Promise.withResolvers<Raw>()
    const raw: Raw = { parameters: [], fields: [] }
    this.#client.query({
      submit(connection: pg.Connection) {
        connection.removeAllListeners('parameterDescription')
        connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
          raw.parameters = dataTypeIDs
        })
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: Field[] }) {
        raw.fields = fields
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(raw),
    } as unknown as pg.Submittable)
    return promise
  }
}

/** Reads the values of `check (state in ('a', 'b'))` from PostgreSQL's form of the constraint. */
function valuesIn(definition: string | null): string[] | null {
  const list = definition?.match(/= ANY \(ARRAY\[(.+)\]\)/)?.[1]
  return list === undefined ? null : [...list.matchAll(/'([^']*)'/g)].map(([, value = '']) => value).sort()
}
