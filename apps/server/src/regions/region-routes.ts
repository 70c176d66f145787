/** The regions as operators see them. */
import type { Region, RegionDraft } from '@roomkeeper/contract'
import type { Selectable } from 'kysely'
import { recordAudit } from '#operators/index.ts'
import type { Database, Db } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import type { RegionsTable } from '#platform/tables.ts'

export interface RegionHandlerParts {
  database: Database
  secrets: SecretBox
  /** Plain http also to addresses other than this machine's. */
  allowHttp: boolean
}

export function regionHandlers({
  database,
  secrets,
  allowHttp,
}: RegionHandlerParts): Pick<Handlers, 'regions' | 'createRegion'> {
  return {
    regions: async () => ok(await listRegions(database.db)),
    async createRegion({ body, caller, requestId }) {
      checkUrl(body.regionIPorURL, allowHttp)
      return ok(await insertRegion(database, secrets, body, { actor: caller.email, requestId }))
    },
  }
}

/** Passwords travel to a region: in the clear only inside this machine. */
function checkUrl(url: string, allowHttp: boolean): void {
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url)
    const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
    if (protocol === 'https:' || isLoopback || allowHttp) return
  }
  const message = 'Please make sure you enter the correct URL format'
  throw refuseInput([{ field: 'regionIPorURL', message: `${message}: https://host or https://host:port.` }])
}

function insertRegion(
  database: Database,
  secrets: SecretBox,
  draft: RegionDraft,
  by: { actor: string; requestId: string },
): Promise<Region> {
  return database.transaction(async (tx) => {
    const row = await tx
      .insertInto('regions')
      .values({
        name: draft.regionName,
        url: draft.regionIPorURL.replace(/\/$/, ''),
        user_name: draft.userName,
        password: secrets.seal(new Secret(draft.password)),
        system_password: secrets.seal(new Secret(draft.passwordSystem)),
        products: draft.productVersion,
        source_regions: draft.selectedSourceRegion,
        state: draft.state,
        max_rooms: draft.maxNumOfTenants,
        embedded_name: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw violatesUnique(error, 'regions_name') ? refuse('region-name-taken') : error
      })
    await recordAudit(tx, { ...by, action: 'region.create', detail: row.name })
    return toRegion(row)
  })
}

async function listRegions(db: Db): Promise<Region[]> {
  const rows = await db.selectFrom('regions').selectAll().orderBy('id').execute()
  return rows.map(toRegion)
}

function toRegion(row: Selectable<RegionsTable>): Region {
  return {
    regionId: row.id,
    regionName: row.name,
    regionIP: row.url,
    selectedSourceRegion: row.source_regions,
    userName: row.user_name,
    productVersion: row.products as Region['productVersion'],
    state: row.state,
    maxNumOfTenants: row.max_rooms,
    numberOfProjectRooms: row.room_count,
    // Nothing can be a migration's target before migration configurations exist.
    isMigrationTarget: false,
  }
}
