/** While PostgreSQL is down, another program listens on its port and answers with PostgreSQL's errors. */
import { bootNetwork, type Network, type PostgresServer, startPostgresServer, until } from '@roomkeeper/dev-env'
import { type Demand, startFalsePostgres } from '@roomkeeper/embedded-postgres-server/false-postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'

const name = 'roomkeeper'
let postgres: PostgresServer
let network: Network
beforeAll(async () => {
  postgres = await startPostgresServer()
  await postgres.createDatabase(name)
  const url = `${postgres.url(name)}?require_auth=scram-sha-256`
  const rows = <Row>(text: string, values?: unknown[]) => postgres.rows<Row>(text, values, name)
  network = await bootNetwork({ database: { url, rows, drop: async () => undefined } })
}, 120_000)
afterAll(async () => {
  await network?.stop()
  await postgres?.remove()
})

it.each<Demand>(['to be believed that a table is missing', 'to be believed that a row is gone'])(
  'one that wants %s ends no operation; calls are told that the database is away',
  async (demand) => {
    const room = await network.newRoom()
    const region = network.regions[0]?.child
    region?.kill('SIGSTOP')
    void network.admin.call('suspendRoom', { body: { roomName: room } }).catch(() => undefined)
    await until('it waits for the region', async () => (await newest(room))?.running === 1)
    const printed = network.server.output().length
    await postgres.kill()
    const stranger = await startFalsePostgres(postgres.port, demand)
    region?.kill('SIGCONT')
    // The next thing that the operation does is to record what the region has done.
    const met = /database unreachable, trying again|42P01|23503/
    await until('the operation met the stranger', async () => met.test(network.server.output().slice(printed)))
    await expect(network.admin.call('listRooms', {})).rejects.toMatchObject({ code: 'database-unreachable' })
    await stranger.close()
    await postgres.start()
    await network.settle()
    expect(await newest(room)).toMatchObject({ state: 'done', error: null })
  },
  120_000,
)

async function newest(room: string) {
  const [row] = await network.database.rows<{ state: string; error: string | null; running: number }>(
    `select o.state, o.error,
            (select count(*)::int from operation_steps s where s.operation_id = o.id and s.state = 'running') as running
       from operations o where room_name = $1 order by created_at desc limit 1`,
    [room],
  )
  return row
}
