/** Adopts a room as it is: one that the console does not know, or one in another region than the console recorded. */
import { because, editions, importedRoom, products, type ReasonCode } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { countBackups } from '#backups/index.ts'
import { recordChange } from '#changes/index.ts'
import { StepFailed } from '#operations/index.ts'
import { columnOf, inSnakeCase } from '#platform/column-names.ts'
import { type Db, queryRows } from '#platform/database.ts'
import {
  type ConsoleColumns,
  consoleColumns,
  openRecord,
  takeFromDeleted,
  type WhyNoRecord,
  whyNotAdopt,
} from '#rooms/index.ts'
import { askRegions } from '../checks/check-regions.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'
import { impossible, type RepairCall, type RepairKind, regionOf, roomOf } from './repair-kind.ts'

export const adopt: RepairKind = {
  async preview(parts, finding) {
    if (finding.kind === 'room-unknown') return changesOfUnknownRoom(parts, finding)
    const { home, other } = await moveOf(parts, finding)
    return [{ field: 'region', from: home.name, to: other.name }]
  },
  run: (call, parts, finding) =>
    finding.kind === 'room-unknown' ? adoptUnknownRoom(call, parts, finding) : recordOtherRegion(call, parts, finding),
}

/** Finds the room unlocked in another region, and checks that its recorded region answers without it. */
async function moveOf(parts: DoctorParts, finding: StoredFinding) {
  const room = await roomOf(parts, finding)
  const otherId = finding.regionIds.find((id) => id !== room.regionId) ?? null
  const [home, other] = await Promise.all([regionOf(parts, room.regionId), regionOf(parts, otherId)])
  const [there, here] = await Promise.all([other.client.room(room.name), home.client.room(room.name)])
  if (here !== null) throw impossible('home-has-room', { region: home.name })
  if (there === null || there.roomId !== room.id) throw impossible('other-has-not', { region: other.name })
  if (there.locked) throw impossible('locked-in-region', { region: other.name })
  await requireOnlyCopy(parts, room, other)
  return { room, home, other }
}

/** With several copies, the console cannot tell which one is in use. @throws Refusal */
async function requireOnlyCopy(
  parts: DoctorParts,
  room: { id: string; name: string },
  region: { id: number; name: string },
): Promise<void> {
  const others = (await askRegions(parts, [])).filter(({ id }) => id !== region.id)
  const names = (some: typeof others) => some.map(({ name }) => name).join(', ')
  const unasked = others.filter(({ lost }) => lost !== null)
  if (unasked.length > 0) throw impossible('perhaps-elsewhere', { regions: names(unasked) })
  const answers = await Promise.all(others.map(({ client }) => client.room(room.name)))
  const holders = others.filter((_, index) => answers[index]?.roomId === room.id)
  if (holders.length > 0) throw impossible('several-have-it', { region: region.name, others: names(holders) })
}

async function recordOtherRegion(call: RepairCall, parts: DoctorParts, finding: StoredFinding): Promise<void> {
  const already = await roomOf(parts, finding)
  if (already.regionId !== finding.regionId) return call.log([because('log-already-there')])
  const { room, home, other } = await moveOf(parts, finding)
  await call.transaction(async (tx) => {
    const moved = await queryRows(
      tx,
      `update rooms set region_id = $3, version = version + 1 where id = $1 and region_id = $2 returning id`,
      [room.id, home.id, other.id],
    )
    if (moved.length === 0) throw new StepFailed(because('room-in-another-region'))
    await queryRows(tx, 'delete from redirects where room_id = $1 and region_id = $2', [room.id, other.id])
    const changes = [{ field: 'region', from: home.name, to: other.name }]
    await recordChange(tx, { kind: 'room.corrected', room, operation: call, changes })
  })
  await call.log([because('log-home-now', { region: other.name })])
}

