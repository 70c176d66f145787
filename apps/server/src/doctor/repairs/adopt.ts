/** Takes a room as it is: one that the console does not know, or one that is in another region than the console says. */
import { editions, products } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { StepFailed } from '#operations/index.ts'
import { recordAudit } from '#operators/index.ts'
import { queryRows } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'
import { impossible, type RepairCall, type RepairKind, regionOf, roomOf } from './repair-kind.ts'

export const adopt: RepairKind = {
  async preview(parts, finding) {
    if (finding.kind === 'room-unknown') return changesOfStranger(parts, finding)
    const { home, other } = await moveOf(parts, finding)
    return [{ field: 'region', from: home.name, to: other.name }]
  },
  run: (call, parts, finding) =>
    finding.kind === 'room-unknown' ? takeIn(call, parts, finding) : point(call, parts, finding),
}

/** The room that is elsewhere, unlocked, while its own region answers that it does not have it. */
async function moveOf(parts: DoctorParts, finding: StoredFinding) {
  const room = await roomOf(parts, finding)
  const otherId = finding.region_ids.find((id) => id !== room.region_id) ?? null
  const [home, other] = await Promise.all([regionOf(parts, room.region_id), regionOf(parts, otherId)])
  const [there, here] = await Promise.all([other.client.room(room.name), home.client.room(room.name)])
  if (here !== null) throw impossible(`The region ${home.name} has a project room of this name.`)
  if (there === null || there.roomId !== room.id) throw impossible(`The region ${other.name} does not have it.`)
  if (there.locked) throw impossible(`It is locked in the region ${other.name}: something works with it.`)
  return { room, home, other }
}

async function point(call: RepairCall, parts: DoctorParts, finding: StoredFinding): Promise<void> {
  const already = await roomOf(parts, finding)
  if (already.region_id !== finding.region_id) return call.log('it is in the other region already')
  const { room, home, other } = await moveOf(parts, finding)
  await call.transaction(async (tx) => {
    const moved = await queryRows(
      tx,
      `update rooms set region_id = $3, version = version + 1 where id = $1 and region_id = $2 returning id`,
      [room.id, home.id, other.id],
    )
    if (moved.length === 0) throw new StepFailed('The project room is in another region now.')
    await queryRows(tx, 'delete from room_routes where room_id = $1 and region_id = $2', [room.id, other.id])
    await announce(tx, { type: 'room', room: room.name, gone: false })
  })
  await call.log(`the project room is in ${other.name} now`)
}

async function changesOfStranger(parts: DoctorParts, finding: StoredFinding) {
  const { region, info, settings } = await strangerOf(parts, finding)
  return [
    { field: 'tenantName', from: null, to: info.name },
    { field: 'region', from: null, to: region.name },
    { field: 'product', from: null, to: `${info.product} ${info.edition}` },
    { field: 'state', from: null, to: info.state },
    { field: 'customerEmail', from: null, to: settings.contacts.ownerEmail },
  ]
}

async function strangerOf(parts: DoctorParts, finding: StoredFinding) {
  const name = finding.room_name ?? ''
  const region = await regionOf(parts, finding.region_id)
  const info = await region.client.room(name)
  if (info === null || info.roomId !== finding.room_id) throw impossible('The region does not have it any more.')
  const { settings } = info
  if (settings === undefined) throw impossible('The region is too old: it does not tell licences and contacts.')
  if (info.locked) throw impossible('It is locked: something works with it.')
  const taken = await parts.db
    .selectFrom('rooms')
    .select('name')
    .where(({ or, eb }) => or([eb('name', '=', name), eb('id', '=', info.roomId)]))
    .executeTakeFirst()
  if (taken !== undefined) throw impossible(`The console already has a project room ${taken.name}.`)
  return { region, info, settings }
}

/** What no region knows is to be filled in by hand: whoever adopts it is its sales contact until then. */
async function takeIn(call: RepairCall, parts: DoctorParts, finding: StoredFinding): Promise<void> {
  const known = await parts.db
    .selectFrom('rooms')
    .select('id')
    .where('id', '=', finding.room_id ?? '')
    .executeTakeFirst()
  if (known !== undefined) return call.log('the console has it already')
  const { region, info, settings } = await strangerOf(parts, finding)
  const { contacts } = settings
  const { startedBy: actor, requestId, id: operationId } = call
  await call.transaction(async (tx) => {
    await tx
      .insertInto('rooms')
      .values({
        id: info.roomId,
        name: info.name,
        ...kindOf(info),
        region_id: region.id,
        sap_number: unknownSapNumber,
        sap_number_last: null,
        sales_channel: 'direct-sales',
        expiration_date: settings.expirationDate,
        customer_first_name: contacts.customerFirstName,
        customer_last_name: contacts.customerLastName,
        customer_email: contacts.ownerEmail,
        customer_contact_details: contacts.customerContactDetails,
        company_name: contacts.companyName,
        salesman: null,
        salesman_email: actor,
        additional_email: contacts.delegateEmail,
        state: info.state === 'suspended' ? 'SUSPENDED' : 'DEFAULT',
        priority: 0,
        error_message: null,
        licences: JSON.stringify(
          Object.fromEntries(settings.licences.map((each) => [each.licenseKey, each.licenseAmount])),
        ),
        licences_information: JSON.stringify(settings.licences),
        sub_licences: JSON.stringify(settings.subLicences),
        sub_mining_type: settings.subMiningType,
      })
      .execute()
    const room = { id: info.roomId, name: info.name }
    const detail = `found in the region ${region.name}`
    await recordAudit(tx, { actor, action: 'room.adopt', room, detail, operationId, requestId })
    await announce(tx, { type: 'room', room: info.name, gone: false })
  })
  await call.log('the console has it now: SAP number and sales contact have to be filled in')
}

const unknownSapNumber = 'unknown'

/** @throws StepFailed for what this console cannot hold */
function kindOf(info: RoomInfo) {
  const product = products.find((each) => each === info.product)
  const edition = editions.find((each) => each === info.edition)
  if (product === undefined || edition === undefined) throw new StepFailed('The console does not know this product.')
  return { product, edition }
}
