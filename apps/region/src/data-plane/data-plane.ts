/**
 * What users of a room reach: its documents and its plain page. Not part of the region protocol.
 * Every request first meets the room's condition: moved away 307, suspended or expired 403, locked 423 for writes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '#http/limit-bodies.ts'
import { bearerToken } from '#http/sign-in.ts'
import { Refusal, refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { findRoom, refuseWhenLocked } from '#rooms/find-room.ts'
import { routeOf } from '#routes/room-routes.ts'
import { enterRoom } from '#sessions/user-sessions.ts'
import { type DocumentPlace, deleteDocument, documentPlace, readDocument, writeDocument } from './documents.ts'
import { roomPage } from './room-page.ts'

export function registerDataPlane(app: FastifyInstance, region: Region): void {
  const url = '/rooms/:name/databases/:database/documents/:id'
  /** Nothing of a body is read before. The work looks again: a body takes its time, and much can happen meanwhile. */
  const atTheDoor = async (request: FastifyRequest, reply: FastifyReply) => {
    await atRoom(region, request, reply, (place) => {
      enterToWrite(region, request, place)
      admit(request.raw)
      return () => null
    })
  }

  app.get(url, (request, reply) =>
    atRoom(region, request, reply, (place) => {
      enter(region, request, place)
      const document = readDocument(region, place)
      return () => reply.header('content-type', 'application/json; charset=utf-8').send(document)
    }),
  )
  app.put(url, { onRequest: atTheDoor }, (request, reply) =>
    atRoom(region, request, reply, (place) => {
      enterToWrite(region, request, place)
      const written = writeDocument(region, place, request.body)
      return () => reply.send(written)
    }),
  )
  app.delete(url, { onRequest: atTheDoor }, (request, reply) =>
    atRoom(region, request, reply, (place) => {
      enterToWrite(region, request, place)
      deleteDocument(region, place)
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

/** Null: the request goes on. */
type Answer = () => FastifyReply | null

/**
 * The work happens in the room's turn, so that no restore or removal comes between check and effect. Its answer is sent
 * afterwards: a reply is done only when its reader has taken it, and nobody waits for that.
 */
async function atRoom(
  region: Region,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (place: DocumentPlace) => Answer,
): Promise<FastifyReply | null> {
  const found = documentPlace.safeParse(request.params)
  if (!found.success) throw refuse('document-unknown')
  const place = found.data
  const answer = await region.turns
    .take(place.room, async (): Promise<Answer> => {
      const target = routeOf(region, place.room)
      return target === null ? work(place) : () => redirect(reply, target, request)
    })
    .catch((error: unknown) => {
      throw toldToStrangers(error, place.room)
    })
  return answer()
}

/** Why a room cannot be read, such as the path of a file, is told to whoever runs the region. */
function toldToStrangers(error: unknown, room: string): unknown {
  if (!(error instanceof Refusal && error.code === 'room-damaged')) return error
  return refuse('room-damaged', { room, reason: 'the log of the region says why' })
}

function enter(region: Region, request: FastifyRequest, { room }: DocumentPlace): void {
  enterRoom(region, findRoom(region, room), bearerToken(request.headers.authorization))
}

function enterToWrite(region: Region, request: FastifyRequest, place: DocumentPlace): void {
  enter(region, request, place)
  refuseWhenLocked(findRoom(region, place.room))
}

function redirect(reply: FastifyReply, target: string, request: FastifyRequest): FastifyReply {
  return reply.redirect(`${target}${request.url}`, 307)
}
