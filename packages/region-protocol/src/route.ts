/** The shape of a row of the region's route table, and the types derived from it. */
import type { z } from 'zod'
import type { Capability } from './capabilities.ts'
import type { RegionCode } from './codes.ts'

export type RegionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RegionRoute {
  method: RegionMethod
  /** `:name` marks a parameter. */
  path: string
  summary: string
  /** A region may lack the call; one that has it says so in its status. */
  capability?: Capability
  /** The call needs no `Authorization: Bearer`. */
  public?: true
  /** `Authorization: Ticket` is taken, too, if the region has given that ticket for this file. */
  takesTicket?: true
  /** The call changes something, so it may carry the headers of a `CallMark`. */
  changes?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body is a stream of bytes instead of JSON. */
  bodyStream?: true
  /** The schema of the 200 answer; 'nothing': 204 without a body; 'stream': bytes. */
  answer: z.ZodType | 'nothing' | 'stream'
  /** How it is refused, besides what `codesOf` adds. */
  refuses?: readonly RegionCode[]
}

/** All codes with which the call may be refused. */
export function codesOf(route: RegionRoute): RegionCode[] {
  const { public: isPublic, path, params, query, body, bodyStream, changes, refuses = [] } = route
  const given: (RegionCode | false)[] = [
    body !== undefined && 'malformed',
    (params ?? query ?? body) !== undefined && 'invalid-input',
    isPublic !== true && 'signed-out',
    ...refuses,
    path.startsWith('/rooms/:name') && 'room-damaged',
    changes === true && 'overtaken',
    (body ?? bodyStream) !== undefined && 'too-large',
    (body ?? bodyStream) !== undefined && 'wrong-media-type',
    'internal',
    (changes === true || path === '/fences') && 'storage-full',
  ]
  return [...new Set(given.filter((each) => each !== false))]
}

type Inside<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
export type RegionParams<R extends RegionRoute> = Inside<R['params']>
export type RegionQuery<R extends RegionRoute> = Inside<R['query']>
export type RegionBody<R extends RegionRoute> = Inside<R['body']>
export type RegionAnswer<R extends RegionRoute> = R['answer'] extends z.ZodType ? z.output<R['answer']> : undefined
