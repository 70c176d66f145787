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
  const row = await db.selectFrom('cloudConfiguration').select('youtubeIdentifier').executeTakeFirst()
  return { youtubeIdentifier: row?.youtubeIdentifier ?? '' }
}

async function storeConfiguration(tx: Tx, { youtubeIdentifier }: CloudConfiguration): Promise<void> {
  const set = { youtubeIdentifier }
  await tx
    .insertInto('cloudConfiguration')
    .values(set)
    .onConflict((conflict) => conflict.column('isSet').doUpdateSet(set))
    .execute()
}
