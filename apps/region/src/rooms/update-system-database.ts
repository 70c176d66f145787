/** The job updateSystemDatabase: brings a room's system.db to the schema version of this region. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { InputOf, JobKind } from '#jobs/job-kind.ts'
import { refuse } from '#refusals.ts'
import { type Region, runExclusively } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'
import { ownUnlockedRoom } from './find-room.ts'
import { changeSystemSchema, newestSchemaVersion, schemaVersionOf } from './system-database.ts'

export const updateSystemDatabase: JobKind<'updateSystemDatabase'> = {
  check: (region, input) => {
    refuseWrongPassword(region, input)
    ownUnlockedRoom(region, input)
  },
  run: async ({ region, input, signal, log }) => {
    const { room } = input
    const [from, to] = await runExclusively(region, room, undefined, async () => {
      signal.throwIfAborted()
      ownUnlockedRoom(region, input)
      const system = region.handles.open(region.folders.systemDatabase(room))
      return inTransaction(system, () => {
        const version = schemaVersionOf(system)
        if (version < newestSchemaVersion) changeSystemSchema(system, version)
        return [version, Math.max(version, newestSchemaVersion)] as const
      })
    })
    log(from === to ? `${room} had version ${to} already.` : `${room} went from version ${from} to ${to}.`)
    return { from, to }
  },
}

function refuseWrongPassword(region: Region, { systemPassword }: InputOf<'updateSystemDatabase'>): void {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(hash(systemPassword), hash(region.settings.systemPassword)))
    throw refuse('wrong-system-password')
}
