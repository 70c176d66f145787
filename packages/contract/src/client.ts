/** A typed caller for any route of the table; the tests and the benchmarks use it. */
import { type Client, type Connection, createClientOf } from './client-of.ts'
import { routes } from './routes.ts'

export function createClient(connection: Connection): Client {
  return createClientOf(connection, (name) => routes[name])
}
