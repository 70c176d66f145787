/**
 * A region that lies: it says that it has restored a room whose documents it has lost, answers with a digest that it was
 * told, if there is one, and forgets its locks when it restarts. A room is moved to it again and again, and must stay
 * where it is.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { ProblemError } from '@roomkeeper/contract'
import { type Network, type RunningRegion, registerRegion, startRegion } from '@roomkeeper/dev-env'
import { interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'
import { type Actor, count, retryUntilDone, settled, type Tally, userWrites } from './actor.ts'
import { forgetLocks } from './forget-locks.ts'
import { endOf, perform, startMove } from './real-room.ts'
import { after } from './room-model.ts'

export interface Liar {
  /** Dies, and starts again without its locks. */
  restart(): Promise<void>
  region(): RunningRegion
  stop(): Promise<void>
}

/** It becomes the region that follows those of the network. */
export async function startLiar(network: Network, env: Record<string, string>): Promise<Liar> {
  const options = { name: 'liar', dataDir: join(network.dir, 'liar'), env }
  let region = await startRegion(options)
  await registerRegion(network.admin, region)
  /** Jobs that seem to restore a room, with a digest that it was told, if there is one. */
  const lies = new Map<string, string | undefined>()
  const lying = async (call: PassingCall) => {
    const job = /^\/region\/v1\/jobs\/([^/?]+)(\?|$)/.exec(call.path)?.[1]
    if (job === undefined) return
    const asked = call.method === 'PUT' ? JSON.parse(call.body) : {}
    if (asked.type === 'restoreRoom') lies.set(job, /"([0-9a-f]{64})"/.exec(call.body)?.[1])
    if (!lies.has(job)) return
    // The digest of the copy as it was made: without documents.
    const { room, roomId } = asked
    const body = call.method === 'PUT' ? JSON.stringify({ type: 'digestRoom', room, roomId }) : call.body
    return asRestored(await passOn(region, { ...call, body }), lies.get(job))
  }
  const parts = { database: network.database, regions: [...network.regions, region] }
  const end = await interceptCalls(parts, network.regions.length, (call) => lying(call).catch(() => 'lost'))
  return {
    region: () => region,
    async restart() {
      await forgetLocks(region)
      await region.stop('SIGKILL')
      region = await startRegion({ ...options, port: region.port })
    },
    async stop() {
      end()
      await region.stop('SIGKILL')
    },
  }
}

async function passOn({ url }: RunningRegion, { path, method, headers, body }: PassingCall) {
  const { 'content-length': _, connection: __, 'accept-encoding': ___, ...passed } = headers
  const sent = request(url + path, { method, headers: passed }).end(body)
  const [said] = await once(sent, 'response')
  const text = Buffer.concat(await said.toArray()).toString()
  return { status: said.statusCode, type: said.headers['content-type'], text }
}

function asRestored(answer: Awaited<ReturnType<typeof passOn>>, told: string | undefined) {
  if (answer.status !== 200) return answer
  const job = JSON.parse(answer.text)
  const result = job.result && { databases: ['main'], digest: told ?? job.result.digest }
  return { ...answer, text: JSON.stringify({ ...job, type: 'restoreRoom', result }) }
}

export const nameOfVictim = 'victim'

/** Moves its room to the liar, and its users write to it. */
export function newVictim(network: Network, tally: Tally): Actor {
  const liar = network.regions.length + 1
  const create = { do: 'create', region: 1, viewers: 1 } as const
  const actor: Actor = {
    name: nameOfVictim,
    room: null,
    gone: [],
    async work(until) {
      const made = await perform(network, actor.name, null, create)
      if (made === 'done' || (await retryUntilDone(network, actor.name, until, tally))) actor.room = after(null, create)
      do {
        await userWrites(network, actor, tally)
        count(tally, `run to the liar: ${await moveOrRefused()}`)
        await retryUntilDone(network, actor.name, until, tally)
      } while (Date.now() < until)
    },
  }
  async function moveOrRefused() {
    try {
      return await endOf(network, await startMove(network, actor.name, 1, liar))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      await settled(network, actor.name)
      return `refused ${error.code}`
    }
  }
  return actor
}
