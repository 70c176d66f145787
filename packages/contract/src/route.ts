/** The shape of a row of the route table, and the types that server and client derive from it. */
import type { z } from 'zod'
import type { RefusalCode } from './problem.ts'
import type { Role } from './wire-codes.ts'

/**
 * Who may make a call: anyone, without signing in (`public`); any operator (`all`); the roles CLOUD_SALES,
 * CLOUD_OPERATOR and CLOUD_ADMINISTRATOR (`edit`); the last two (`admin`); only the last (`super`).
 */
export type Access = 'public' | 'all' | 'edit' | 'admin' | 'super'

export const rolesWith: Readonly<Record<Exclude<Access, 'public'>, readonly Role[]>> = {
  all: ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  edit: ['CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  admin: ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'],
  super: ['CLOUD_ADMINISTRATOR'],
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  method: Method
  /** `:name` marks a parameter. */
  path: string
  access: Access
  /** One sentence for the OpenAPI document. */
  summary: string
  /** May be called by a session that still waits for its second factor. */
  beforeSecondFactor?: true
  /** Refused with an API token: only an operator who is signed in may make it. */
  sessionOnly?: true
  /** The call starts an operation, so it honours an `Idempotency-Key`. */
  startsOperation?: true
  /** The call adds something that its answer shows, and honours an `Idempotency-Key` like the start of an operation. */
  addsOnce?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body holds only what changes: see `partialMediaType`. */
  partial?: true
  /** The body may name 100,000 rooms: it may be of 4 MiB instead of 1 MiB. */
  longBody?: true
  /** Instead of a body, the call takes a multipart upload with one file of this kind in the field `file`. */
  upload?: '.zip' | '.adb'
  /** The call's own refusals; `refusalsOf` adds those that follow from its input and access. */
  refuses?: readonly RefusalCode[]
  /** The successful answers by status. 204 has no schema. */
  answers: { 200?: z.ZodType; 202?: z.ZodType; 204?: true }
  /** With `download=1` in the query, the 200 answer is a stream of this media type. */
  download?: 'text/csv; charset=utf-8'
  /** Set when the 200 answer is a stream of this media type instead of JSON. */
  stream?: 'text/csv; charset=utf-8' | 'text/event-stream; charset=utf-8' | 'application/zip'
}

/** Whether the call may be repeated with its `Idempotency-Key`. */
export function honoursKey(route: Route): boolean {
  return route.startsOperation === true || route.addsOnce === true
}

/** All codes with which a call may be refused. */
export function refusalsOf(route: Route): RefusalCode[] {
  // Any query and any body may hold what the call does not take.
  const codes: RefusalCode[] = ['malformed', 'invalid-input', 'database-unreachable', 'database-busy']
  // A caller may send a body even where none is expected.
  if (route.method !== 'GET') codes.push('too-large', 'wrong-media-type', 'drill')
  if (route.access !== 'public')
    codes.push('session-expired', 'token-refused', 'token-from-elsewhere', 'token-too-busy', 'too-many-attempts')
  if (route.sessionOnly === true) codes.push('session-needed')
  if (route.access !== 'public' && route.beforeSecondFactor !== true) codes.push('second-factor-missing')
  if (route.access !== 'public' && route.access !== 'all') codes.push('not-allowed')
  if (route.longBody === true) codes.push('too-many-long-calls')
  if (honoursKey(route)) codes.push('idempotency-mismatch')
  return [...new Set([...codes, ...(route.refuses ?? [])])]
}

type Inside<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
export type ParamsOf<R extends Route> = Inside<R['params']>
export type QueryOf<R extends Route> = Inside<R['query']>
export type BodyOf<R extends Route> = Inside<R['body']>
/** A caller may leave out the fields that have a default in the schema. */
type Optional<Schema extends z.ZodType, K> = K extends keyof z.input<Schema>
  ? undefined extends z.input<Schema>[K]
    ? true
    : false
  : true
type Given<Schema> = Schema extends z.ZodObject
  ? { [K in keyof z.output<Schema> as Optional<Schema, K> extends true ? never : K]: GivenPart<Schema, K> } & {
      [K in keyof z.output<Schema> as Optional<Schema, K> extends true ? K : never]?: GivenPart<Schema, K> | undefined
    }
  : Inside<Schema>
type GivenPart<Schema extends z.ZodObject, K extends keyof z.output<Schema>> = K extends keyof Schema['shape']
  ? Schema['shape'][K] extends z.ZodObject
    ? Given<Schema['shape'][K]>
    : z.output<Schema>[K]
  : z.output<Schema>[K]
export type QueryGiven<R extends Route> = Given<R['query']>
export type BodyGiven<R extends Route> = Given<R['body']>

/** The successful answers of a route as a union over status. */
export type AnswerOf<R extends Route> = {
  [Status in keyof R['answers']]: R['answers'][Status] extends z.ZodType
    ? { status: Status; body: z.output<R['answers'][Status]> }
    : { status: Status; body?: undefined }
}[keyof R['answers']]