async function changesOfUnknownRoom(parts: DoctorParts, finding: StoredFinding) {
  const { region, info, form, known } = await unknownRoomOf(parts, finding)
  const { sapNumber, salesmanEmail } = withUnknown(known)
  return [
    { field: 'tenantName', from: null, to: form.tenantName },
    { field: 'region', from: null, to: region.name },
    { field: 'product', from: null, to: `${form.product} ${form.edition}` },
    { field: 'state', from: null, to: info.state },
    { field: 'customerEmail', from: null, to: form.customerEmail },
    // Empty: the region keeps no record of the console's.
    { field: 'sapNumber', from: null, to: sapNumber },
    { field: 'salesmanEmail', from: null, to: salesmanEmail },
    // Backups from before the room was removed here become its backups again.
    { field: 'backups', from: null, to: await countBackups(parts.db, info.roomId) },
    // The room's id is only what the region claims, so the operator sees whether the room was ever there.
    { field: 'lastRegion', from: null, to: await lastRegionOf(parts.db, info.roomId) },
  ]
}

async function unknownRoomOf(parts: DoctorParts, finding: StoredFinding) {
  const name = finding.roomName ?? ''
  const region = await regionOf(parts, finding.regionId)
  const info = await region.client.room(name)
  if (info === null || info.roomId !== finding.roomId) throw impossible('region-lost-it')
  if (info.name !== name) throw impossible('region-answers-other', { room: info.name })
  const form = adoptable(info)
  if (info.locked) throw impossible('locked')
  const [taken] = await queryRows<{ name: string }>(
    parts.db,
    'select name from rooms where name = $1 or id = $2 limit 1',
    [name, info.roomId],
  )
  if (taken !== undefined) throw impossible('room-known', { room: taken.name })
  const whyNot = await whyNotAdopt(parts.db, info.roomId)
  if (whyNot !== null) throw impossible(whyNot)
  await requireOnlyCopy(parts, { id: info.roomId, name }, region)
  const known = openRecord(parts.secrets, info.roomId, await region.client.consoleRecord(name))
  return { region, info, form, known }
}

const adoptedColumns = [
  'id',
  'name',
  'product',
  'edition',
  'regionId',
  'expirationDate',
  'customerFirstName',
  'customerLastName',
  'customerEmail',
  'customerContactDetails',
  'companyName',
  'additionalEmail',
  'state',
  'licences',
  'licencesInformation',
  'subLicences',
  'subMiningType',
] as const
const adoptedNames = [...adoptedColumns, ...consoleColumns].map((column) => columnOf(column)).join()

const insertAdopted = `
  insert into rooms (${adoptedNames})
  select ${adoptedNames}
    from jsonb_populate_record(null::rooms, jsonb_build_object('created_at', now()) || $1::jsonb)`

/** What the region's record does not say is left empty, and to be filled in by hand. */
async function adoptUnknownRoom(call: RepairCall, parts: DoctorParts, finding: StoredFinding): Promise<void> {
  const already = await queryRows(parts.db, 'select from rooms where id = $1', [finding.roomId])
  if (already.length > 0) return call.log([because('log-known-already')])
  const { region, info, form, known } = await unknownRoomOf(parts, finding)
  const { startedBy: actor, requestId } = call
  const fields = await withFreeNumber(parts, withUnknown(known))
  await call.transaction(async (tx) => {
    const row: Record<(typeof adoptedColumns)[number], unknown> & Fields = {
      id: info.roomId,
      name: form.tenantName,
      product: form.product,
      edition: form.edition,
      regionId: region.id,
      ...fields,
      expirationDate: form.expirationDate,
      customerFirstName: form.customerFirstName,
      customerLastName: form.customerLastName,
      customerEmail: form.customerEmail,
      customerContactDetails: form.customerContactDetails,
      companyName: form.companyName,
      additionalEmail: form.additionalEmail,
      state: info.state === 'suspended' ? 'SUSPENDED' : 'DEFAULT',
      licences: form.licenses,
      licencesInformation: form.licensesInformation,
      subLicences: form.subLicenses,
      subMiningType: form.subMiningType,
    }
    await queryRows(tx, insertAdopted, [JSON.stringify(inSnakeCase(row))])
    // The room may have been deleted here and come back with a restored backup of the region's server.
    const whyNot = await takeFromDeleted(tx, info.roomId)
    if (whyNot !== null) throw impossible(whyNot)
    const room = { id: info.roomId, name: form.tenantName }
    const detail = because('audit-found-in', { region: region.name })
    await recordChange(tx, { kind: 'room.adopt', actor, requestId, room, operation: call, detail })
  })
  await call.log([because('log-adopted')])
  if (typeof known === 'string') await call.log([because(unknownBecause[known])], 'warning')
  else if (fields.sapNumberLast !== known.sapNumberLast)
    await call.log([because('log-sap-number-taken', { number: known.sapNumberLast ?? '' })], 'warning')
}

