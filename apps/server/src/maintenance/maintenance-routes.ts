import type { Maintenance } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'

const fields = ['maintenanceMode', 'maintenanceMessage'] as const

export function maintenanceHandlers(
  database: Database,
  isDrill: boolean,
): Pick<Handlers, 'maintenance' | 'saveMaintenance'> {
  return {
    maintenance: async () => ok({ ...(await readMaintenance(database.db)), ...(isDrill ? { isDrill } : {}) }),
    async saveMaintenance({ body, caller, requestId }) {
      await database.transaction(async (tx) => {
        const before = await lockMaintenance(tx)
        await queryRows(tx, 'update maintenance set is_on = $1, message = $2', [
          body.maintenanceMode,
          body.maintenanceMessage,
        ])
        const changes = changedFields(fields, before, body)
        if (changes.length === 0) return
        await recordChange(tx, { actor: caller.actor, kind: 'maintenance.change', changes, requestId })
      })
      return ok(body)
    },
  }
}

async function readMaintenance(db: Db | Tx, locking: '' | 'for update' = ''): Promise<Maintenance> {
  const [stored] = await queryRows<Maintenance>(
    db,
    `select is_on as maintenance_mode, message as maintenance_message from maintenance ${locking}`,
  )
  return stored ?? { maintenanceMode: false, maintenanceMessage: '' }
}

/** Held until the transaction ends: of two concurrent changes, the second is compared with what the first has stored. */
async function lockMaintenance(tx: Tx): Promise<Maintenance> {
  // Only a row that exists can be locked.
  await queryRows(tx, `insert into maintenance (is_on, message) values (false, '') on conflict do nothing`)
  return readMaintenance(tx, 'for update')
}
