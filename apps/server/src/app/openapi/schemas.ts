/** The schemas of the OpenAPI document, each by its name in the contract and written down once. */
import * as contract from '@roomkeeper/contract'
import { z } from 'zod'

export type Json = Record<string, unknown>

export interface Schemas {
  /** For `components.schemas`; grows as schemas are referred to. */
  named: Record<string, Json>
  /** @param name for an object that has none in the contract */
  reference(schema: z.ZodType, name: string): Json
  /** The schema itself, its parts by reference. */
  inline(schema: z.ZodType): Json
}

const base = '#/components/schemas/'

export function createSchemas(): Schemas {
  const names = namesInContract()
  const named: Record<string, Json> = {}
  const inline = (schema: z.ZodType) => {
    const { $defs = {}, ...described } = wireSchema(schema, names)
    Object.assign(named, $defs)
    return described
  }
  return {
    named,
    inline,
    reference(schema, name) {
      const known = names.get(schema)
      const described = inline(schema)
      if (known === undefined && described.type !== 'object') return described
      const ownName = known ?? capitalised(name)
      named[ownName] = described
      return { $ref: base + ownName }
    },
  }
}

/** Forms of query parameters, which generated clients must see as they are. */
const unnamed: readonly unknown[] = [contract.commaJoined, contract.queryFlag]

/** Every schema that the contract exports: `projectRoom` is `ProjectRoom` here. */
function namesInContract(): Map<unknown, string> {
  const schemas = Object.entries(contract).filter(([, value]) => value instanceof z.ZodType && !unnamed.includes(value))
  return new Map(schemas.map(([name, schema]) => [schema, capitalised(name)]))
}

function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** A codec's wire side is its input. */
function wireSchema(schema: z.ZodType, names: Map<unknown, string>): Json & { $defs?: Record<string, Json> } {
  const registry = z.registry<{ id?: string }>()
  for (const [each, id] of names) if (each !== schema) registry.add(each as z.ZodType, { id })
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-2020-12',
    metadata: registry,
    override({ zodSchema, jsonSchema }) {
      // The patterns of times and ids are long, and their formats say the same.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
    },
  })
  return withReferences(described) as Json & { $defs?: Record<string, Json> }
}

/** What is inside a document of its own refers to `$defs`; here all share the components. */
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
