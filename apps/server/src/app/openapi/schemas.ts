/** The schemas of an OpenAPI document, each listed once under its name. */
import { z } from 'zod'

export type Use = 'body' | 'answer'

export type Json = Record<string, unknown>

export interface Schemas {
  /** The content of `components.schemas`; grows as schemas are referred to. */
  named: Record<string, Json>
  /** @param name the name for an object that has none */
  reference(schema: z.ZodType, name: string, use: Use): Json
  /** The schema itself; its parts are references. */
  inline(schema: z.ZodType): Json
}

export interface Naming {
  /** The names of schemas in answers and in bodies. */
  names: Record<Use, Map<unknown, string>>
  /**
   * The fields of a body that nothing comes of, which are marked as read-only. With it, a body takes no other fields
   * than it names.
   */
  ignoredFieldsOf?(schema: z.ZodObject): readonly string[]
}

const base = '#/components/schemas/'

export function createSchemas({ names, ignoredFieldsOf }: Naming): Schemas {
  const named: Record<string, Json> = {}
  const describe = (schema: z.ZodType, use: Use) => {
    const { $defs = {}, ...described } = wireSchema(schema, names[use], use === 'body' ? ignoredFieldsOf : undefined)
    Object.assign(named, $defs)
    return described
  }
  return {
    named,
    inline: (schema) => describe(schema, 'answer'),
    reference(schema, name, use) {
      const known = names[use].get(schema)
      const described = describe(schema, use)
      if (known === undefined && described.type !== 'object') return described
      const ownName = known ?? capitalised(name)
      named[ownName] = described
      return { $ref: base + ownName }
    },
  }
}

/** The names of all schemas that a module exports: `projectRoom` is called `ProjectRoom` here. */
export function namesOfExports(module: Record<string, unknown>, unnamed: readonly unknown[]): Map<unknown, string> {
  const schemas = Object.entries(module).filter(([, value]) => value instanceof z.ZodType && !unnamed.includes(value))
  return new Map(schemas.map(([name, schema]) => [schema, capitalised(name)]))
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** The JSON schema of the wire form, which is the input of a codec. */
export function wireSchema(
  schema: z.ZodType,
  names: Map<unknown, string>,
  ignoredFieldsOf?: Naming['ignoredFieldsOf'],
): Json & { $defs?: Record<string, Json> } {
  const registry = z.registry<{ id?: string }>()
  for (const [each, id] of names) if (each !== schema) registry.add(each as z.ZodType, { id })
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
    metadata: registry,
    override({ zodSchema, jsonSchema }) {
      // The patterns of times and ids are long and say no more than their formats.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
      if (ignoredFieldsOf !== undefined && zodSchema instanceof z.ZodObject)
        closeObject(jsonSchema, ignoredFieldsOf(zodSchema))
    },
  })
  return withReferences(described) as Json & { $defs?: Record<string, Json> }
}

/** A reference is closed where it leads. */
function closeObject(described: z.core.JSONSchema.BaseSchema, ignoredFields: readonly string[]): void {
  if (described.$ref !== undefined) return
  const ignored = ignoredFields.map((field) => [field, { readOnly: true }])
  described.properties = { ...described.properties, ...Object.fromEntries(ignored) }
  described.additionalProperties = false
}

/** Turns references to a document's own `$defs` into references to the shared components. */
function withReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withReferences)
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).filter(([key, value]) => key !== 'id' || typeof value !== 'string')
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/$defs/', base) : withReferences(value),
    ]),
  )
}
