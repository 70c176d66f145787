/** Makes examples for an OpenAPI document from its schemas, with one value for each field name. */
import type { Json } from './schemas.ts'

export const moment = '2027-01-31T09:30:00.000Z'
export const someId = '0190a3c2-5b7e-7c3a-9d1f-2b6c8e4f0a11'

export interface ExampleSource {
  /** The schemas of `#/components/schemas/…`. */
  schemas: Record<string, Json>
  /** Values by field name, or by that of its object and its own; those of other fields are made from the schema. */
  values: Readonly<Record<string, unknown>>
  /** Bodies and answers count as the objects that hold their fields, by their names. */
  isNamed?: true
  /** Fields that no example has, by the name of their object and their own. */
  leftOut?: ReadonlySet<string>
}

/**
 * A value that is valid for the schema.
 * @param field the name of the field whose value it is
 * @param parent the name of the field that holds that field
 */
export function exampleOf(schema: Json, source: ExampleSource, field = '', parent = ''): unknown {
  const { schemas, values } = source
  const described = resolved(schema, schemas)
  const given = [`${parent}.${field}`, field].filter((each) => each in values).map((each) => values[each])[0]
  if (given !== undefined && fits(described, schemas, given)) return given
  if (described.enum !== undefined) return (described.enum as unknown[])[0]
  if (described.const !== undefined) return described.const
  const choices = (described.anyOf ?? described.oneOf) as Json[] | undefined
  if (choices !== undefined) return exampleOf(choices[0] ?? {}, source, field, parent)
  switch (typesOf(described)[0]) {
    case 'object':
      return exampleObject(described, source, field)
    case 'array':
      return [exampleOf((described.items ?? {}) as Json, source, field, parent)]
    case 'string':
      return described.format === undefined
        ? 'text'.padEnd(Number(described.minLength ?? 0), '-')
        : ofFormat(described.format)
    case 'integer':
    case 'number':
      return Math.max(1, Number(described.minimum ?? 0))
    case 'boolean':
      return false
    default:
      return null
  }
}

function exampleObject({ properties = {} }: Json, source: ExampleSource, parent: string): Json {
  const fields = Object.entries(properties as Record<string, Json>).filter(
    ([name, { readOnly }]) => readOnly !== true && source.leftOut?.has(`${parent}.${name}`) !== true,
  )
  return Object.fromEntries(fields.map(([name, each]) => [name, exampleOf(each, source, name, parent)]))
}

function ofFormat(format: unknown): string {
  switch (format) {
    case 'uuid':
      return someId
    case 'date-time':
      return moment
    case 'date':
      return moment.slice(0, 10)
    case 'uri':
      return 'https://console.example/component.js'
    default:
      throw new Error(`No example for the format ${String(format)}.`)
  }
}

function resolved(schema: Json, schemas: Record<string, Json>): Json {
  if (typeof schema.$ref !== 'string') return schema
  return resolved(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, schemas)
}

function typesOf({ type }: Json): unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** Whether the value is valid for the schema: fields of one name may have different types. */
function fits(schema: Json, schemas: Record<string, Json>, value: unknown): boolean {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices !== undefined) return choices.some((each) => fits(resolved(each, schemas), schemas, value))
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (schema.const !== undefined) return schema.const === value
  if (schema.format === 'uuid' && value !== someId) return false
  if (schema.format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(value))) return false
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(String(value)))) return false
  const types = typesOf(schema)
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'object') return types.includes('object') && schema.properties === undefined
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number')
  return types.includes(typeof value)
}
