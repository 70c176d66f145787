/** A room that only its region has is adopted with its backups, and with what the region keeps for the console. */
import { bootNetwork, type Network, registerRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecretBox, Secret } from '#platform/secrets.ts'
import { findingsAbout, previewOf, regionAt, repair, roomIdOf, runDoctor } from './run-doctor.ts'

const tables = ['room_backups', 'database_backups']
let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1, env: { ROOM_RECORD_SECONDS: '1' } })
})
afterAll(() => network?.stop())

it("the preview says how many backups are kept and where the room was, and they are the room's again, as are its labels and notes", async () => {
  const name = await network.newRoom()
  await network.admin.call('backupDatabase', { body: { projectRoomName: name, databaseName: 'main' } })
  await network.settle()
  await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
  await network.admin.call('backupRoom', { query: { projectRoomName: name, isD2O: false } })
  await network.settle()
  await network.admin.call('labelRoom', { body: { projectRoom: name, labels: ['VIP'] } })
  await network.admin.call('addRoomNote', { body: { projectRoom: name, text: 'Ticket 4711', pinned: true } })
  const [before] = await network.database.rows<{ name: string }>('select name from regions where id = 1')
  await network.admin.call('deleteRegion', { body: { id: 1 } })
  const { url, userName, password, systemPassword } = regionAt(network, 0)
  const login = { userName, password, passwordSystem: systemPassword }
  const products: ['ARIS', 'MINING', 'ENTERPRISE'] = ['ARIS', 'MINING', 'ENTERPRISE']
  const again = { regionName: 'again', regionIPorURL: url, productVersion: products, maxNumOfTenants: -1 }
  await network.admin.call('createRegion', { body: { ...login, ...again } })
  // As after a deletion, when the backups of a room expire after 30 days.
  for (const table of tables) await network.database.rows(`update ${table} set expires_at = now() + interval '1 day'`)
  const [finding, ...more] = await runDoctor(network)
  if (finding === undefined) throw new Error('The room was not found.')
  expect({ kind: finding.kind, more }).toEqual({ kind: 'room-unknown', more: [] })
  const { reason, changes } = await previewOf(network, finding, 'adopt')
  expect({ reason, backups: changes.find(({ field }) => field === 'backups') }).toEqual({
    reason: null,
    backups: { field: 'backups', from: null, to: 2 },
  })
  const known = { field: 'lastRegion', from: null, to: before?.name }
  expect(changes.find(({ field }) => field === 'lastRegion')).toEqual(known)
  expect(await repair(network, finding, 'adopt')).toEqual({ state: 'done', error: null })
  expect((await network.admin.call('roomBackups', { query: { projectRoom: name } })).body).toHaveLength(1)
  expect((await network.admin.call('room', { query: { projectRoom: name } })).body).toMatchObject({
    labels: ['VIP'],
    pinnedNotes: [{ text: 'Ticket 4711' }],
  })
  expect(await network.database.rows('select from removed_rooms')).toEqual([])
  const expiring = tables.map((table) => network.database.rows(`select from ${table} where expires_at is not null`))
  expect((await Promise.all(expiring)).flat()).toEqual([])
  expect(await runDoctor(network)).toEqual([])
})

const columnsOf = async (from: Network, name: string) =>
  (
    await from.database.rows<Record<string, unknown>>(
      `select id, name, product, edition, sap_number, sap_number_last, sales_channel, salesman, salesman_email, priority,
              created_at, expiration_date, customer_email, company_name, additional_email, licences, sub_licences
         from rooms where name = $1`,
      [name],
    )
  )[0]

/** Adopts a room of which a console knows nothing. @returns the lines of the repair's log */
async function adoptIn(console: Network, name: string): Promise<string[]> {
  const [finding, ...more] = await findingsAbout(console, name)
  if (finding === undefined) throw new Error(`${name} was not found.`)
  expect([finding.kind, more]).toEqual(['room-unknown', []])
  expect(await repair(console, finding, 'adopt')).toEqual({ state: 'done', error: null })
  const lines = await console.database.rows<{ text: string }>(
    `select l.text from operation_log l join operations o on o.id = l.operation_id
      where o.kind = 'doctor.repair' and o.input->>'finding' = $1 and l.text like 'repair the finding: %' order by l.n`,
    [finding.id],
  )
  return lines.map(({ text }) => text.replace('repair the finding: ', ''))
}

