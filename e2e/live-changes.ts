/** Changes rooms as the server does: in the database, with an event for the open consoles. */
import type { Network } from '@roomkeeper/dev-env'

/** Renames the customers of existing rooms and announces the changes to the open consoles. */
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
