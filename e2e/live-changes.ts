/** Changes of rooms as the server makes them: in the database, and told to the consoles. */
import type { Network } from '@roomkeeper/dev-env'

/** Renames the customers of rooms that still exist, and tells the consoles that the rooms have changed. */
export async function changeRooms(network: Network, names: readonly string[], lastName: string): Promise<void> {
  await network.database.rows(`update rooms set customer_last_name = $2, version = version + 1 where name = any($1)`, [
    names,
    lastName,
  ])
  await network.database.rows(
    `insert into events (payload)
     select jsonb_build_object('type', 'room', 'room', name, 'gone', false) from unnest($1::text[]) as name`,
    [names],
  )
}
