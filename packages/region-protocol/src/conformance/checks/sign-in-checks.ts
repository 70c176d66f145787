/** Sign-in, and the refusal of every call without it. */

import { requireForm } from '../../client/require-form.ts'
import { createRegionClient } from '../../client.ts'
import { regionRoutes } from '../../routes.ts'
import { regionSession } from '../../schemas.ts'
import { type Check, expectEqual, expectProblem, expectRefusal, expectThat } from '../check.ts'
import { signIn } from '../region-under-test.ts'

export const signInChecks: Check[] = [
  // shows: region-session
  {
    name: 'signing in answers with a token and when it ends',
    page: 'calls.md#post-session',
    run: async ({ target }) => {
      const response = await signIn(target)
      const session = requireForm(regionSession, await response.json(), 'answer to POST session')
      expectThat(Date.parse(session.expiresAt) > Date.now(), 'an end that is to come', session.expiresAt)
    },
  },
  // shows: region-session-401
  {
    name: 'a wrong password and an unknown user are refused alike with 401',
    page: 'calls.md#post-session',
    run: async ({ target }) => {
      const wrongPassword = createRegionClient({ ...target, password: `${target.password}x` })
      const wrongUser = createRegionClient({ ...target, userName: `${target.userName}x` })
      const first = await expectRefusal(wrongPassword.status(), 401, 'a wrong password')
      const second = await expectRefusal(wrongUser.status(), 401, 'an unknown user')
      expectThat(first.message === second.message, 'the same text for both', [first.message, second.message])
    },
  },
  // shows: region-token-401
  {
    name: 'every call without a token, or with a made-up one, is refused with 401',
    page: 'calls.md#every-call',
    run: async ({ raw, client, newName, newId }) => {
      // A region that does not refuse them must not find a room, file or redirect there.
      const [name, id] = [newName(), newId()]
      for (const { method, path, ...route } of Object.values(regionRoutes)) {
        if ('public' in route || ('capability' in route && !(await client.offers(route.capability)))) continue
        const url = path.replace(':name', name).replace(':id', id)
        for (const authorization of ['', 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])
          expectProblem(await raw(method, url, { headers: { authorization } }), 401, `${method} ${path}`)
      }
    },
  },
  // shows: region-instance
  {
    name: 'the status says which region this is, by an id that does not change',
    page: 'README.md#what-survives-a-restart',
    run: async ({ client, raw }) => {
      const { instanceId } = await client.status()
      expectThat(instanceId !== null, 'an instanceId', (await raw('GET', '/status')).json)
      expectEqual((await client.status()).instanceId, instanceId, 'the id the second time')
    },
  },
  // shows: region-problem
  {
    name: 'a call that does not exist answers 404, a body that is no JSON 400',
    page: 'errors.md',
    run: async ({ raw, newName }) => {
      expectProblem(await raw('GET', '/nothing'), 404, 'GET /nothing')
      const headers = { 'content-type': 'application/json' }
      const broken = await raw('PUT', `/rooms/${newName()}`, { headers, body: '{"roomId":' })
      expectProblem(broken, 400, 'half a body')
    },
  },
]
