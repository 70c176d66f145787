/** The OpenAPI 3.1 document, made from the route table. */
import { problem, type Route, routes } from '@roomkeeper/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

export function describeApi(): Json {
  const paths: Record<string, Json> = {}
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Roomkeeper', version: '1', description: 'Create and look after project rooms.' },
    paths,
    components: {
      securitySchemes: { operator: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: wireSchema(problem, 'output') },
    },
  }
}

function describeRoute(name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    'x-access': route.access,
    security: route.access === 'public' ? [] : [{ operator: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query'), ...keyHeader(route)],
    ...requestBody(route),
    responses: { ...successes(route), default: { description: 'Refused', content: problemContent } },
  }
}

function requestBody(route: Route): Json {
  if (route.upload !== undefined)
    return { requestBody: { required: true, content: { 'multipart/form-data': oneFile } } }
  if (route.body === undefined) return {}
  return {
    requestBody: { required: true, content: { 'application/json': { schema: wireSchema(route.body, 'input') } } },
  }
}

const oneFile = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  },
}

const problemContent = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }

function keyHeader(route: Route): Json[] {
  if (route.startsOperation !== true) return []
  return [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 128 } }]
}

function parameters(schema: z.ZodObject | undefined, where: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const described = wireSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(described.properties ?? {}).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || (described.required ?? []).includes(name),
    schema: each,
  }))
}

function successes(route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const media = route.stream?.split(';')[0] ?? 'application/json'
      if (schema === true) return [status, { description: 'Done' }]
      const content = {
        [media]: { schema: route.stream === undefined ? wireSchema(schema, 'input') : { type: 'string' } },
      }
      return [status, { description: status === '202' ? 'Accepted, running' : 'Done', content }]
    }),
  )
}

/** A codec's wire side is its input. */
function wireSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return described
}
