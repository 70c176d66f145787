/** Starts the embedded PostgreSQL in the folder `postgres` of DATA_DIR: packages/embedded-postgres-server. */
import {
  type Application,
  type EmbeddedPostgres,
  type Log,
  startEmbeddedPostgres as start,
} from '@roomkeeper/embedded-postgres-server'

/** `name` is the name of the user and the database; the stored data contains it, so it never changes. */
export const roomkeeper: Application = {
  name: 'roomkeeper',
  title: 'Roomkeeper',
  advice: {
    'no-programs': 'set DATABASE_URL to a PostgreSQL server.',
    'no-flock': 'install util-linux, or set DATABASE_URL to a PostgreSQL server.',
    'folder-closed': 'let it enter, or set another DATA_DIR.',
    'folder-in-use': 'stop that one, or set another DATA_DIR.',
    'data-too-old': 'Run "npm run postgres:upgrade" first, see "A new PostgreSQL" in docs/operations.md.',
  },
}

/** @throws {EmbeddedPostgresError} with a message of one line for the person who started the console */
export function startEmbeddedPostgres(options: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  return start({ ...options, application: roomkeeper })
}
