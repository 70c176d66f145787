/** The input of a call, from its fields and a file. */
import { closestTo, type Route, type RouteName, routes, shortened } from '@roomkeeper/contract'
import { InvalidArgumentError } from 'commander'
import { parse } from 'yaml'
import { z } from 'zod'
import { usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface ApiOptions {
  field?: Record<string, string>
  input?: string
}

const secret = /password|secret|token|accessKey/i

export function collectField(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('It has to look like name=value.')
  if (secret.test(name)) throw new InvalidArgumentError('Everybody can read arguments. Give it with --input.')
  return { ...earlier, [name]: value }
}

/** @throws Failure */
export async function inputOf(
  terminal: Terminal,
  name: RouteName,
  { field: fields = {}, input: path }: ApiOptions,
): Promise<object> {
  const route: Route = routes[name]
  const body = path === undefined ? {} : parsed(await terminal.read(path), path)
  const input: Record<string, Record<string, unknown>> = {}
  for (const [field, text] of Object.entries(fields)) {
    const part = parts.find((each) => Object.hasOwn(shapeOf(route[each]), field))
    if (part === undefined) throw unknownField(name, field)
    input[part] = { ...input[part], [field]: fieldValue(shapeOf(route[part])[field], text) }
  }
  if (route.body === undefined) return input
  const isList = typeof body !== 'object' || body === null || Array.isArray(body)
  return { ...input, body: isList ? body : { ...body, ...input.body } }
}

const parts = ['params', 'query', 'body'] as const

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
}

/** @returns a text where the field takes one; otherwise what the text says as JSON */
function fieldValue(schema: z.ZodType | undefined, text: string): unknown {
  if (schema === undefined || z.safeEncode(schema, text).success) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function parsed(text: string, path: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw usageFailure(
      `${path} cannot be read: ${error instanceof Error ? shortened(error.message.split('\n')[0] ?? '') : ''}`,
    )
  }
}

function unknownField(name: RouteName, field: string) {
  const known = parts.flatMap((part) => Object.keys(shapeOf((routes[name] as Route)[part])))
  const meant = closestTo(field, known)
  const others = known.length === 0 ? 'It takes none.' : `Fields: ${known.join(', ')}.`
  return usageFailure(`${name} has no field ${shortened(field)}.${meant === null ? '' : ` Is it ${meant}?`}`, others)
}
