/** What a call holds that its schemas do not know. A schema itself only leaves it out. */
import { z } from 'zod'
import { closestTo } from './closest-to.ts'
import { errorsAtMost, type FieldError, fieldError } from './field-errors.ts'
import { shortened } from './shortened.ts'

const ignored = z.registry<{ fields: readonly string[] }>()

/**
 * Lets callers send more with an object than is read of it, such as a room with all that an answer shows of it. Copies
 * made by `extend`, `pick` or `partial` have to say so themselves.
 */
export function ignoring<Schema extends z.ZodObject>(schema: Schema, fields: readonly string[]): Schema {
  ignored.add(schema, { fields })
  return schema
}

/** The names of all fields of an object's schema. */
export function fieldsOf({ shape }: z.ZodObject): string[] {
  return Object.keys(shape)
}

/** The fields that callers may send with the object although nothing comes of them. */
export function ignoredFieldsOf(schema: z.core.$ZodObject): string[] {
  const { fields = [] } = ignored.get(schema) ?? {}
  return fields.filter((field) => !Object.hasOwn(schema._zod.def.shape, field))
}

type Find = (given: unknown, path: readonly string[], found: FieldError[]) => void

const finders = new WeakMap<z.core.$ZodType, Find | null>()

/**
 * @param schema undefined: nothing is taken
 * @param given in wire form
 * @returns at most `errorsAtMost` errors, each with the path of its field
 */
export function unknownFields(schema: z.core.$ZodType | undefined, given: unknown): FieldError[] {
  const found: FieldError[] = []
  const find = schema === undefined ? findAny : finderOf(schema)
  find?.(given, [], found)
  return found
}

const findAny = finderOfObject(() => ({ fields: new Map(), ignored: [] }))

/** Null where nothing can be unknown. */
function finderOf(schema: z.core.$ZodType): Find | null {
  let find = finders.get(schema)
  if (find === undefined) {
    find = makeFinder(schema)
    finders.set(schema, find)
  }
  return find
}

function makeFinder(schema: z.core.$ZodType): Find | null {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const taken = takenBy([schema as z.core.$ZodObject])
      return finderOfObject(() => taken)
    }
    case 'union':
      return finderOfChoice(def)
    case 'array':
      return finderOfList(finderOf(def.element))
    case 'pipe':
      return finderOf(def.in)
    case 'nullable':
    case 'optional':
    case 'default':
    case 'prefault':
      return finderOf(def.innerType)
    default:
      return null
  }
}

interface Taken {
  fields: ReadonlyMap<string, Find | null>
  ignored: readonly string[]
}

/** What is inside a field that several of them have is not known. */
function takenBy(schemas: readonly z.core.$ZodObject[]): Taken {
  const fields = new Map<string, Find | null>()
  for (const [name, schema] of schemas.flatMap(({ _zod }) => Object.entries(_zod.def.shape)))
    fields.set(name, fields.has(name) ? null : finderOf(schema))
  return { fields, ignored: schemas.flatMap(ignoredFieldsOf) }
}

/** Of objects that a field tells apart, the chosen one says what is taken; otherwise each of them may. */
function finderOfChoice(def: z.core.$ZodUnionDef & { discriminator?: string }): Find | null {
  const objects = def.options.filter((each): each is z.core.$ZodObject => each._zod.def.type === 'object')
  if (objects.length === 0) return null
  const all = takenBy(objects)
  const { discriminator } = def
  if (discriminator === undefined) return finderOfObject(() => all)
  const choices = objects.map((each) => ({
    words: each._zod.def.shape[discriminator]?._zod.values,
    taken: takenBy([each]),
  }))
  return finderOfObject(
    (given) => choices.find(({ words }) => words?.has(given[discriminator] as string))?.taken ?? all,
  )
}

function finderOfList(findInElement: Find | null): Find | null {
  if (findInElement === null) return null
  return (given, path, found) => {
    if (!Array.isArray(given)) return
    for (const [index, element] of given.entries()) {
      if (found.length >= errorsAtMost) return
      findInElement(element, [...path, String(index)], found)
    }
  }
}

function finderOfObject(takenFrom: (given: Record<string, unknown>) => Taken): Find {
  return (given, path, found) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return
    const taken = takenFrom(given as Record<string, unknown>)
    for (const [name, value] of Object.entries(given)) {
      if (found.length >= errorsAtMost) return
      const find = taken.fields.get(name)
      if (find !== undefined) find?.(value, [...path, name], found)
      else if (!taken.ignored.includes(name)) found.push(unknownField(name, path, given, taken))
    }
  }
}

function unknownField(name: string, path: readonly string[], beside: object, { fields }: Taken): FieldError {
  const given = shortened(name)
  const field = [...path, given].join('.')
  const meant = closestTo(
    name,
    [...fields.keys()].filter((each) => !Object.hasOwn(beside, each)),
  )
  return meant === null
    ? fieldError(field, 'field-unknown', { given })
    : fieldError(field, 'field-unknown-near', { given, meant })
}
