/** Parses what a region has answered, and says in plain words where and how it differs from the protocol. */
import type { z } from 'zod'
import { inForm } from '../bounds.ts'
import { WrongForm } from './errors.ts'

/**
 * The value parsed by the schema.
 * @param what such as `answer to GET rooms/{name}`
 * @throws {WrongForm} with the first field that is wrong
 */
export function requireForm<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const { data, error } = inForm(schema, value)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return data as z.output<S>
  const field = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new WrongForm(what, `${field}expected ${expectedBy(issue)}, but ${kindOf(issue)}`)
}

function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return types[issue.expected] ?? issue.expected
    case 'invalid_value':
      return issue.values.map((each) => JSON.stringify(each)).join(' or ')
    case 'invalid_format':
      return formats[issue.format] ?? `a text that matches ${issue.pattern}`
    case 'too_big':
      return `at most ${issue.maximum} ${units[issue.origin] ?? ''}`.trimEnd()
    case 'too_small':
      return `at least ${issue.minimum} ${units[issue.origin] ?? ''}`.trimEnd()
    default:
      // The text of a check of our own.
      return issue.code === 'custom' ? issue.message : 'something else'
  }
}

/** What came instead, without repeating any of it: it may be a secret. */
function kindOf({ code, input }: z.core.$ZodIssue): string {
  if (code === 'too_big') return 'it is more'
  if (code === 'too_small') return 'it is less'
  if (input === undefined) return 'it is missing'
  if (input === null) return 'it is null'
  if (typeof input === 'string' && code !== 'invalid_type') return 'it is another text'
  return `it is ${Array.isArray(input) ? types.array : types[typeof input]}`
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  nonoptional: 'a value or null',
}
const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  datetime: 'a time such as 2027-01-31T09:30:00.000Z',
  date: 'a date such as 2027-01-31',
}
const units: Readonly<Record<string, string>> = { string: 'characters', array: 'elements' }
