import type { CloudConfiguration } from '@roomkeeper/contract'
import { recordAudit } from '#operators/index.ts'
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
        const before = await readConfiguration(tx)
        await storeConfiguration(tx, body)
        if (before.youtubeIdentifier === body.youtubeIdentifier) return
        const changes = [{ field: 'youtubeIdentifier', from: before.youtubeIdentifier, to: body.youtubeIdentifier }]
        await recordAudit(tx, { actor: caller.email, action: 'configuration.change', changes, requestId })
      })
      return ok(body)
    },
  }
}

async function readConfiguration(db: Db | Tx): Promise<CloudConfiguration> {
  const row = await db.selectFrom('cloud_configuration').select('youtube_identifier').executeTakeFirst()
  return { youtubeIdentifier: row?.youtube_identifier ?? '' }
}

async function storeConfiguration(tx: Tx, { youtubeIdentifier }: CloudConfiguration): Promise<void> {
  const set = { youtube_identifier: youtubeIdentifier }
  await tx
    .insertInto('cloud_configuration')
    .values(set)
    .onConflict((conflict) => conflict.column('is_set').doUpdateSet(set))
    .execute()
}
