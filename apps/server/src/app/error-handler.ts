/** Turns what a handler throws into a problem answer: a Refusal into its own, anything else into a 500. */
import { because, fillIn, otherAnswers, type Problem, refusalsOf } from '@roomkeeper/contract'
import { traceFields } from '@roomkeeper/tracing'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  databaseIsUnreachable,
  statementWasEnded,
  textIsUnstorable,
  waitedForOthers,
  wasDeadlocked,
} from '#platform/database-errors.ts'
import type { Log } from '#platform/log.ts'
import { Refusal, refuse } from '#platform/refuse.ts'

export type AnswerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void

export function createErrorHandler(log: Log): AnswerError {
  return function answerError(error, request, reply) {
    const refusal = asRefusal(error, request.routeOptions.bodyLimit)
    const instance = pathWithoutSecrets(request.url)
    if (refusal !== null) request.span?.set({ 'roomkeeper.refusal': refusal.code })
    if (refusal === null) {
      const { id: requestId, method, span } = request
      log.error({ err: error, requestId, method, path: instance, ...traceFields(span) }, 'request failed')
    }
    const route = request.routeOptions.config.contract
    if (refusal !== null && route !== undefined && !refusalsOf(route).includes(refusal.code)) {
      // Tests fail on this log line, because other programs rely on the list of codes.
      log.warn({ code: refusal.code, path: instance }, 'refused with a code that the contract does not name')
    }
    // A stream that has already begun can only be cut off.
    if (reply.raw.headersSent) {
      reply.raw.destroy()
      return
    }
    const problem = refusal?.toProblem(instance) ?? bug(request.id, instance)
    const seconds = refusal?.secondsToWait ?? null
    if (seconds !== null) reply.header('retry-after', String(seconds))
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
    // Closed at once, the connection would fail while the client is still sending, and the answer would be lost:
    // connections.ts reads some of the rest away.
    if (problem.status === 413) reply.removeHeader('connection')
    void reply
      .code(problem.status)
      .headers(refusal?.headers ?? {})
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(problem))
  }
}

/** @param bodyLimit the most bytes that the call takes */
function asRefusal(error: FastifyError, bodyLimit = mebibyte): Refusal | null {
  if (error instanceof Refusal) return error
  if (statementWasEnded(error) || wasDeadlocked(error) || waitedForOthers(error)) return refuse('database-busy')
  if (databaseIsUnreachable(error)) return refuse('database-unreachable')
  if (textIsUnstorable(error)) return refuse('malformed', { reason: because('text-unstorable') })
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('too-large', { limit: bytesOf(bodyLimit) })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('wrong-media-type', { expected: 'application/json' })
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return refuse('malformed', { reason: because('body-empty') })
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return refuse('malformed', { reason: because('body-no-json') })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('malformed', { reason: because('body-of-other-length') })
    default:
      break
  }
  if (error instanceof SyntaxError) return refuse('malformed', { reason: because('body-no-json') })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return refuse('malformed', { reason: because('no-http') })
  }
  return null
}

function bug(requestId: string, instance: string): Problem {
  const params = { request: requestId }
  const { title, detail } = otherAnswers['internal-error']
  return {
    type: 'urn:roomkeeper:internal-error',
    title,
    status: 500,
    detail: fillIn(detail, params),
    instance,
    params,
  }
}

const mebibyte = 1024 * 1024

function bytesOf(limit: number): string {
  return limit < mebibyte ? `${limit / 1024} KiB` : `${limit / mebibyte} MiB`
}

/** The path of a request without its query and without the ticket of a download, as logs and problems may show it. */
export function pathWithoutSecrets(url: string): string {
  const path = url.split('?')[0] ?? ''
  return path.replace(/(\/download\/)[^/]+/i, '$1[ticket]')
}
