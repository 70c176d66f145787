/** What holds for the answers of all calls. */
import { type Check, expectEqual, expectThat } from '../check.ts'
import { elsewhere, newCreation } from '../region-under-test.ts'

export const answerChecks: Check[] = [
  {
    name: 'a success is 200 with a body, or 204 without one',
    page: 'README.md#answers',
    run: async ({ client, raw, newName, newId }) => {
      const [name, job, file] = [newName(), newId(), newId()]
      const creation = newCreation()
      const { roomId } = creation
      const answers = async (status: 200 | 204, method: string, path: string, body?: object) => {
        const found = await raw(method, path, body === undefined ? {} : { body })
        expectEqual(found.status, status, `${method} ${path}: the status`)
        if (status === 204) expectEqual(found.bytes.length, 0, `${method} ${path}: bytes of a body`)
        else expectThat(found.json !== null, `JSON in the answer to ${method} ${path}`, found.bytes.length)
      }
      await answers(200, 'PUT', `/rooms/${name}`, creation)
      await answers(200, 'PATCH', `/rooms/${name}`, { roomId })
      for (const change of ['suspend', 'resume']) await answers(200, 'POST', `/rooms/${name}/${change}`, { roomId })
      for (const change of ['lock', 'unlock'])
        await answers(200, 'POST', `/rooms/${name}/${change}`, { roomId, holder: 'holder' })
      for (const list of ['', '/licences', '/databases', '/sessions'])
        await answers(200, 'GET', `/rooms/${name}${list}`)
      await answers(200, 'POST', `/rooms/${name}/sessions`, { user: creation.contacts.ownerEmail })
      await answers(204, 'DELETE', `/rooms/${name}/sessions/${crypto.randomUUID()}`)
      await answers(200, 'DELETE', `/users/${crypto.randomUUID()}`)
      await answers(200, 'PUT', `/jobs/${job}`, { type: 'digestRoom', room: name })
      await answers(200, 'GET', `/jobs/${job}`)
      await answers(200, 'DELETE', `/jobs/${job}`)
      await answers(204, 'PUT', `/routes/${name}`, { targetUrl: elsewhere })
      await answers(204, 'DELETE', `/routes/${name}`)
      if (await client.offers('deleteFile')) await answers(204, 'DELETE', `/files/${file}`)
      if (await client.offers('raiseFences'))
        await answers(204, 'PUT', '/fences', { fences: [{ operation: newId(), fence: 1 }] })
      if (await client.offers('consoleRecord'))
        await answers(204, 'PUT', `/rooms/${name}/console-record`, { roomId, record: 'record' })
    },
  },
  {
    name: 'a field that is not known is ignored, and ids of rooms are the same in capitals',
    page: 'README.md#answers',
    run: async ({ client, raw, newRoom, newId, run }) => {
      const { name, roomId } = await newRoom()
      const suspended = await raw('POST', `/rooms/${name}/suspend`, { body: { roomId, notKnown: 1 } })
      expectEqual(suspended.status, 200, 'a suspension with another field')
      const digest = { type: 'digestRoom', room: name, notKnown: { a: 1 } }
      const started = await raw('PUT', `/jobs/${newId()}`, { body: digest })
      expectEqual(started.status, 200, 'a job with another field')
      const inCapitals = roomId.toUpperCase()
      expectEqual((await client.resumeRoom(name, inCapitals)).state, 'active', 'the state')
      await run({ type: 'digestRoom', room: name, roomId: inCapitals })
    },
  },
]