/** A new SAP contract number that another room has got since is left out. */
async function withFreeNumber({ db }: DoctorParts, fields: Fields): Promise<Fields> {
  const taken = await queryRows(
    db,
    `select 1 where exists (select from rooms where sap_number_key(sap_number) = sap_number_key($1))
        or exists (select from rooms where sap_number_last is not null
                      and sap_number_key(sap_number_last) = sap_number_key($1))`,
    [fields.sapNumberLast ?? null],
  )
  return taken.length === 0 ? fields : { ...fields, sapNumberLast: null }
}

/** The columns that may not be null have what a new room has by default, or are empty. */
const unknownFields = { sapNumber: '', salesChannel: 'direct-sales', salesmanEmail: '', priority: 0 } as const

function withUnknown(known: Partial<ConsoleColumns> | WhyNoRecord) {
  return { ...unknownFields, ...(typeof known === 'string' ? {} : known) }
}
type Fields = ReturnType<typeof withUnknown>

const unknownBecause = {
  none: 'log-record-none',
  'other-key': 'log-record-other-key',
  unusable: 'log-record-unusable',
} as const satisfies Record<WhyNoRecord, ReasonCode>

const shown = importedRoom.omit({ tmpFileName: true, backup: true })
type Adoptable = z.output<typeof shown>

/**
 * What the console can store of a room as its region describes it.
 * @throws Refusal for what cannot be stored or shown
 */
function adoptable(info: RoomInfo): Adoptable {
  const { settings } = info
  if (settings === undefined) throw impossible('region-too-old')
  const product = products.find((each) => each === info.product)
  const edition = editions.find((each) => each === info.edition)
  if (product === undefined || edition === undefined) throw impossible('product-unknown')
  const { contacts, licences } = settings
  const form: Adoptable = {
    tenantName: info.name,
    product,
    edition,
    expirationDate: settings.expirationDate,
    customerFirstName: contacts.customerFirstName,
    customerLastName: contacts.customerLastName,
    customerEmail: contacts.ownerEmail,
    customerContactDetails: contacts.customerContactDetails,
    companyName: contacts.companyName,
    additionalEmail: contacts.delegateEmail,
    licenses: Object.fromEntries(licences.map(({ licenseKey, licenseAmount }) => [licenseKey, licenseAmount])),
    licensesInformation: licences,
    subLicenses: settings.subLicences,
    subMiningType: settings.subMiningType,
  }
  if (!z.safeEncode(shown, form).success || !canBeStored(form)) throw impossible('settings-impossible')
  return form
}

const longestText = 2000

function canBeStored(form: Adoptable): boolean {
  const texts: string[] = []
  JSON.stringify(form, (_, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts.every((text) => text.length <= longestText && text.isWellFormed() && !text.includes('\0'))
}

/** The last known region of a room. @returns its name, or null if the audit trail does not know it */
async function lastRegionOf(db: Db, roomId: string): Promise<string | null> {
  const [last] = await queryRows<{ region: string }>(
    db,
    `select region from (
       select a.id, case a.action
           when 'room.remove-with-region' then a.detail
           when 'room.migrate' then a.changes->0->>'to'
           when 'room.adopt' then substring(a.detail from '^found in the region (.*)$')
           else (select r.name from operations o join regions r on r.id = o.region_id where o.id = a.operation_id)
         end as region
         from audit a where a.room_id = $1) known
      where region is not null order by id desc limit 1`,
    [roomId],
  )
  return last?.region ?? null
}
