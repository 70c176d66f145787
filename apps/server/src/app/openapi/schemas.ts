/** The schemas of the OpenAPI document, each listed once under its name in the contract. */
import * as contract from '@roomkeeper/contract'
import { z } from 'zod'

/** A body takes no other fields than it names; those that nothing comes of are marked as read-only. */
export type Use = 'body' | 'answer'

export type Json = Record<string, unknown>

export interface Schemas {
  /** The content of `components.schemas`; grows as schemas are referred to. */
  named: Record<string, Json>
  /** @param name the name for an object that has none in the contract */
  reference(schema: z.ZodType, name: string, use: Use): Json
  /** The schema itself; its parts are references. */
  inline(schema: z.ZodType): Json
}

const base = '#/components/schemas/'

export function createSchemas(): Schemas {
  const names = { answer: namesInContract(), body: namesInBodies() }
  const named: Record<string, Json> = {}
  const describe = (schema: z.ZodType, use: Use) => {
    const { $defs = {}, ...described } = wireSchema(schema, names[use], use)
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

/** Types of query parameters, which stay inline so that generated clients see them as they are. */
const unnamed: readonly unknown[] = [contract.commaJoined, contract.queryFlag, contract.csvForm]

/** The names of all schemas that the contract exports: `projectRoom` is called `ProjectRoom` here. */
function namesInContract(): Map<unknown, string> {
  const schemas = Object.entries(contract).filter(([, value]) => value instanceof z.ZodType && !unnamed.includes(value))
  return new Map(schemas.map(([name, schema]) => [schema, capitalised(name)]))
}

/** An object that is sent and answered is described twice: an answer of a later release may hold more. */
function namesInBodies(): Map<unknown, string> {
  const names = namesInContract()
  const answers = Object.values<contract.Route>(contract.routes).flatMap((route) => Object.values(route.answers))
  const answered = answers.flatMap((schema) =>
    schema === true ? [] : [names.get(schema), ...Object.keys(wireSchema(schema, names, 'answer').$defs ?? {})],
  )
  const isTwofold = (schema: unknown, name: string) => schema instanceof z.ZodObject && answered.includes(name)
  return new Map([...names].map(([schema, name]) => [schema, isTwofold(schema, name) ? `${name}Sent` : name]))
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** The JSON schema of the wire form, which is the input of a codec. */
function wireSchema(schema: z.ZodType, names: Map<unknown, string>, use: Use): Json & { $defs?: Record<string, Json> } {
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
      if (use === 'body' && zodSchema instanceof z.ZodObject) closeObject(jsonSchema, zodSchema)
    },
  })
  return withReferences(described) as Json & { $defs?: Record<string, Json> }
}

/** A reference is closed where it leads. */
function closeObject(described: z.core.JSONSchema.BaseSchema, schema: z.ZodObject): void {
  if (described.$ref !== undefined) return
  const ignored = contract.ignoredFieldsOf(schema).map((field) => [field, { readOnly: true }])
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
