/** The columns of the export: first the fields of the catalogue, then the licences. */
import {
  type CsvForm,
  type Edition,
  type LicenceTotalKey,
  licenceTotalKeys,
  type Product,
  type ProjectRoomState,
  type RoomFieldName,
  roomFieldCatalogue,
  roomFieldsWith,
  type SalesChannel,
  type SubMiningType,
} from '@roomkeeper/contract'
import { defused } from '@roomkeeper/rules'
import { type RawBuilder, sql } from 'kysely'
import { columnOf } from '#platform/column-names.ts'
import { defusedSql, timeSql } from '#platform/csv.ts'
import { columnOfField } from '../room-field-columns.ts'
import { noBackup } from './fields.ts'
import type { ListRegions } from './regions.ts'
import { shownStateSql } from './shown-state.ts'

const products: Record<Product, string> = { ARIS: 'ARIS', MINING: 'MINING', ENTERPRISE: 'ENTERPRISE' }
const editions: Record<Edition, string> = {
  basic: 'Basic',
  advanced: 'Advanced',
  enterprise: 'Enterprise',
  'advanced-base-extension': 'Advanced incl. Base Extension',
  'enterprise-shared': 'Enterprise shared',
}
const salesChannels: Record<SalesChannel, string> = { 'direct-sales': 'Direct Sales', 'online-shop': 'Online Shop' }
const states: Record<ProjectRoomState, string> = {
  DEFAULT: 'Active',
  MARKED_FOR_DELETION: 'On deleting',
  ERROR: 'Error',
  DISABLED_REGION: 'Disabled region',
  SUSPENDED: 'Suspended',
  IN_PROGRESS: 'In progress',
}
const subMiningTypes: Record<SubMiningType, string> = {
  NONE: '',
  MINING_BASIC: 'MINING_BASIC',
  MINING_ENTERPRISE: 'MINING_ENTERPRISE',
}
const licences: Record<LicenceTotalKey, string> = {
  designers: 'Designers',
  viewers: 'Viewers',
  architects: 'Architects',
  epBus: 'EP business strategy',
  epEam: 'EP EAM',
  designersSap: 'Designers SAP',
  architectsSap: 'Architects SAP',
  yukonDataVolume: 'Data volume (GB)',
  aiCredits: 'AI credits',
  yukonViewer: 'Mining viewers',
  yukonEngineer: 'Mining engineers',
  yukonAnalyst: 'Mining analysts',
  esDesigner: 'Enterprise designers',
  esViewer: 'Enterprise viewers',
  esViewerPro: 'Enterprise viewers pro',
  esAdmin: 'Enterprise admins',
}

/** The select list for `select … from rooms`. */
export function exportColumns(regions: ListRegions, form: CsvForm): RawBuilder<unknown> {
  const secondOf = (column: string) => sql.raw<string>(timeSql(column, form))
  const written = { ...specialColumns(regions), creationDate: secondOf('created_at') }
  const columns: [string, RawBuilder<unknown>][] = [
    ...roomFieldsWith('exportTitle').map((field): [string, RawBuilder<unknown>] => [
      roomFieldCatalogue[field].exportTitle,
      written[field] ?? text(columnOf(columnOfField(field))),
    ]),
    ['Last backup', secondOf(`nullif(last_backup_at, '${noBackup}')`)],
    ['Last backup restored in a test', secondOf('last_backup_restored_at')],
    ...licenceTotalKeys.map((key): [string, RawBuilder<unknown>] => [licences[key], sql.ref(columnOf(key))]),
  ]
  return sql.join(columns.map(([label, value]) => sql`${value} as ${sql.ref(label)}`))
}

/** Fields that are exported differently: they are not text, or nobody can type a formula into them. */
function specialColumns(regions: ListRegions): Partial<Record<RoomFieldName, RawBuilder<unknown>>> {
  return {
    product: labelled('product', products),
    tenantName: sql.ref('name'),
    edition: labelled('edition', editions),
    productType: labelled('sales_channel', salesChannels),
    region: regionName(regions),
    expirationDate: sql`coalesce(expiration_date::text, 'Unlimited')`,
    projectRoomState: sql`case ${shownStateSql(regions)} ${cases(states)} end`,
    subMiningType: labelled('sub_mining_type', subMiningTypes),
  }
}

function text(column: string): RawBuilder<string> {
  return sql.raw(defusedSql(`"${column}"`))
}

function labelled(column: string, labels: Record<string, string>): RawBuilder<string> {
  return sql`case ${sql.ref(column)} ${cases(labels)} end`
}

function cases(labels: Record<string, string>): RawBuilder<unknown> {
  return sql.join(
    Object.entries(labels).map(([name, label]) => sql`when ${sql.lit(name)} then ${sql.lit(label)}`),
    sql` `,
  )
}

/** There are few regions, so the statement itself contains their names. */
function regionName({ ordered }: ListRegions): RawBuilder<string> {
  if (ordered.length === 0) return sql`''`
  const names = ordered.map(({ id, name }) => sql`when ${sql.lit(id)} then ${defused(name)}`)
  return sql`case region_id ${sql.join(names, sql` `)} end`
}
