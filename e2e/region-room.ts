/** A room as it is on its region, read without the console. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Network, until } from '@roomkeeper/dev-env'

/** Whether the room has a folder on the disk of the first region. */
export function isOnDisk(network: Network, name: string): boolean {
  return existsSync(join(firstRegion(network).dataDir, 'rooms', name, 'room.json'))
}

export function firstRegion(network: Network) {
  const [region] = network.regions
  if (region === undefined) throw new Error('The network has no region.')
  return region
}

/** Waits for the room's state in the console's database. */
export function untilRoomIs(network: Network, name: string, state: string): Promise<void> {
  return until(`${name} is ${state}`, async () => {
    const rows = await network.database.rows<{ state: string }>('select state from rooms where name = $1', [name])
    return rows[0]?.state === state
  })
}

/** Reads and writes a document in the room's database `main`, as a user of the room does. */
export async function documentOf(network: Network, room: string) {
  const { client, url } = firstRegion(network)
  const { token } = await client.openSession(room, 'owner@example.com')
  const ask = async (init: RequestInit) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/rooms/${room}/databases/main/documents/one`, { headers, ...init })
    if (!answer.ok) throw new Error(`The region answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    write: async (text: string) => void (await ask({ method: 'PUT', body: JSON.stringify(text) })),
    read: (): Promise<unknown> => ask({}),
  }
}
