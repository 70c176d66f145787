import type { Maintenance } from '@roomkeeper/contract'
import { recordAudit } from '#operators/index.ts'
import type { Database, Db, Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'

const fields = ['maintenanceMode', 'maintenanceMessage'] as const

export function maintenanceHandlers(database: Database): Pick<Handlers, 'maintenance' | 'saveMaintenance'> {
  return {
    maintenance: async () => ok(await readMaintenance(database.db)),
    async saveMaintenance({ body, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await readMaintenance(tx)
        await storeMaintenance(tx, body)
        const changes = fields
          .filter((field) => before[field] !== body[field])
          .map((field) => ({ field, from: before[field], to: body[field] }))
        if (changes.length === 0) return
        await recordAudit(tx, { actor: caller.email, action: 'maintenance.change', changes, requestId })
        await announce(tx, { type: 'maintenance' })
      })
      return ok(body)
    },
  }
}

/** If maintenance was never set, it is off and has no message. */
async function readMaintenance(db: Db | Tx): Promise<Maintenance> {
  const row = await db.selectFrom('maintenance').select(['isOn', 'message']).executeTakeFirst()
  return { maintenanceMode: row?.isOn ?? false, maintenanceMessage: row?.message ?? '' }
}

async function storeMaintenance(tx: Tx, { maintenanceMode, maintenanceMessage }: Maintenance): Promise<void> {
  const set = { isOn: maintenanceMode, message: maintenanceMessage }
  await tx
    .insertInto('maintenance')
    .values(set)
    .onConflict((conflict) => conflict.column('isSet').doUpdateSet(set))
    .execute()
}
