/** docs/region/session.md, which is recorded here: `npm test unit -- apps/region/test/session.test.ts -u` writes it anew. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecorder } from './recorded-session.ts'
import { type RegionProcess, startRegion } from './region-process.ts'

const page = fileURLToPath(new URL('../../../docs/region/session.md', import.meta.url))
let frankfurt: RegionProcess
let dublin: RegionProcess
beforeAll(async () => {
  frankfurt = await startRegion({ REGION_NAME: 'Frankfurt' })
  dublin = await startRegion({ REGION_NAME: 'Dublin' })
})
afterAll(() => Promise.all([frankfurt?.remove(), dublin?.remove()]))

const roomId = 'a3c20190-5b7e-7c3a-9d1f-2b6c8e4f0a11'
const creation = {
  roomId,
  product: 'ARIS',
  edition: 'advanced',
  licences: [{ licenseKey: 'YAAD', licenseAmount: 2, licenseType: 'NUC' }],
  subLicences: [],
  subMiningType: 'NONE',
  expirationDate: null,
  contacts: {
    companyName: 'Acme',
    customerFirstName: 'Ada',
    customerLastName: 'Lovelace',
    customerContactDetails: null,
    ownerEmail: 'ada@acme.example',
    delegateEmail: 'grace@acme.example',
  },
}
const fence = { 'roomkeeper-operation': 'create-1', 'roomkeeper-fence': '1' }
const ofMove = { 'roomkeeper-operation': 'move-7', 'roomkeeper-fence': '1' }
const ofBackup = { 'roomkeeper-operation': 'backup-1', 'roomkeeper-fence': '1' }
const holder = 'move-7'

test('the recorded session is what two regions answer', async () => {
  const { say, call, text } = createRecorder({ Frankfurt: frankfurt, Dublin: dublin })
  const signIn = async (region: string) => {
    const credentials = { userName: 'superuser', password: 'region password' }
    await call(region, { path: 'session', method: 'POST', body: credentials })
    await call(region, { path: 'status' })
  }
  const job = async (region: string, id: string, body: object, headers: Record<string, string> = ofMove) => {
    const { json } = await call(region, { path: `jobs/${id}?wait=10000`, method: 'PUT', headers, body })
    expect(json.state).toBe('done')
    return json.result as { file: string; size: number; sha256: string; digest: string }
  }

  say(`# A session to read along

All requests and answers from the creation of a room to its move, between the console and two reference regions, Frankfurt and Dublin. It is recorded by \`apps/region/test/session.test.ts\`, which fails when the regions answer anything else. Replaced are: addresses, secrets, times (all by the same two, so nothing lasts as long as it seems), random ids, digests (equal ones by equal values) and free bytes. Headers that say nothing here are left out.

## Signing in`)
  await signIn('Frankfurt')

  say(`## A room\n\nThe console creates it, with the id of its operation and the fence of its worker.`)
  await call('Frankfurt', { path: 'rooms/acme', method: 'PUT', headers: fence, body: creation })
  say('The same again is the same answer. Another body is not.')
  const other = { ...creation, edition: 'basic' }
  await call('Frankfurt', { path: 'rooms/acme', method: 'PUT', headers: fence, body: other })
  say('A worker that was overtaken is refused, whatever it asks for.')
  const overtaking = { ...fence, 'roomkeeper-fence': '2' }
  await call('Frankfurt', { path: 'rooms/acme/resume', method: 'POST', headers: overtaking, body: { roomId } })
  await call('Frankfurt', { path: 'rooms/acme/suspend', method: 'POST', headers: fence, body: { roomId } })
  say('What only the console knows of the room is kept with it.')
  await call('Frankfurt', { path: 'rooms/acme/console-record', method: 'PUT', body: { roomId, record: 'v1.k3.9mXq' } })
  say('Settings change. What is absent stays.')
  await call('Frankfurt', { path: 'rooms/acme', method: 'PATCH', body: { roomId, expirationDate: '2099-12-31' } })
  await call('Frankfurt', { path: 'rooms/acme/licences' })

  say('## A session of a user')
  const session = await call('Frankfurt', {
    path: 'rooms/acme/sessions',
    method: 'POST',
    body: { user: 'ada@acme.example' },
  })
  await call('Frankfurt', { path: 'rooms/acme/sessions' })
  await call('Frankfurt', { path: `rooms/acme/sessions/${session.json.id}`, method: 'DELETE' })

  say('## A backup\n\nThe job packs the room; the console reads the file and removes it.')
  const backup = await job('Frankfurt', 'backup-1', { type: 'backupRoom', room: 'acme', roomId }, ofBackup)
  await call('Frankfurt', { path: `files/${backup.file}` })
  await call('Frankfurt', { path: `files/${backup.file}`, method: 'DELETE' })
  say('A job that cannot succeed is refused when it is asked for, or fails.')
  const noSuchFile = { type: 'restoreRoom', room: 'acme', roomId, file: 'backup-1' }
  await call('Frankfurt', { path: 'jobs/restore-1?wait=10000', method: 'PUT', body: noSuchFile })

  say(`## A move\n\nThe console signs in to the target, too, and asks whether the room is in use.`)
  await signIn('Dublin')
  await call('Frankfurt', { path: 'rooms/acme/sessions' })
  await call('Dublin', { path: 'rooms/acme' })
  say('`lock-source`: from now on users can only read. Each later step renews the lock.')
  const lock = { path: 'rooms/acme/lock', method: 'POST', headers: ofMove, body: { roomId, holder } }
  const { json: locked } = await call('Frankfurt', lock)
  say('`back-room-up`: Dublin gives a ticket, and Frankfurt packs the room straight into its files.')
  const sizeAtMost = 2 * Number(locked.size) + 64 * 1024 * 1024
  const wanted = { path: 'files/move-7-backup/tickets', method: 'POST', headers: ofMove, body: { sizeAtMost } }
  const { json: ticket } = await call('Dublin', wanted)
  const to = { url: dublin.url, file: 'move-7-backup', ticket: ticket.ticket }
  const packing = { type: 'backupRoom', room: 'acme', roomId, to, digest: true }
  const packed = await job('Frankfurt', 'move-7-pack', packing)
  say(`Meanwhile Frankfurt has sent this to Dublin, and got a [FileInfo](calls.md#fileinfo):

\`\`\`http
PUT /region/v1/files/move-7-backup HTTP/1.1
Host: dublin.example
Authorization: Ticket <the ticket>
Content-Type: application/octet-stream
roomkeeper-digest: at-end
Transfer-Encoding: chunked

(the backup, and the 32 bytes of its SHA-256)
\`\`\`

The console reads the last byte, which Dublin gives only of this very file.`)
  await call('Dublin', {
    path: 'files/move-7-backup',
    headers: { range: `bytes=${packed.size - 1}-`, 'if-range': `"${packed.sha256}"` },
  })
  say('`create-copy`: the copy is suspended and locked.')
  const copy = { ...creation, expirationDate: '2099-12-31', state: 'suspended', lockHolder: holder }
  await call('Dublin', { path: 'rooms/acme', method: 'PUT', headers: ofMove, body: copy })
  say('`restore-copy` and `compare-copies`: the digest of the copy has to be that of the source.')
  const restoring = { type: 'restoreRoom', room: 'acme', roomId, holder, file: packed.file, digest: true }
  const restored = await job('Dublin', 'move-7-restore', restoring)
  expect(restored.digest).toBe(packed.digest)
  await call('Dublin', { path: `files/${packed.file}`, method: 'DELETE', headers: ofMove })
  say(
    '`switch`: the lock was held all the time (`heldSince`). The source is suspended; from now on Dublin has the room.',
  )
  await call('Frankfurt', lock)
  await call('Frankfurt', { path: 'rooms/acme/suspend', method: 'POST', headers: ofMove, body: { roomId } })
  say('`open-target`')
  await call('Dublin', { path: 'rooms/acme/resume', method: 'POST', headers: ofMove, body: { roomId } })
  await call('Dublin', { path: 'rooms/acme/unlock', method: 'POST', headers: ofMove, body: { roomId, holder } })
  say("`leave-source`: visitors are redirected, and the source's copy is removed. The redirect stays.")
  const route = { targetUrl: dublin.url }
  await call('Frankfurt', { path: 'routes/acme', method: 'PUT', headers: ofMove, body: route })
  await job('Frankfurt', 'move-7-leave', { type: 'deleteRoom', room: 'acme', roomId, holder, keepRoute: true })
  await call('Frankfurt', { path: 'rooms/acme' })
  say("A visitor, who knows nothing of it, asks for the room's page:")
  await call('Frankfurt', { path: '/acme' })
  await expect(text()).toMatchFileSnapshot(page)
})
