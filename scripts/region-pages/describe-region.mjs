/** Makes the OpenAPI 3.1 document of the region protocol from its route table. */
import * as protocol from '@roomkeeper/region-protocol'
import { problemOf } from '../../apps/region/src/refusals.ts'
import { media, parameters, pathOf, responsesOf } from '../../apps/server/src/app/openapi/describe-call.ts'
import { exampleOf } from '../../apps/server/src/app/openapi/examples.ts'
import { createSchemas, namesOfExports } from '../../apps/server/src/app/openapi/schemas.ts'
import { exampleValues } from './example-values.mjs'

const { codesOf, fenceHeaders, jobInput, jobResults, regionBasePath, regionCodes, regionProblem, regionRoutes } =
  protocol

/** What a call is about, by the beginning of its path. */
export const groups = {
  session: 'Signing in, and the region itself.',
  status: 'Signing in, and the region itself.',
  rooms: 'Rooms, their settings, locks and sessions.',
  users: 'Customer users.',
  jobs: 'Long tasks.',
  files: 'Backups and exports on their way.',
  fences: 'Fences of operations.',
  routes: 'Redirects of rooms that have moved away.',
}
export const groupOf = ({ path }) => path.split('/')[1]

export const capitalised = (text) => text[0].toUpperCase() + text.slice(1)

/** The names of schemas: those of exports, and of the inputs and results of jobs. */
function naming() {
  const names = namesOfExports(protocol, [protocol.jobQuery, protocol.roomPageQuery, fenceHeaders])
  for (const option of jobInput.options) names.set(option, `${capitalised(option.shape.type.value)}Job`)
  const results = new Set()
  for (const [type, schema] of Object.entries(jobResults)) {
    // Some kinds share the form of their results.
    if (!results.has(schema)) names.set(schema, `${capitalised(type)}Result`)
    results.add(schema)
  }
  return names
}

/** @returns the document, and the same with what only the pages show: the manifest, and which result a job has */
export function describeRegion() {
  const names = naming()
  const schemas = createSchemas({ names: { answer: names, body: names } })
  const describing = { schemas, examples: { schemas: schemas.named, values: exampleValues, isNamed: true } }
  const problemSchema = schemas.reference(regionProblem, 'regionProblem', 'answer')
  const paths = {}
  for (const [name, route] of Object.entries(regionRoutes)) {
    const path = regionBasePath + pathOf(route.path)
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: describeRoute(describing, problemSchema, name, route),
    }
  }
  const results = Object.values(jobResults).map((schema) => schemas.reference(schema, 'result', 'answer'))
  const { result } = schemas.named.JobInfo.properties
  const known = [...new Map(results.map((each) => [each.$ref, each])).values()]
  Object.assign(result, { anyOf: [...known, { type: 'null' }] })
  Object.assign(schemas.named.JobInput, { discriminator: { propertyName: 'type', mapping: mappingOfJobs() } })
  const codes = new Set(Object.values(regionRoutes).flatMap(codesOf))
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Region protocol of Roomkeeper',
      version: String(protocol.protocolVersion),
      description: 'What a server answers that hosts project rooms. The pages in docs/region say the rest.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'https://region.example', description: 'A region' }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of `POST session`.' },
        ticket: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: '`Ticket <ticket>`, for the upload of one file from another region.',
        },
      },
      schemas: schemas.named,
      examples: Object.fromEntries([...codes].map((code) => [code, { value: problemOf(code, exampleValues) }])),
    },
  }
  const [forPages, written] = [structuredClone(document), structuredClone(document)]
  const { $ref } = schemas.reference(protocol.backupManifest, 'backupManifest', 'answer')
  forPages.components.schemas.BackupManifest = schemas.named[$ref.slice($ref.lastIndexOf('/') + 1)]
  forPages.jobResults = Object.fromEntries(
    Object.keys(jobResults).map((type, index) => [type, results[index].$ref.split('/').at(-1)]),
  )
  return { document: written, forPages }
}

