/** Parts of the description of a call, for any OpenAPI document that is made from a route table. */
import type { z } from 'zod'
import { type ExampleSource, exampleOf } from './examples.ts'
import type { Json, Schemas, Use } from './schemas.ts'

export interface Describing {
  schemas: Schemas
  examples: ExampleSource
}

/** `/rooms/:name` is `/rooms/{name}` there. */
export function pathOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

export function parameters(schemas: Schemas, schema: z.ZodObject | undefined, where: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = schemas.inline(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, default: initial, ...described }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(described.type === 'array' ? { style: 'form', explode: false } : {}),
    // A parameter in the path is always given, so it has no default.
    schema: where === 'path' || initial === undefined ? described : { ...described, default: initial },
  }))
}

export function media({ schemas, examples }: Describing, schema: z.ZodType, name: string, use: Use): Json {
  const described = schemas.reference(schema, name, use)
  return { schema: described, example: exampleOf(described, examples, examples.isNamed === true ? name : '') }
}

/**
 * One response for each status, with its codes.
 * @param about status and text of each code
 * @param schema the schema of a problem
 */
export function responsesOf<Code extends string>(
  codes: readonly Code[],
  about: Readonly<Record<Code, { status: number; text: string }>>,
  schema: Json,
): Json {
  const byStatus = new Map<number, Code[]>()
  for (const code of codes) {
    const { status } = about[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, found]) => {
      const examples = Object.fromEntries(found.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      const description = found.map((code) => `\`${code}\`: ${about[code].text}`).join(' ')
      return [status, { description, content: { 'application/problem+json': { schema, examples } } }]
    })
  return Object.fromEntries(responses)
}
