/** The refusals of a call as responses of the OpenAPI document: one for each status, with its codes. */
import {
  because,
  fillIn,
  type Params,
  paramNamesOf,
  type RefusalCode,
  type Route,
  refusals,
  refusalsOf,
  routes,
} from '@roomkeeper/contract'
import { exampleValues } from './examples.ts'
import type { Json } from './schemas.ts'

const media = 'application/problem+json'

/** @param schema the schema of a problem */
export function refusalResponses(route: Route, schema: Json): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(route)) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses = [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, response(codes, schema)])
  const unexpected = {
    description: 'A defect of the server; the text holds the id of the request.',
    content: { [media]: { schema } },
  }
  return { ...Object.fromEntries(responses), default: unexpected }
}

function response(codes: RefusalCode[], schema: Json): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  const description = codes.map((code) => `\`${code}\`: ${refusals[code].title}.`).join(' ')
  return { description, content: { [media]: { schema, examples } } }
}

/** An example for every code that some call names. */
export function problemExamples(): Json {
  const codes = new Set((Object.values(routes) as Route[]).flatMap(refusalsOf))
  return Object.fromEntries(
    [...codes].map((code) => {
      const { status, title, detail } = refusals[code]
      const params = Object.fromEntries(paramNamesOf(detail).map((name) => [name, exampleParam(name)]))
      const text = fillIn(detail, params)
      const instance = '/api/operator/edit'
      return [
        code,
        { summary: title, value: { type: `urn:roomkeeper:${code}`, title, status, detail: text, instance, params } },
      ]
    }),
  )
}

function exampleParam(name: string): Params[string] {
  const value = exampleValues[name]
  if (name === 'reason') return because('told', { told: String(value) })
  return typeof value === 'number' ? value : String(value ?? name)
}
