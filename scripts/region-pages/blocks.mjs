/** The generated blocks of docs/region, by what their marks ask for. */
import {
  aboutCapabilities,
  codesOf,
  jobCodes,
  jobResults,
  regionCodes,
  regionRoutes,
} from '@roomkeeper/region-protocol'
import { pathOf } from '../../apps/server/src/app/openapi/describe-call.ts'
import { capitalised } from './describe-region.mjs'
import { digestExample } from './digest-example.mjs'
import { exportExample } from './export-example.mjs'
import { documentsSchema, systemSchema } from './stored-schemas.mjs'
import { code, isSmall, linkTo, nameOf, table, tableOfFields, typeOf } from './tables.mjs'

/** Codes that stand at the head of calls.md, because nearly every call may be refused with them. */
const ofMostCalls = [
  'malformed',
  'invalid-input',
  'signed-out',
  'too-large',
  'wrong-media-type',
  'overtaken',
  'internal',
  'storage-full',
]

/** What a page may ask for with `<!-- block name -->`; each of these has to be asked for once. */
export function wantedBlocks() {
  return [
    ...Object.keys(regionRoutes).map((name) => `call ${name}`),
    ...Object.keys(jobResults).map((type) => `job ${type}`),
    ...['shapes', 'codes', 'capabilities', 'manifest', 'system.db', 'documents', 'digest', 'adb'],
  ]
}

/** @returns the text of a block for this page */
export async function blockOf(document, wanted, page) {
  const [kind, name] = wanted.split(' ')
  switch (kind) {
    case 'call':
      return callBlock(document, name, page)
    case 'job':
      return jobBlock(document, name, page)
    case 'shapes':
      return shapesBlock(document, page)
    case 'codes':
      return codesBlock()
    case 'capabilities':
      return table(
        ['capability', 'what it is', 'without it'],
        Object.entries(aboutCapabilities).map(([each, { what, without }]) => [`\`${each}\``, what, without]),
      )
    case 'manifest':
      return tableOfFields(document, document.components.schemas.BackupManifest, page, 'BackupManifest')
    case 'system.db':
      return fenced('sql', systemSchema())
    case 'documents':
      return fenced('sql', documentsSchema())
    case 'digest':
      return digestExample()
    case 'adb':
      return exportExample()
    default:
      throw new Error(`${page} asks for ${wanted}, which is no block.`)
  }
}

function callBlock(document, name, page) {
  const route = regionRoutes[name]
  const described = document.paths[`/region/v1${pathOf(route.path)}`][route.method.toLowerCase()]
  const query = described.parameters.filter((each) => each.in === 'query')
  const body = described.requestBody?.content['application/json']?.schema
  const isJob = name === 'startJob'
  const refused = codesOf(route).filter((each) => !ofMostCalls.includes(each))
  return [
    `\`${route.method} ${pathOf(route.path).slice(1)}\`: ${route.summary}`,
    ...(route.capability === undefined ? [] : [`Capability \`${route.capability}\`.`]),
    ...(query.length === 0 ? [] : ['Query:', tableOfFields(document, asObject(query), page, name)]),
    ...(isJob ? ['Body: the input of a job, [by its type](jobs.md#types).'] : []),
    ...(body === undefined || isJob
      ? []
      : ['Body:', tableOfFields(document, document.components.schemas[nameOf(body)], page, nameOf(body))]),
    ...(route.bodyStream ? ['Body: the bytes of the file.'] : []),
    [
      `Answer: ${answerOf(document, described, page)}.`,
      ...(refused.length === 0 ? [] : [`Refused: ${refused.map(linkToCode).join(', ')}.`]),
    ].join(' '),
  ].join('\n\n')
}

/** Parameters as the fields of an object. */
function asObject(parameters) {
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  }
}

function answerOf(document, { responses }, page) {
  if (responses[204] !== undefined) return '204 without a body'
  const json = responses[200].content['application/json']
  if (json !== undefined) return `200 ${shapeOf(document, json.schema, page)}`
  return responses[206] === undefined ? '200 with bytes' : '200 with bytes, or 206 with a range of them'
}

/** Lists have no shape of their own. */
function shapeOf(document, schema, page) {
  const named = document.components.schemas[nameOf(schema)]
  return named.type === 'array' ? typeOf(named, page) : linkTo(nameOf(schema), page)
}

const linkToCode = (each) => `\`${each}\``

function jobBlock(document, type, page) {
  const { schemas } = document.components
  const name = `${capitalised(type)}Job`
  const { type: _, ...properties } = schemas[name].properties
  const resultSchema = document.jobResults[type]
  const { atStart, later } = jobCodes[type]
  const list = (codes) => (codes.length === 0 ? 'nothing of its own' : codes.map(linkToCode).join(', '))
  return [
    tableOfFields(document, { ...schemas[name], properties }, page, name),
    'Result:',
    tableOfFields(document, schemas[resultSchema], page, resultSchema),
    `Refused at \`PUT\`: ${list(atStart)}. Ends as a failed job: ${list(later)}.`,
  ].join('\n\n')
}

function shapesBlock(document, page) {
  const { schemas } = document.components
  const isElsewhere = (name) =>
    /(Job|Result)$/.test(name) ||
    schemas[name].type === 'array' ||
    ['JobInput', 'BackupManifest'].includes(name) ||
    isBodyOnly(document, name)
  const names = Object.keys(schemas)
    .filter((name) => !isElsewhere(name))
    .sort()
  return names.map((name) => `### ${name}\n\n${shapeBlock(document, name, page)}`).join('\n\n')
}

function shapeBlock(document, name, page) {
  const described = document.components.schemas[name]
  if (isSmall(described)) return `${capitalised(typeOf(described, page))}. ${described.description}`
  return tableOfFields(document, described, page, name)
}

/** Whether it is the body of calls, and nothing else refers to it. */
function isBodyOnly(document, name) {
  const text = JSON.stringify(document)
  const bodies = Object.values(document.paths)
    .flatMap((calls) => Object.values(calls))
    .filter(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref?.endsWith(`/${name}`))
  return bodies.length > 0 && text.split(`"#/components/schemas/${name}"`).length - 1 === bodies.length
}

function codesBlock() {
  return table(
    ['code', 'status', 'when', 'what the console does because of it'],
    Object.entries(regionCodes).map(([each, { status, when, console = '' }]) => [code(each), status, when, console]),
  )
}

function fenced(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
