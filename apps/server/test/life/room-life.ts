/** Shared by the tests of a room's life: writes content into rooms, and reads the state of a room. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Network } from '@roomkeeper/dev-env'

/** Writes documents into a database of a room, as its users do. */
export async function writeDocuments(
  network: Network,
  room: string,
  documents: Record<string, unknown>,
  database = 'main',
): Promise<void> {
  const region = regionOf(network)
  const { token } = await region.client.openSession(room, 'owner@example.com')
  for (const [id, document] of Object.entries(documents)) {
    const answer = await fetch(
      `${region.url}/rooms/${room}/databases/${encodeURIComponent(database)}/documents/${id}`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(document),
      },
    )
    if (!answer.ok) throw new Error(`The document was not taken: ${answer.status} ${await answer.text()}`)
  }
}

/** The digest of everything in the room, as its region computes it. */
export async function digestOf(network: Network, room: string, regionId = 1): Promise<string> {
  const job = { type: 'digestRoom', room } as const
  return (await regionOf(network, regionId).client.runJob(`digest-${randomUUID()}`, job)).digest
}

/** Everything about a room that an operation could change, in the console and on its region; null if absent. */
export async function wholeRoom(network: Network, room: string) {
  const [row] = await network.database.rows<{ region_id: number } & Record<string, unknown>>(
    `select region_id, id, state, error_message, customer_first_name, company_name, sap_number_last, licences,
            (select count(*)::int from room_backups b where b.room_id = r.id) as backups,
            (select count(*)::int from database_backups b where b.room_id = r.id) as database_backups
       from rooms r where name = $1`,
    [room],
  )
  const regionId = row?.region_id ?? 1
  const { client } = regionOf(network, regionId)
  const there = await client.room(room)
  if (there === null) return { row: row ?? null, region: null }
  const licences = await client.licences(room)
  const region = {
    roomId: there.roomId,
    state: there.state,
    locked: there.locked,
    databases: there.databases,
    licences,
  }
  return { row: row ?? null, region: { ...region, digest: await digestOf(network, room, regionId) } }
}

/** What was sent to the regions for restores in a test, and what jobs are working on there. */
export async function sentForTests(network: Network): Promise<string[]> {
  const left = network.regions.map(async (_, index) => {
    const folder = join(network.dir, `region-${index + 1}`)
    const files = (await readdir(join(folder, 'files'))).filter((name) => name.startsWith('verify-'))
    return [...files, ...(await readdir(join(folder, 'work')))]
  })
  return (await Promise.all(left)).flat()
}

function regionOf(network: Network, id = 1) {
  const region = network.regions[id - 1]
  if (region === undefined) throw new Error(`The network has no region ${id}.`)
  return region
}
