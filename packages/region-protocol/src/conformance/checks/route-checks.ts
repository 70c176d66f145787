/** Redirects of rooms that moved away. */
import { type Check, expectEqual, expectProblem, expectThat } from '../check.ts'
import { expectDigest, roomWith } from '../content.ts'
import { callSeconds, elsewhere, type Region } from '../region-under-test.ts'
import { userOf } from './document-checks.ts'

export const routeChecks: Check[] = [
  // shows: region-routes
  {
    name: 'requests for a room are redirected while it has a route, whether the room is there or not',
    page: 'README.md#users-and-their-content',
    run: async (region) => {
      const { client, newRoom, newName } = region
      for (const name of [newName(), (await newRoom()).name]) {
        await client.putRoute(name, elsewhere)
        await client.putRoute(name, elsewhere)
        expectEqual(await visit(region, name), [307, `${elsewhere}/${name}`], 'a visit')
        await client.deleteRoute(name)
        await client.deleteRoute(name)
        expectThat((await visit(region, name))[0] !== 307, 'no redirection', 307)
      }
    },
  },
  {
    name: 'a redirect has path and query of the request, and users write nothing where the room is no more',
    page: 'README.md#users-and-their-content',
    run: async (region) => {
      const { client } = region
      const { name, vector } = await roomWith(region, 'small.zip')
      const user = await userOf(region, name)
      await client.putRoute(name, elsewhere)
      // Which paths below the name there are is free.
      const path = `${name}?c=d&e=%2F`
      expectEqual(await visit(region, path), [307, `${elsewhere}/${path}`], 'a visit')
      expectEqual(await user.put('main', 'new', 1), 307, 'a write of a user: the status')
      await expectDigest(region, name, vector, 'after the write')
    },
  },
  {
    name: 'the protocol itself still sees a room that has a route',
    page: 'calls.md#put-routesname',
    run: async ({ client, newRoom }) => {
      const { name, roomId } = await newRoom()
      await client.putRoute(name, elsewhere)
      expectEqual((await client.room(name))?.roomId, roomId, 'the room')
    },
  },
  // shows: region-routes-kept
  {
    name: 'removing the copy that moved away keeps its route, deleting a room does not',
    page: 'jobs.md#deleteroom',
    run: async (region) => {
      const { client, newRoom, run } = region
      for (const keepRoute of [true, false]) {
        const { name, roomId } = await newRoom()
        await client.putRoute(name, elsewhere)
        await run({ type: 'deleteRoom', room: name, roomId, keepRoute })
        expectEqual((await visit(region, name))[0] === 307, keepRoute, 'redirected')
      }
    },
  },
  // shows: region-create-route
  {
    name: 'creating a room removes a route of its name',
    page: 'calls.md#put-roomsname',
    run: async (region) => {
      const { client, newRoom, run } = region
      const { name, roomId, creation } = await newRoom()
      await client.putRoute(name, elsewhere)
      await run({ type: 'deleteRoom', room: name, roomId, keepRoute: true })
      await client.createRoom(name, creation)
      expectEqual((await visit(region, name))[0], 200, 'a visit')
    },
  },
  {
    name: 'a route to what is no http address is refused with 400',
    page: 'calls.md#put-routesname',
    run: async ({ raw, newName }) => {
      const name = newName()
      for (const targetUrl of ['', 'elsewhere', 'ftp://elsewhere.example', 'javascript:alert(1)', 7])
        expectProblem(await raw('PUT', `/routes/${name}`, { body: { targetUrl } }), 400, `targetUrl ${targetUrl}`)
    },
  },
]

/** A visitor's request for a page of a room: status and Location. */
export async function visit({ target }: Region, path: string): Promise<[number, string | null]> {
  const signal = AbortSignal.timeout(callSeconds * 1000)
  const response = await fetch(`${target.url}/${path}`, { redirect: 'manual', signal })
  await response.body?.cancel()
  return [response.status, response.headers.get('location')]
}
