/** Writes the shapes of the region protocol as tables in Markdown, from its OpenAPI document. */
import { exampleIn } from './describe-region.mjs'

/**
 * A table with a row for each field, also of objects that have no name of their own.
 * @param schema an object of the document, or a list of parameters as one
 * @param page the page that the table is on: shapes are described on calls.md
 * @param parent the name of the shape, for its examples
 */
export function tableOfFields(document, schema, page, parent = '') {
  const rows = fieldsOf(document, schema, parent).map(({ path, described, isOptional, example }) => {
    const given = isOptional
      ? `, optional${described.default === undefined ? '' : `; ${described.default === '' ? 'empty' : code(described.default)} without it`}`
      : ''
    const meaning = describedAt(described)
    if (meaning === undefined) throw new Error(`${parent}.${path} has no description.`)
    return [`\`${path}\``, `${typeOf(described, page)}${given}`, withLinks(meaning, page), code(example)]
  })
  return table(['field', 'type', 'meaning', 'example'], rows)
}

export function table(heads, rows) {
  const lines = [heads, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return [lines[0], `|${'---|'.repeat(heads.length)}`, ...lines.slice(1)].join('\n')
}

/** The fields of an object; those of objects within it by their paths. */
function fieldsOf(document, { properties = {}, required = [] }, parent, before = '', isWithinOptional = false) {
  return Object.entries(properties).flatMap(([name, described]) => {
    const path = before + name
    const isOptional = !isWithinOptional && !required.includes(name)
    const example = short(exampleIn(document, described, name, parent))
    const row = { path, described, isOptional, example }
    const inner = innerObject(described)
    if (inner === null) return [row]
    const within = inner.objects.flatMap((each) =>
      fieldsOf(document, each, name, `${path}${inner.isList ? '[]' : ''}.`, inner.objects.length > 1),
    )
    return [row, ...within]
  })
}

/** The objects without a name that a field holds, or is a choice of. */
function innerObject(described) {
  const isList = described.type === 'array'
  const held = isList ? described.items : described
  const objects = (held.anyOf ?? [held]).filter((each) => each.type === 'object' && each.properties !== undefined)
  return objects.length === 0 ? null : { objects, isList }
}

/** Lists and objects of many fields are shown by their own tables. */
function short(example) {
  if (Array.isArray(example)) return example.length > 0 && typeof example[0] === 'object' ? undefined : example
  return typeof example === 'object' && example !== null ? undefined : example
}

/** Empty for a shape, which is described where its link leads. */
function describedAt({ description, $ref }) {
  return description ?? ($ref === undefined ? undefined : '')
}

export const nameOf = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)

/** Such as `text, 1–200 characters, or null`. */
export function typeOf(described, page) {
  if (described.$ref !== undefined) return linkTo(nameOf(described), page)
  const choices = described.anyOf ?? described.oneOf
  if (choices !== undefined) {
    const types = choices.map((each) =>
      each.properties === undefined ? typeOf(each, page) : `\`{ ${Object.keys(each.properties)} }\``,
    )
    return types.length > 4 ? 'by the type of the job, or null' : types.join(' or ')
  }
  if (described.const !== undefined) return code(described.const)
  if (described.enum !== undefined) return described.enum.length > 8 ? 'a type of job' : oneOf(described.enum.map(code))
  const bounds = boundsOf(described)
  if (described.type === 'array') return `list of ${typeOf(described.items, page)}${bounds}`
  const named = [described.type].flat().map((type) => types[type])
  return (formats[described.format] ?? named.join(' or ')) + bounds
}

/** `a`, `b` or `c` */
function oneOf(choices) {
  return [choices.slice(0, -1).join(', '), choices.at(-1)].filter((each) => each !== '').join(' or ')
}

const formats = { uuid: 'UUID', 'date-time': 'time', date: 'date', uri: 'address' }
const types = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
}

function boundsOf({ minLength = 0, maxLength, minimum, maximum, minItems, maxItems, pattern }) {
  const parts = []
  const isOpen = (bound) => bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER
  if (maxLength !== undefined) parts.push(`${minLength}–${grouped(maxLength)} characters`)
  if (!isOpen(minimum) && !isOpen(maximum)) parts.push(`${minimum}–${grouped(maximum)}`)
  else if (!isOpen(minimum)) parts.push(`from ${minimum}`)
  if (maxItems !== undefined) parts.push(`${minItems ? `${minItems}–` : 'at most '}${grouped(maxItems)}`)
  if (pattern !== undefined) parts.push(`\`${pattern.replaceAll('|', '\\|')}\``)
  return parts.map((each) => `, ${each}`).join('')
}

function grouped(number) {
  return number.toLocaleString('en')
}

/** The shapes that only wrap a text or a choice stand in one table. */
export function isSmall({ type, enum: choices }) {
  return type === 'string' || choices !== undefined
}

export function linkTo(name, page) {
  return `[${name}](${page === 'calls.md' ? '' : 'calls.md'}#${name.toLowerCase()})`
}

/** Descriptions link from docs/region/calls.md. */
function withLinks(text, page) {
  return text.replaceAll(`](${page}#`, '](#')
}

export function code(value) {
  if (value === undefined) return ''
  return `\`${typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ').replaceAll(':', ': ')}\``
}
