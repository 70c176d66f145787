/** The life of a project room by the command line alone, against two API processes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeletedRoom, ProjectRoom } from '@roomkeeper/contract'
import { bootNetwork, type Network, type RunningServer } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cli, openCli, type Said } from './cli-under-test.ts'
import { type Balancer, startBalancer } from './start-balancer.ts'

let network: Network
let api: RunningServer
let balancer: Balancer
let cli: Cli

beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  api = await network.addServer({ PROCESS: 'api' })
  balancer = await startBalancer([api.address, network.server.address])
  cli = await openCli({ ROOMKEEPER_URL: balancer.url, ROOMKEEPER_TOKEN: network.admin.token })
})
afterAll(async () => {
  await cli?.remove()
  await balancer?.close()
  await network?.stop()
})

const room = 'fleet1'
const creation = `--product ARIS --edition basic --region region-1 --sap-number 4711 --customer-first-name Ada
  --customer-last-name King --customer-email ada@example.com --company-name Example --salesman-email s@example.com
  --licence YABD=5`

function ok({ code, out, err }: Said): string {
  expect(code, err).toBe(0)
  return out
}
const calls = async (line: string) => ok(await cli.call(line.split(/\s+/)))
const found = async () => JSON.parse(await calls(`rooms get ${room} -o json`)) as ProjectRoom

// shows: cli-commands
test('a start whose answer is lost is sent again, and starts one operation', async () => {
  balancer.loseAnswerTo('POST /api/operator/create ')
  await calls(`rooms create ${room} ${creation} --wait`)
  const rows = await network.database.rows(`select 1 from operations where kind = 'room.create'`)
  expect(rows).toHaveLength(1)
  expect(JSON.parse(await calls('rooms list -o json'))).toMatchObject([
    { tenantName: room, projectRoomState: 'DEFAULT', licenses: { YABD: 5 }, productType: 'direct-sales' },
  ])
})

test('only what is named is changed, and users are kept out', async () => {
  await calls(`rooms edit ${room} --sap-number-last 4712 --licence YABD=6`)
  await calls(`rooms suspend ${room} --no-notify --wait`)
  expect(await found()).toMatchObject({
    projectRoomState: 'SUSPENDED',
    licenses: { YABD: 6 },
    sapNumberLast: '4712',
    companyName: 'Example',
  })
})

// shows: duplicate-cli
test('a room is duplicated, with what flags say otherwise', async () => {
  await calls(`rooms duplicate ${room} --sap-number 4720 --licence YABD=9 --wait`)
  expect(JSON.parse(await calls('rooms get example -o json'))).toMatchObject({
    companyName: 'Example',
    licenses: { YABD: 9 },
    regionName: 'region-1',
    sapNumber: '4720',
    sapNumberLast: null,
  })
  await calls('rooms delete example --without-backup --yes --wait')
})

test('waiting survives the API process that it was connected to', async () => {
  await network.setRegionFaults([{ path: '/region/v1/', action: 'delay', milliseconds: 1500 }])
  const backup = cli.start(['rooms', 'backup', room, '--wait'])
  await backup.untilSaid('make the backup')
  const before = balancer.connections[1] ?? 0
  await api.stop('SIGKILL')
  ok(await backup.ended)
  expect(balancer.connections[1]).toBeGreaterThan(before)
})

test('a backup is listed and restored, and users come in again', async () => {
  const [backup = ''] = (await calls(`backups list ${room} -q`)).split('\n')
  const stopped = cli.start(['rooms', 'restore', room, '--backup', backup, '--yes'])
  balancer.before('POST /api/operator/createrestore ', async () => {
    stopped.child.kill('SIGINT')
    await stopped.ended
  })
  expect(await stopped.ended).toMatchObject({ code: 130, err: expect.stringMatching(/may have started all the same/) })

  await calls(`rooms restore ${room} --backup ${backup} --yes --wait`)
  await calls(`backups download ${backup} --to ${join(cli.dir, room)}.zip`)
  expect((await readFile(join(cli.dir, `${room}.zip`))).subarray(0, 2).toString()).toBe('PK')
  await calls(`rooms resume ${room} --no-notify`)
  expect((await found()).projectRoomState).toBe('DEFAULT')
})

// shows: cli-apply
test('a file is applied until it is true, and then changes nothing', async () => {
  const file = join(cli.dir, 'rooms.yaml')
  const second = (await calls(`rooms get ${room} -o yaml`))
    .replace('tenantName: fleet1', 'tenantName: fleet2')
    .replace('sapNumberLast: "4712"', 'sapNumberLast: "4713"')
  const first = `tenantName: fleet1\ncompanyName: Sample\nlicenses: { YABD: 7 }\n`
  const asItem = (text: string) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`
  await writeFile(file, asItem(first) + asItem(second))

  const dry = await cli.call(['rooms', 'apply', '-f', file, '--dry-run'], { env: { FORCE_COLOR: '1' } })
  expect(dry.code).toBe(5)
  expect(dry.out).toContain('\u001b[31m  - companyName: Example\u001b[0m\n\u001b[32m  + companyName: Sample\u001b[0m')
  expect(dry.out).toMatch(/1 to create, 1 to change, 0 as the file says/)
  expect(await cli.call(['rooms', 'apply', '-f', file])).toMatchObject({ code: 2, err: expect.stringMatching(/--yes/) })

  await calls(`rooms apply -f ${file} --yes`)
  expect(await found()).toMatchObject({
    companyName: 'Sample',
    licenses: { YABD: 7 },
    customerEmail: 'ada@example.com',
  })
  const again = ok(await cli.call(['rooms', 'apply', '-f', '-', '--yes'], { input: await readFile(file, 'utf8') }))
  expect(again).toBe('0 to create, 0 to change, 2 as the file says.\n')
  expect((await cli.call(['rooms', 'apply', '-f', file, '--dry-run'])).code).toBe(0)
})

test('a file that wants what cannot be changed changes nothing', async () => {
  const input = '- { tenantName: fleet1, edition: advanced, companyName: Other }'
  expect(await cli.call(['rooms', 'apply', '-f', '-', '--yes'], { input })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/fleet1/),
  })
  expect((await found()).companyName).toBe('Sample')
})

test('what somebody else changes while a file is applied is kept', async () => {
  const tenantName = await network.newRoom()
  const query = { projectRoom: tenantName }
  const { body: before } = await network.admin.call('room', { query })
  balancer.before('POST /api/operator/edit ', async () => {
    await network.admin.call('editRoom', { body: { ...before, sapNumberLast: '4714', customerFirstName: 'Grace' } })
  })
  const input = JSON.stringify({ tenantName, customerLastName: 'Hopper', sapNumberLast: '4714' })
  ok(await cli.call(['rooms', 'apply', '-f', '-', '--yes'], { input }))
  const { body: after } = await network.admin.call('room', { query })
  expect(after).toMatchObject({ customerFirstName: 'Grace', customerLastName: 'Hopper', licenses: before.licenses })
  await calls(`rooms delete ${tenantName} --yes --wait`)
})

test('rooms are exported, taken together, and deleted', async () => {
  const to = join(cli.dir, 'rooms.csv')
  await calls(`rooms export --filter companyName=Sample --to ${to}`)
  expect((await readFile(to, 'utf8')).trimEnd().split('\r\n')).toHaveLength(2)
  const misspelt = await cli.call(['bulk', 'start', 'suspend', 'fleet2', 'fleet3', '--yes'])
  expect(misspelt).toMatchObject({ code: 1, err: expect.stringMatching(/named fleet3/) })
  const suspending = await cli.call('bulk start suspend fleet2 --yes --wait --no-notify'.split(' '))
  expect(suspending).toMatchObject({
    code: 0,
    err: expect.stringContaining('The bulk is done for 1 of 1 project room.'),
  })
  const nothing = await cli.call(['bulk', 'start', 'suspend', '--state', 'ERROR', '--yes'])
  expect(nothing).toMatchObject({ code: 0, err: expect.stringMatching(/nothing to do/) })
  await calls(`rooms delete ${room} --yes --wait`)
  expect(await calls('rooms list -q')).toBe('fleet2\n')
})

// shows: cli-commands
test('regions, live migrations, operations and the doctor have their commands, too', async () => {
  expect(await calls('regions list -q')).toBe('region-1\nregion-2\n')
  const body = { sourceRegion: 1, targetRegion: 2 }
  const { id } = (await network.admin.call('saveLiveMigration', { body })).body
  expect(await calls('migrate list -q')).toBe(`${id}\n`)
  const moving = await cli.call(['migrate', 'start', String(id), 'fleet2', '--yes', '--wait'])
  expect(moving).toMatchObject({ code: 0, err: expect.stringContaining('1 of 1 project room moved.') })
  expect(JSON.parse(await calls(`migrate status ${id} -o json`))).toMatchObject({ done: 1, failed: 0, postponed: 0 })
  expect(await calls('rooms list --region region-2 -q')).toBe('fleet2\n')
  const [operation = ''] = (await calls('operations list --finished -q')).split('\n')
  expect(await calls(`operations get ${operation} -o yaml`)).toContain('state: done\n')
  expect(await calls('doctor run --wait -o json')).toBe('[]\n')
})

test('what was done on a day is counted, and regions say how full they are', async () => {
  const { counts, hours } = JSON.parse(await calls('today -o json'))
  expect(counts.find(({ kind }: { kind: string }) => kind === 'created').count).toBeGreaterThan(0)
  expect(hours).toHaveLength(24)
  expect(await calls('today')).toMatch(/^WHAT +COUNT\ncreated +\d+\n/)
  expect(JSON.parse(await calls('today --day 2020-02-29 --json from'))).toEqual({ from: '2020-02-29T00:00:00.000Z' })
  expect(await calls('capacity --product MINING -q')).toBe('region-1\nregion-2\n')
  expect(await calls('capacity')).toMatch(/^REGION +ROOMS/)
})

test('what the doctor finds is repaired by its id, after it was said what that changes', async () => {
  await network.database.rows(`update rooms set state = 'DEFAULT' where name = 'fleet2'`)
  expect(await cli.call(['doctor', 'run', '--wait', '-q'])).toMatchObject({ code: 5 })
  const [id = ''] = (await calls('doctor findings --limit 1 -q')).split('\n')
  expect(await cli.call(['doctor', 'repair', id])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/state: .*--yes/s),
  })
  const preview = JSON.parse(await calls(`doctor repair ${id} --dry-run -o json`))
  expect(preview).toMatchObject({ reason: null, changes: [{ field: 'state' }] })
  await calls(`doctor repair ${id} --yes --wait`)
  expect(await calls('doctor findings -q')).toBe('')
})

// shows: cli-commands
test('customers are listed and shown, and spellings are merged and separated', async () => {
  const first = await network.newRoom({ companyName: 'Contoso' })
  const second = await network.newRoom({ companyName: 'Contoso Ltd' })
  expect(await calls('customers list --search contoso --order-by rooms -q')).toBe('contoso ltd\ncontoso\n')
  const merged = await cli.call(['customers', 'merge', 'Contoso Ltd', 'Contoso', '-q'])
  expect(merged).toMatchObject({ code: 0, out: 'contoso\n' })
  expect(JSON.parse(await calls('customers get CONTOSO --json rooms,aliases'))).toEqual({
    rooms: 2,
    aliases: [{ name: 'Contoso Ltd', rooms: 1 }],
  })
  expect((await calls('rooms list --filter customer=contoso -q')).split('\n').sort()).toEqual(
    ['', first, second].sort(),
  )
  expect(await cli.call(['customers', 'merge', 'Contoso Ltd'])).toMatchObject({ code: 2 })
  expect(await cli.call(['customers', 'merge', 'Contoso Ltd', '--undo', '-q'])).toMatchObject({ out: 'contoso ltd\n' })
  for (const room of [first, second]) await calls(`rooms delete ${room} --yes --wait`)
})

// shows: notes-cli, labels-cli
test('notes and labels are listed, added, changed and removed', async () => {
  const room = await network.newRoom()
  const note = (await cli.call(['rooms', 'note', 'add', room, 'Call first.', '--pin', '-q'])).out.trim()
  expect(await calls(`rooms list -f hasPinnedNote=true -q`)).toBe(`${room}\n`)
  await calls(`rooms note unpin ${note}`)
  expect(JSON.parse(await calls(`rooms note list ${room} --json text,pinned`))).toEqual([
    { text: 'Call first.', pinned: false },
  ])
  await calls(`rooms note pin ${note}`)
  await calls(`rooms label set ${room} Old VIP`)
  await calls(`rooms label add ${room} vip Pilot`)
  expect(await calls('rooms list --label none,pilot -q')).toBe(`${room}\n`)
  expect(await calls(`rooms list --label '' -q`)).toBe('')
  const started = await cli.call(['bulk', 'start', 'label', room, '--remove', 'old', '--add', 'New', '--yes', '--wait'])
  expect(started).toMatchObject({ code: 0, err: expect.stringContaining('Call first.') })
  await calls(`rooms label remove ${room} pilot`)
  expect(JSON.parse(await calls(`rooms get ${room} --json labels`))).toEqual({ labels: ['VIP', 'New'] })
  expect(await calls('rooms label list -q')).toBe('New\nVIP\n')
  expect(await cli.call(['bulk', 'start', 'label', room])).toMatchObject({ code: 2 })
  await calls(`rooms note delete ${note}`)
  expect(await calls(`rooms note list ${room} -q`)).toBe('')
  await calls(`rooms delete ${room} --yes --wait`)
})

test('who is asked sees what about, also where the output is for a program', async () => {
  const tenantName = await network.newRoom()
  const file = join(cli.dir, 'asked.json')
  await writeFile(file, JSON.stringify({ tenantName, customerLastName: 'Hopper', sapNumberLast: '4715' }))
  for (const format of ['-ojson', '-ocsv', '-oyaml', '-q']) {
    const asked = await cli.call(['rooms', 'apply', '-f', file, format])
    expect(asked, format).toMatchObject({ code: 2, out: '', err: /\+ customerLastName: Hopper\n.*1 to change.*--yes/s })
  }
  expect((await cli.call(['bulk', 'start', 'suspend', tenantName, '-q'])).err).toMatch(/possible for 1 of 1/)
  expect((await cli.call(['rooms', 'apply', '-f', file, '-q', '--yes'])).err).toBe('')
  await calls(`rooms delete ${tenantName} --yes --wait`)
})

test('a deleted room is found by its name or id, and comes back, under another name and elsewhere if asked to', async () => {
  expect(await cli.call(['rooms', 'deleted', 'restore', 'nobody1'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/nobody1/),
  })
  for (const companyName of ['First', 'Second']) {
    await network.newRoom({ tenantName: 'again1', companyName })
    await calls('rooms delete again1 --yes --wait')
  }
  const [second, first] = JSON.parse(await calls('rooms deleted list --search again1 -o json')) as DeletedRoom[]
  expect(second).toMatchObject({ projectRoomName: 'again1', companyName: 'Second', state: 'KEPT' })
  const ambiguous = await cli.call(['rooms', 'deleted', 'restore', 'again1'])
  expect(ambiguous).toMatchObject({ code: 2, err: expect.stringMatching(`${second?.id} .*\\n.*${first?.id} `) })

  await calls(`rooms deleted restore ${second?.id} --name again2 --region region-2 --wait`)
  expect(JSON.parse(await calls('rooms get again2 -o json'))).toMatchObject({
    regionName: 'region-2',
    companyName: 'Second',
  })
  await calls('rooms deleted restore again1 --wait')
  expect(JSON.parse(await calls('rooms get again1 -o json'))).toMatchObject({ companyName: 'First' })
  expect(await calls('rooms deleted list --search again1 -q')).toBe('')
})

test('a purge leaves a certificate, as the server writes it', async () => {
  await network.newRoom({ tenantName: 'purged1' })
  await calls('rooms delete purged1 --yes --wait')
  const unasked = await cli.call(['rooms', 'deleted', 'purge', 'purged1'])
  expect(unasked).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
  const id = (await calls('rooms deleted list --search purged1 -q')).trim()
  await calls('rooms deleted purge purged1 --yes --wait')
  expect(await calls('rooms deleted list --search purged1 -q')).toBe('')
  expect(await calls('rooms deleted list --purged -q')).toBe(`${id}\n`)

  const to = join(cli.dir, 'certificate.json')
  await calls(`rooms deleted certificate purged1 --to ${to}`)
  const certificate = await readFile(to, 'utf8')
  expect(JSON.parse(certificate)).toMatchObject({
    room: { projectRoomName: 'purged1', product: 'ARIS' },
    audit: { action: 'room.purge' },
  })
  expect(await calls(`rooms deleted certificate ${id}`)).toBe(certificate)
})

test('a retry of many says first which operations go on', async () => {
  const failing = await network.newRoom()
  await network.planFault('room.delete:delete-room:before:fail')
  await cli.call(['rooms', 'delete', failing, '--without-backup', '--yes', '--wait'])
  expect((await cli.call(['bulk', 'start', 'retry', failing, '--dry-run'])).err).toContain('\n  Delete PR: 1\n')
  await calls(`bulk start retry ${failing} --yes --wait`)
})

// shows: cli-no-prompt
test('the token is nowhere in what the command line and the servers say', () => {
  const said = cli.transcript() + network.server.output() + api.output()
  expect(said.length).toBeGreaterThan(1000)
  expect(said).not.toContain(network.admin.token)
})
