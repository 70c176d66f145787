/** The arguments and answers of handlers, derived from the route table. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, Role, Route, RouteName, Routes } from '@roomkeeper/contract'

/** The body of an upload, unread; `receiveFile` reads it. */
export interface IncomingUpload {
  contentType: string | undefined
  /** Bytes; null: the client did not say. */
  contentLength: number | null
  content: IncomingMessage
}

/** Who makes the call. */
export interface Caller {
  operatorId: string
  email: string
  name: string
  /** With an API token the lower one of its own and its owner's. */
  role: Role
  /** As whom the audit trail and operations name them: the e-mail address, and the API token if there is one. */
  actor: string
  awaitsSecondFactor: boolean
  /** Of the session's or the API token. */
  tokenHash: Buffer
  /** The API token that the call is made with; null: a session. */
  token: CallersToken | null
}

export interface CallersToken {
  id: string
  name: string
  expiresAt: string
}

export interface Call<R extends Route> {
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  /** Absent only on public routes. */
  caller: R['access'] extends 'public' ? undefined : Caller
  requestId: string
  /** The client's address; X-Forwarded-For counts only with TRUST_PROXY. */
  address: string
  header(name: string): string | undefined
  upload: R extends { upload: string } ? IncomingUpload : undefined
  /** Fires when the client goes away. */
  signal: AbortSignal
}

/** A stream with its own headers, for routes with `stream`; the status 206 means a part of the file. */
export interface StreamReply {
  status: 200 | 206
  stream: Readable
  headers?: Record<string, string>
  /** Whose access ends the stream; absent: that of the caller of the call. */
  caller?: Caller
}

/** Several calls get this same answer: the first of them puts it into wire form. */
export interface SharedText {
  /** JSON in UTF-8. */
  text?: Buffer
}

/** With `file`, the browser saves the JSON under this name; people read it, so it is indented by 4. */
type JsonReply<R extends Route> = AnswerOf<R> & {
  file?: { name: string }
  headers?: Record<string, string>
  shared?: SharedText
}

export type Reply<R extends Route> = R extends { stream: string }
  ? StreamReply
  : R extends { download: string }
    ? JsonReply<R> | StreamReply
    : JsonReply<R>
export type Handler<R extends Route> = (call: Call<R>) => Promise<Reply<R>>
export type Handlers = { [Name in RouteName]: Handler<Routes[Name]> }

export function ok<Body>(body: Body): { status: 200; body: Body } {
  return { status: 200, body }
}

/** An answer that several calls may get; nothing in it may depend on one of them. */
export function okShared<Body>(body: Body): { status: 200; body: Body; shared: SharedText } {
  return { status: 200, body, shared: {} }
}

/** A JSON answer that the browser saves as a file. @param name without double quotes */
export function okAsFile<Body>(body: Body, name: string): { status: 200; body: Body; file: { name: string } } {
  return { status: 200, body, file: { name } }
}

/** The header that makes a browser save the answer. @param name without double quotes */
export function asAttachment(name: string): { 'content-disposition': string } {
  return { 'content-disposition': `attachment; filename="${name}"` }
}

export function accepted(operationId: string): { status: 202; body: { operationId: string } } {
  return { status: 202, body: { operationId } }
}

export const noContent: { status: 204 } = { status: 204 }
