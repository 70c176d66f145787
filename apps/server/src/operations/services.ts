import type { Db } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'

/** What the steps of operations work with. app/services.ts adds what the features provide. */
export interface Services {
  db: Db
  log: Log
}
