/**
 * Brings answers into wire form as `z.encode` does, in a fraction of its time. Each schema becomes a function that
 * checks and copies what it knows for certain. It leaves everything else, wrong values included, to `z.encode`, which
 * then decides about the whole answer.
 */
import { z } from 'zod'

type Encode = (value: unknown) => unknown
type Holds = (value: never) => boolean

/** Thrown where only `z.encode` can tell. */
const unsure = new Error('Only z.encode can tell.')

const encoders = new WeakMap<z.ZodType, Encode>()

/** @throws ZodError if the value does not fit the schema */
export function encodeAnswer(schema: z.ZodType, value: unknown): unknown {
  let encode = encoders.get(schema)
  if (encode === undefined) {
    encode = createEncoder(schema)
    encoders.set(schema, encode)
  }
  try {
    return encode(value)
  } catch {
    return z.encode(schema, value)
  }
}

function createEncoder(schema: z.core.$ZodType): Encode {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
      return checked(schema, (value) => typeof value === 'string')
    case 'number':
      return checked(schema, Number.isFinite)
    case 'boolean':
      return checked(schema, (value) => typeof value === 'boolean')
    case 'enum':
    case 'literal':
      return checked(schema, (value) => schema._zod.values?.has(value as z.core.util.Primitive) === true)
    case 'array':
      return arrayEncoder(schema, def)
    default:
      return checksOf(schema)?.length === 0 ? uncheckedEncoder(schema, def) : (value) => z.encode(schema, value)
  }
}

/** For schemas that have no checks of their own. */
function uncheckedEncoder(schema: z.core.$ZodType, def: z.core.$ZodTypes['_zod']['def']): Encode {
  switch (def.type) {
    case 'nullable': {
      const encode = createEncoder(def.innerType)
      return (value) => (value === null ? null : encode(value))
    }
    case 'default':
      // Only for what is read: an answer must have a value.
      return createEncoder(def.innerType)
    case 'object':
      return objectEncoder(schema, def)
    case 'record':
      return recordEncoder(schema, def)
    case 'pipe':
      return pipeEncoder(def)
    default:
      return (value) => z.encode(schema, value)
  }
}

/** Null if there is a check that only zod knows. */
function checksOf(schema: z.core.$ZodType): Holds[] | null {
  const { checks = [] } = schema._zod.def
  const isCheck = schema._zod.traits.has('$ZodCheck')
  const found = [...(isCheck ? [schema as unknown as z.core.$ZodCheck] : []), ...checks].map(holdsFor)
  return found.includes(null) ? null : (found as Holds[])
}

function holdsFor({ _zod }: z.core.$ZodCheck): Holds | null {
  const def = _zod.def as z.core.$ZodChecks['_zod']['def']
  switch (def.check) {
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : null
    case 'greater_than': {
      const { value: bound, inclusive } = def
      if (typeof bound !== 'number') return null
      return inclusive ? (value: number) => value >= bound : (value: number) => value > bound
    }
    case 'less_than': {
      const { value: bound, inclusive } = def
      if (typeof bound !== 'number') return null
      return inclusive ? (value: number) => value <= bound : (value: number) => value < bound
    }
    case 'max_length':
      return (value: { length: number }) => value.length <= def.maximum
    case 'min_length':
      return (value: { length: number }) => value.length >= def.minimum
    case 'string_format': {
      const { format, pattern } = def
      const isPlain = ['datetime', 'date', 'uuid'].includes(format) && pattern?.flags.match(/[gy]/) === null
      return isPlain ? (value: string) => pattern.test(value) : null
    }
    default:
      return null
  }
}

function checked(schema: z.core.$ZodType, isOfType: (value: unknown) => boolean): Encode {
  const checks = checksOf(schema)
  if (checks === null) return (value) => z.encode(schema, value)
  return (value) => {
    if (!isOfType(value)) throw unsure
    for (const holds of checks) if (!holds(value as never)) throw unsure
    return value
  }
}

function objectEncoder(schema: z.core.$ZodType, def: z.core.$ZodObjectDef): Encode {
  const keys = Object.keys(def.shape)
  if (def.catchall !== undefined || keys.includes('__proto__')) return (value) => z.encode(schema, value)
  const fields = keys.map((key) => ({ key, encode: createEncoder(def.shape[key] as z.core.$ZodType) }))
  return (value) => {
    if (!isPlainObject(value)) throw unsure
    const encoded: Record<string, unknown> = {}
    for (const { key, encode } of fields) {
      const given = value[key]
      // Whether it may be missing.
      if (given === undefined) throw unsure
      encoded[key] = encode(given)
    }
    return encoded
  }
}

function arrayEncoder(schema: z.core.$ZodType, def: z.core.$ZodArrayDef): Encode {
  // Zod checks a list together with what is in it, and so encodes all of it.
  if (checksOf(schema) === null) return (value) => z.encode(schema, value)
  const encode = createEncoder(def.element)
  const check = checked(schema, Array.isArray)
  return (value) => (check(value) as unknown[]).map((each) => encode(each))
}

function recordEncoder(schema: z.core.$ZodType, def: z.core.$ZodRecordDef): Encode {
  const { type, checks } = def.keyType._zod.def
  const takesAnyKey = type === 'string' && checks === undefined && !def.keyType._zod.traits.has('$ZodCheck')
  if (!takesAnyKey) return (value) => z.encode(schema, value)
  const encode = createEncoder(def.valueType)
  return (value) => {
    if (!isPlainObject(value)) throw unsure
    const encoded: Record<string, unknown> = {}
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key !== 'string' || key === '__proto__') throw unsure
      encoded[key] = encode(value[key])
    }
    return encoded
  }
}

/** A codec, or two schemas one after the other. */
function pipeEncoder(def: z.core.$ZodPipeDef): Encode {
  const { in: inner, out, reverseTransform } = def
  const [toOut, toIn] = [createEncoder(out), createEncoder(inner)]
  if (reverseTransform === undefined) return (value) => toIn(toOut(value))
  return (value) => {
    const checkedOut = toOut(value)
    const payload = { value: checkedOut, issues: [] }
    const encoded: unknown = reverseTransform(checkedOut as never, payload)
    if (payload.issues.length > 0 || encoded instanceof Promise) throw unsure
    return toIn(encoded)
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