function mappingOfJobs() {
  return Object.fromEntries(
    Object.keys(jobResults).map((type) => [type, `#/components/schemas/${capitalised(type)}Job`]),
  )
}

function describeRoute(describing, problemSchema, name, route) {
  const { schemas } = describing
  return {
    operationId: name,
    tags: [groupOf(route)],
    summary: route.summary,
    ...(route.capability === undefined ? {} : { 'x-capability': route.capability }),
    security: route.public ? [] : [{ session: [] }, ...(route.takesTicket ? [{ ticket: [] }] : [])],
    parameters: [
      ...parameters(schemas, route.params, 'path'),
      ...parameters(schemas, route.query, 'query'),
      ...(route.changes ? markOfCall(schemas) : []),
      ...(headersOf[name]?.asked ?? []),
    ],
    ...requestBody(describing, name, route),
    responses: {
      ...success(describing, name, route),
      ...responsesOf(codesOf(route), aboutCodes, problemSchema),
      default: {
        description: 'Any other refusal.',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    },
  }
}

const aboutCodes = Object.fromEntries(
  Object.entries(regionCodes).map(([code, { status, when }]) => [code, { status, text: when }]),
)

const header = (name, description, more = {}) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  ...more,
})

function markOfCall(schemas) {
  const { properties } = schemas.inline(fenceHeaders)
  const fences = Object.entries(properties).map(([name, { description, ...schema }]) =>
    header(`roomkeeper-${name}`, description, { schema }),
  )
  return [...fences, header('idempotency-key', 'The same in repetitions of the call. A region may ignore it.')]
}

const digest = header('digest', '`sha-256=` and the base64 of the SHA-256 of the whole content.')

/** The headers of calls about files. */
const headersOf = {
  putFile: {
    asked: [
      digest,
      header(
        'content-range',
        '`bytes <first>-<last>/<size>` goes on with an upload; `bytes */<size>` asks how much has arrived.',
      ),
      header(protocol.digestAtEnd.name, 'With a ticket: `at-end`.', {
        schema: { type: 'string', const: protocol.digestAtEnd.value },
      }),
    ],
  },
  getFile: {
    asked: [
      header('range', '`bytes=<first>-<last>`, one range.'),
      header('if-range', 'The `ETag`: the range counts only if the file still has it.'),
    ],
    answered: [
      digest,
      header('etag', 'The SHA-256 of the whole content, hexadecimal, in quotation marks.'),
      header('accept-ranges', '`bytes`'),
    ],
  },
}

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

function requestBody(describing, name, route) {
  if (route.bodyStream) return { requestBody: { required: true, content: bytes } }
  if (route.body === undefined) return {}
  return {
    requestBody: {
      required: true,
      content: { 'application/json': media(describing, route.body, `${name}Body`, 'body') },
    },
  }
}

function success(describing, name, { answer }) {
  if (answer === 'nothing') return { 204: { description: 'Done.' } }
  if (answer !== 'stream')
    return {
      200: {
        description: 'Done.',
        content: { 'application/json': media(describing, answer, `${name}Answer`, 'answer') },
      },
    }
  const headers = Object.fromEntries(
    (headersOf[name]?.answered ?? []).map(({ name: each, description, schema }) => [each, { description, schema }]),
  )
  const whole = { description: 'The content.', headers, content: bytes }
  if (name !== 'getFile') return { 200: whole }
  const contentRange = { description: '`bytes <first>-<last>/<size>`', schema: { type: 'string' } }
  return {
    200: whole,
    206: { ...whole, description: 'The range.', headers: { ...headers, 'content-range': contentRange } },
  }
}

/** @returns an example for a schema of the document */
export function exampleIn(document, schema, field, parent) {
  return exampleOf(schema, { schemas: document.components.schemas, values: exampleValues }, field, parent)
}