const emptyFields = {
  sap_number: '',
  sap_number_last: null,
  sales_channel: 'direct-sales',
  salesman: null,
  salesman_email: '',
  priority: 0,
}

// shows: doctor-console-record
it('a console that lost its database has all fields of its rooms again from their regions, and invents none', async () => {
  const [{ region } = { region: 0 }] = await network.database.rows<{ region: number }>(
    'select id as region from regions',
  )
  const only = { region, sapNumber: 'sap 1', salesman: 'Sam Ø', salesmanEmail: 'sam@example.com', priority: 7 }
  const whole = await network.newRoom({ ...only, additionalEmail: 'delegate@example.com' })
  const shop = await network.newRoom({ region, sapNumber: 'sap 6', productType: 'online-shop' })
  const stranger = await network.newRoom({ region, sapNumber: 'sap 2' })
  const swapped = await network.newRoom({ region, sapNumber: 'sap 3' })
  const none = await network.newRoom({ region, sapNumber: 'sap 4' })
  const { body: room } = await network.admin.call('room', { query: { projectRoom: whole } })
  const change = { sapNumberLast: 'sap 5', salesman: 'Eve' }
  await network.admin.call('editRoom', { body: { ...room, ...change } as never })
  await network.settle()
  const lost = [await columnsOf(network, whole), await columnsOf(network, shop)]
  expect(lost[0]).toMatchObject({ sap_number: 'sap 1', sap_number_last: 'sap 5', salesman: 'Eve', priority: 7 })
  await until(
    'all records are kept',
    async () => (await network.database.rows('select from room_records_due')).length === 0,
  )
  const { client } = regionAt(network, 0)
  const kept = await client.consoleRecord(whole)
  expect(kept).toMatch(/^v1\.[\w.-]+$/)
  const keep = async (name: string, record: string) =>
    client.keepConsoleRecord(name, { roomId: await roomIdOf(network, name), record })
  await keep(stranger, createSecretBox(new Secret('the key of another console')).seal(new Secret('{}')))
  await keep(swapped, kept ?? '')

  const again = await bootNetwork({ regions: [] })
  try {
    await registerRegion(again.admin, regionAt(network, 0))
    // As on a region that keeps none.
    const lacking = { method: 'GET', path: `/region/v1/rooms/${none}/console-record`, action: 'status', status: 404 }
    await network.setRegionFaults([{ ...lacking, times: 10 }])
    for (const name of [whole, shop]) expect(await adoptIn(again, name)).toEqual(['the console has it now'])
    expect([await columnsOf(again, whole), await columnsOf(again, shop)]).toEqual(lost)
    const said: Record<string, RegExp> = {
      [stranger]: /sealed with another SECRET_KEY, and is not used: SAP contract numbers and sales contact are empty/,
      [swapped]: /not valid for this project room, and is not used: SAP/,
      [none]: /keeps no record of what only the console knows: SAP/,
    }
    for (const [name, why] of Object.entries(said)) {
      expect(await adoptIn(again, name)).toEqual(['the console has it now', expect.stringMatching(why)])
      expect(await columnsOf(again, name)).toMatchObject({ name, company_name: 'Example, Inc.', ...emptyFields })
      const { body } = await again.admin.call('room', { query: { projectRoom: name } })
      expect(body).toMatchObject({ sapNumber: '', salesman: null, salesmanEmail: '' })
    }
  } finally {
    await again.stop()
  }
})

it('a room whose record its region cannot take does not hold up the records of the other rooms there', async () => {
  const [{ region } = { region: 0 }] = await network.database.rows<{ region: number }>(
    'select id as region from regions',
  )
  const name = await network.newRoom({ region })
  const path = `/region/v1/rooms/${name}/console-record`
  await network.setRegionFaults([{ method: 'PUT', path, action: 'status', status: 503, times: 10 }])
  const due = `select from room_records_due join rooms on id = room_id where name = $1`
  // The claim of a room that is being sent ends later.
  const later = `${due} and try_at between now() + interval '100 seconds' and now() + interval '2 minutes'`
  await network.database.rows('update rooms set priority = 3 where name = $1', [name])
  await until('it is tried again later', async () => (await network.database.rows(later, [name])).length === 1)
  await network.setRegionFaults([])
})
