/**
 * The calls of a room's users: its documents and its plain page. Not part of the region protocol.
 * Every call first depends on the room's condition: moved away 307; suspended or expired 403; locked 423 for writes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '#http/limit-bodies.ts'
import { bearerToken } from '#http/sign-in.ts'
import { Refusal, refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { findRoom, refuseWhenLocked } from '#rooms/find-room.ts'
import { routeOf } from '#routes/room-routes.ts'
import { enterRoom } from '#sessions/user-sessions.ts'
import { type DocumentPath, deleteDocument, documentPath, readDocument, writeDocument } from './documents.ts'
import { roomPage } from './room-page.ts'

export function registerDataPlane(app: FastifyInstance, region: Region): void {
  const url = '/rooms/:name/databases/:database/documents/:id'
  /** Refuses a request before its body is read. The work checks again: the room may change while the body arrives. */
  const atTheDoor = async (request: FastifyRequest, reply: FastifyReply) => {
    await atRoom(region, request, reply, (path) => {
      enterToWrite(region, request, path)
      admit(request.raw)
      return () => null
    })
  }

  app.get(url, (request, reply) =>
    atRoom(region, request, reply, (path) => {
      enter(region, request, path)
      const document = readDocument(region, path)
      return () => reply.header('content-type', 'application/json; charset=utf-8').send(document)
    }),
  )
  app.put(url, { onRequest: atTheDoor }, (request, reply) =>
    atRoom(region, request, reply, (path) => {
      enterToWrite(region, request, path)
      const written = writeDocument(region, path, request.body)
      return () => reply.send(written)
    }),
  )
  app.delete(url, { onRequest: atTheDoor }, (request, reply) =>
    atRoom(region, request, reply, (path) => {
      enterToWrite(region, request, path)
      deleteDocument(region, path)
      return () => reply.code(204).send()
    }),
  )

  app.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
    const { name } = request.params
    const target = routeOf(region, name)
    if (target !== null) return redirect(reply, target, request)
    const page = await roomPage(region, name, request.headers['accept-language'] ?? '')
    return reply.code(page.status).headers(page.headers).send(page.html)
  })
}

/** Returns null to let the request go on. */
type Answer = () => FastifyReply | null

/**
 * Runs the work under the room's mutex, so that no restore or deletion comes between check and effect. The answer is
 * sent afterwards: sending takes until the client has read everything, and no other call should wait for that.
 */
async function atRoom(
  region: Region,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (path: DocumentPath) => Answer,
): Promise<FastifyReply | null> {
  const found = documentPath.safeParse(request.params)
  if (!found.success) throw refuse('document-unknown')
  const path = found.data
  const answer = await region.roomMutex
    .runExclusive(path.room, async (): Promise<Answer> => {
      const target = routeOf(region, path.room)
      return target === null ? work(path) : () => redirect(reply, target, request)
    })
    .catch((error: unknown) => {
      throw withoutDetails(error, path.room)
    })
  return answer()
}

/** The reason why a room cannot be read may contain file names, so it appears in the log only, not in the answer. */
function withoutDetails(error: unknown, room: string): unknown {
  if (!(error instanceof Refusal && error.code === 'room-damaged')) return error
  return refuse('room-damaged', { room, reason: 'the log of the region says why' })
}

function enter(region: Region, request: FastifyRequest, { room }: DocumentPath): void {
  enterRoom(region, findRoom(region, room), bearerToken(request.headers.authorization))
}

function enterToWrite(region: Region, request: FastifyRequest, path: DocumentPath): void {
  enter(region, request, path)
  refuseWhenLocked(findRoom(region, path.room))
}

function redirect(reply: FastifyReply, target: string, request: FastifyRequest): FastifyReply {
  // With the host in ASCII.
  const { href } = new URL(target)
  return reply.redirect(`${href.replace(/\/$/, '')}${request.url}`, 307)
}
