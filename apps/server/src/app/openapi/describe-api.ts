/** Makes the OpenAPI 3.1 document from the route table and the events of webhooks. */
import {
  aboutWebhookEvents,
  because,
  fillIn,
  honoursKey,
  type Params,
  paramNamesOf,
  problem,
  type RefusalCode,
  type Route,
  refusals,
  refusalsOf,
  routes,
  routesByNoun,
  type WebhookMessage,
  webhookBody,
} from '@roomkeeper/contract'
import { type Describing, media, parameters, pathOf, responsesOf } from './describe-call.ts'
import { exampleValues, leftOut } from './example-values.ts'
import { namingOfContract } from './names-in-contract.ts'
import { createSchemas, type Json } from './schemas.ts'

type Noun = keyof typeof routesByNoun

const aboutNouns: Record<Noun, string> = {
  Sessions: 'Signing in and out, the second factor, the own password.',
  Operators: "The accounts of the provider's staff.",
  'API tokens': 'With them other programs make calls in the name of an operator.',
  Rooms: 'Project rooms: list, create, edit, suspend, resume, back up, restore, delete.',
  Bulks: 'One action for many project rooms: preflight, start, progress, cancel, retry.',
  'Deleted rooms': 'Deleted project rooms that can come back from their last backup.',
  Backups: 'What there is to restore project rooms from.',
  'Backup policies': 'Backups that project rooms get by themselves, and which of them are kept.',
  Views: 'What operators have set up in the list of project rooms, by name.',
  Databases: 'The databases inside a project room.',
  Uploads: 'Files that are sent before the call that uses them.',
  Operations: 'What runs in the background: progress, log, cancel, retry.',
  Audit: 'Who did what, and when.',
  Overview: 'What is wrong now.',
  Doctor: 'Whether the console, its regions and its stores agree, and repairs.',
  Regions: 'The servers that host project rooms.',
  'Live migrations': 'Moving project rooms from one region to another.',
  'Cloud configuration': 'Settings for all regions.',
  Webhooks: 'Other programs that are told what happens, and how that went.',
  Maintenance: 'Maintenance mode.',
  Notifications: 'What customers are told in their project rooms.',
  Customers: 'What customers and their project rooms ask without signing in.',
  Events: 'What has changed, as it happens.',
}

/** @param publicPath the path of PUBLIC_URL, with a slash at its end */
export function describeApi(publicPath: string): Json {
  const schemas = createSchemas(namingOfContract())
  const describing = { schemas, examples: { schemas: schemas.named, values: exampleValues, leftOut } }
  const problemSchema = schemas.reference(problem, 'problem', 'answer')
  const paths: Record<string, Json> = {}
  for (const [noun, calls] of Object.entries(routesByNoun)) {
    for (const [name, route] of Object.entries(calls) as [string, Route][]) {
      const path = pathOf(route.path)
      const call = { tags: [noun], ...describeRoute(describing, problemSchema, name, route) }
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: call }
    }
  }
  const webhooks = describeWebhooks(describing)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Roomkeeper',
      version: '1',
      description: 'Create and look after project rooms.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicPath.slice(0, -1) || '/', description: 'This server' }],
    tags: Object.entries(aboutNouns).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a session, from signing in, or an API token, which begins with `rk_`.',
        },
      },
      schemas: schemas.named,
      examples: problemExamples(),
    },
  }
}

function describeRoute(describing: Describing, problemSchema: Json, name: string, route: Route): Json {
  return {
    operationId: name,
    summary: route.summary,
    'x-access': route.access,
    security: route.access === 'public' ? [] : [{ operator: [] }],
    parameters: [
      ...parameters(describing.schemas, route.params, 'path'),
      ...parameters(describing.schemas, route.query, 'query'),
      ...keyHeader(route),
    ],
    ...requestBody(describing, name, route),
    responses: { ...successes(describing, name, route), ...refusalResponses(route, problemSchema) },
  }
}

function requestBody(describing: Describing, name: string, route: Route): Json {
  if (route.upload !== undefined) {
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: oneFile } } } }
  }
  if (route.body === undefined) return {}
  const content = { 'application/json': media(describing, route.body, `${name}Body`, 'body') }
  return { requestBody: { required: true, content } }
}

const oneFile = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
}

function keyHeader(route: Route): Json[] {
  if (!honoursKey(route)) return []
  const description = 'The same key with the same body is answered with what was started or added first.'
  return [
    { name: 'Idempotency-Key', in: 'header', required: false, description, schema: { type: 'string', maxLength: 128 } },
  ]
}

function successes(describing: Describing, name: string, route: Route): Json {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => {
      const description = status === '202' ? 'Accepted, running' : 'Done'
      if (schema === true) return [status, { description }]
      if (route.stream === undefined) {
        const json = { 'application/json': media(describing, schema, `${name}Answer`, 'answer') }
        return [status, { description, content: { ...json, ...textOf(route.download) } }]
      }
      return [status, { description, content: textOf(route.stream) }]
    }),
  )
}

function textOf(mediaType: string | undefined): Json {
  return mediaType === undefined ? {} : { [mediaType.split(';')[0] ?? '']: { schema: { type: 'string' } } }
}

/** @param schema the schema of a problem */
function refusalResponses(route: Route, schema: Json): Json {
  const unexpected = {
    description: 'A defect of the server; the text holds the id of the request.',
    content: { 'application/problem+json': { schema } },
  }
  return { ...responsesOf(refusalsOf(route), aboutCodes, schema), default: unexpected }
}

const aboutCodes = Object.fromEntries(
  Object.entries(refusals).map(([code, { status, title }]) => [code, { status, text: `${title}.` }]),
) as Record<RefusalCode, { status: number; text: string }>

/** An example for every code that some call names. */
function problemExamples(): Json {
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

/** The section `webhooks` of the document: what receivers are sent. */
function describeWebhooks(describing: Describing): Json {
  const types = Object.keys(aboutWebhookEvents) as WebhookMessage[]
  return Object.fromEntries(types.map((type) => [type, { post: describeEvent(describing, type) }]))
}

function describeEvent(describing: Describing, type: WebhookMessage): Json {
  const name = type.replace(/(^|\.)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  return {
    operationId: `webhook${name}`,
    tags: ['Webhooks'],
    summary: aboutWebhookEvents[type],
    // Receivers know us by the signature.
    security: [],
    parameters: signature,
    requestBody: {
      required: true,
      content: { 'application/json': media(describing, webhookBody(type), `Webhook${name}`, 'answer') },
    },
    responses: {
      '2XX': { description: 'The receiver has it.' },
      '4XX': { description: 'Tried again, with growing pauses, for three days; like every other answer, and none.' },
    },
  }
}

const header = (name: string, description: string) => {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
const signature = [
  header('webhook-id', 'The same for every try: what has arrived already can be told by it.'),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    'By the Standard Webhooks specification: `v1,` and base64; several are separated by spaces.',
  ),
]
