import type { CloudConfiguration } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'

type ConfigurationHandlers = Pick<Handlers, 'configuration' | 'saveConfiguration' | 'customerConfiguration'>

export function configurationHandlers(database: Database): ConfigurationHandlers {
  const read = async () => ok(await readConfiguration(database.db))
  return {
    configuration: read,
    customerConfiguration: read,
    async saveConfiguration({ body, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockConfiguration(tx)
        await queryRows(tx, 'update cloud_configuration set youtube_identifier = $1', [body.youtubeIdentifier])
        const changes = changedFields(['youtubeIdentifier'], before, body)
        if (changes.length === 0) return
        await recordChange(tx, { actor: caller.actor, kind: 'configuration.change', changes, requestId })
      })
      return ok(body)
    },
  }
}

async function readConfiguration(db: Db | Tx, locking: '' | 'for update' = ''): Promise<CloudConfiguration> {
  const [stored] = await queryRows<CloudConfiguration>(
    db,
    `select youtube_identifier from cloud_configuration ${locking}`,
  )
  // If it was never saved, there is no video.
  return stored ?? { youtubeIdentifier: '' }
}

/** Held until the transaction ends: of two concurrent changes, the second is compared with what the first has stored. */
async function lockConfiguration(tx: Tx): Promise<CloudConfiguration> {
  // Only a row that exists can be locked.
  await queryRows(tx, `insert into cloud_configuration (youtube_identifier) values ('') on conflict do nothing`)
  return readConfiguration(tx, 'for update')
}
