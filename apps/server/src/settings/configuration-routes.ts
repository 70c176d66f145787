import type { CloudConfiguration } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import type { Database, Db, Tx } from '#platform/database.ts'
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
        await tx.updateTable('cloudConfiguration').set(body).execute()
        const changes = changedFields(['youtubeIdentifier'], before, body)
        if (changes.length === 0) return
        await recordChange(tx, { actor: caller.actor, kind: 'configuration.change', changes, requestId })
      })
      return ok(body)
    },
  }
}

/** If it was never saved, there is no video. */
const unset: CloudConfiguration = { youtubeIdentifier: '' }

async function readConfiguration(db: Db): Promise<CloudConfiguration> {
  return (await stored(db).executeTakeFirst()) ?? unset
}

/** Until the transaction ends, so that of two changes at once the second is compared with what the first has stored. */
async function lockConfiguration(tx: Tx): Promise<CloudConfiguration> {
  // Only a row that exists can be locked.
  await tx
    .insertInto('cloudConfiguration')
    .values(unset)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return stored(tx).forUpdate().executeTakeFirstOrThrow()
}

function stored(db: Db | Tx) {
  return db.selectFrom('cloudConfiguration').select('youtubeIdentifier')
}
