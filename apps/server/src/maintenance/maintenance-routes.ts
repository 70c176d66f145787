import type { Maintenance } from '@roomkeeper/contract'
import { changedFields, recordChange } from '#changes/index.ts'
import type { Database, Db, Tx } from '#platform/database.ts'
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
        await storeMaintenance(tx, body)
        const changes = changedFields(fields, before, body)
        if (changes.length === 0) return
        await recordChange(tx, { actor: caller.actor, kind: 'maintenance.change', changes, requestId })
      })
      return ok(body)
    },
  }
}

/** If maintenance was never set, it is off and has no message. */
const unset = { isOn: false, message: '' }

async function readMaintenance(db: Db): Promise<Maintenance> {
  return present((await stored(db).executeTakeFirst()) ?? unset)
}

/** Until the transaction ends, so that of two changes at once the second is compared with what the first has stored. */
async function lockMaintenance(tx: Tx): Promise<Maintenance> {
  // Only a row that exists can be locked.
  await tx
    .insertInto('maintenance')
    .values(unset)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return present(await stored(tx).forUpdate().executeTakeFirstOrThrow())
}

function stored(db: Db | Tx) {
  return db.selectFrom('maintenance').select(['isOn', 'message'])
}

function present({ isOn, message }: typeof unset): Maintenance {
  return { maintenanceMode: isOn, maintenanceMessage: message }
}

async function storeMaintenance(tx: Tx, { maintenanceMode, maintenanceMessage }: Maintenance): Promise<void> {
  await tx.updateTable('maintenance').set({ isOn: maintenanceMode, message: maintenanceMessage }).execute()
}
