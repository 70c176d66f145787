import { type Route, type RouteName, routes } from '@roomkeeper/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { encodeAnswer } from './encode-answer.ts'

const answers = (Object.keys(routes) as RouteName[]).flatMap((name) =>
  Object.entries((routes[name] as Route).answers).flatMap(([status, schema]) =>
    schema instanceof z.ZodType ? [{ name, status, schema }] : [],
  ),
)

test('each answer of the contract is encoded as by zod, and what does not fit is refused as by zod', () => {
  expect(answers.length).toBeGreaterThan(50)
  for (const { schema } of answers) expectAsZod(schema, 40)
})

/** Encoded twice, a text has two marks. */
const marks = { decode: (text: string) => text.slice(1), encode: (text: string) => `-${text}` }

test.each<[string, z.ZodType]>([
  ['checks of numbers', z.object({ a: z.int().min(1).max(9), b: z.number().gt(1).lt(9), c: z.number().multipleOf(3) })],
  ['checks of texts', z.object({ a: z.string().min(1).max(1), b: z.email(), c: z.string().trim().regex(/^a/) })],
  ['formats', z.array(z.union([z.uuid(), z.iso.datetime(), z.iso.date(), z.iso.datetime({ offset: true })]))],
  ['checks of whole objects', z.object({ a: z.number() }).refine(({ a }) => a > 0)],
  [
    'checks of what may be null',
    z
      .string()
      .nullable()
      .refine((text) => text !== 'ab'),
  ],
  ['strict objects', z.strictObject({ a: z.string() })],
  ['loose objects', z.looseObject({ a: z.string() })],
  ['unions', z.union([z.strictObject({ a: z.string() }), z.object({ b: z.string() })])],
  ['optional fields', z.object({ a: z.string().optional(), b: z.string().default('b') })],
  ['records', z.object({ a: z.record(z.enum(['x', 'y']), z.int()), b: z.record(z.string().max(1), z.int()) })],
  ['codecs that refuse', z.codec(z.string(), z.int(), { decode: Number, encode: encodeSmall })],
  ['checks of whole lists', z.array(z.codec(z.string(), z.string(), marks)).refine((list) => list[0] !== 'abc')],
  ['schemas one after the other', z.string().pipe(z.iso.date())],
  [
    'lists of some length',
    z
      .array(z.literal([1, 'one', null]))
      .min(1)
      .max(1),
  ],
])('%s are as with zod', (_, schema) => {
  expectAsZod(schema, 500)
})

test('values are encoded that only zod takes', () => {
  const given = Object.assign(Object.create(null), { a: 'x', b: 1 })
  const schema = z.object({ a: z.string() })
  expect(encodeAnswer(schema, given)).toEqual({ a: 'x' })
  expect(encodeAnswer(z.record(z.string(), z.int()), {})).toEqual({})
  expect(() => encodeAnswer(schema, { a: 1 })).toThrow(z.ZodError)
})

function encodeSmall(number: number, context: z.core.ParsePayload): string {
  if (number > 5) context.issues.push({ code: 'custom', input: number, message: 'too large' })
  return String(number)
}

function expectAsZod(schema: z.ZodType, numRuns: number): void {
  fc.assert(
    fc.property(valueFor(schema), (value) => {
      expect(outcome(() => encodeAnswer(schema, value))).toEqual(outcome(() => z.encode(schema, value)))
    }),
    { numRuns },
  )
}

function outcome(encode: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(encode()) ?? 'null')
  } catch (error) {
    return error instanceof z.ZodError ? error.issues.map(({ code, path }) => ({ code, path })) : String(error)
  }
}

const few = { maxLength: 2 }
const junk = fc.constantFrom<unknown>(null, undefined, '', 'abc', 0, 0.5, -1, 7, Number.NaN, 2 ** 60, true, [], {}, [1])

/** Values as they are inside the server; one of some hundred is something else. */
function valueFor(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 300, arbitrary: fittingValue(schema) }, { weight: 1, arbitrary: junk })
}

function fittingValue(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return textFor(String((def as { format?: string }).format))
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer(), fc.double({ min: 0, max: 9 }))
    case 'boolean':
      return fc.boolean()
    case 'enum':
    case 'literal':
      return fc.constantFrom(...(schema._zod.values ?? []))
    case 'nullable':
    case 'optional':
      return fc.option(valueFor(def.innerType), { nil: def.type === 'optional' ? undefined : null })
    case 'default':
    case 'catch':
      return valueFor(def.innerType)
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, field]) => [key, valueFor(field as z.core.$ZodType)])
      return fc.record({ ...Object.fromEntries(fields), ...(fields.length === 1 ? { more: fc.constant(1) } : {}) })
    }
    case 'array':
      return fc.array(valueFor(def.element), few)
    case 'record':
      return fc.dictionary(fc.constantFrom('x', 'y', 'key', '__proto__'), valueFor(def.valueType), { maxKeys: 3 })
    case 'pipe':
      return valueFor(def.out)
    case 'union':
      return fc.oneof(...def.options.map(valueFor))
    default:
      return fc.oneof(fc.string(few), junk)
  }
}

function textFor(format: string): fc.Arbitrary<string> {
  const exact: Record<string, fc.Arbitrary<string>> = {
    uuid: fc.uuid(),
    datetime: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    date: fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString().slice(0, 10)),
  }
  return fc.oneof({ weight: 50, arbitrary: exact[format] ?? fc.string(few) }, { weight: 1, arbitrary: fc.string(few) })
}
