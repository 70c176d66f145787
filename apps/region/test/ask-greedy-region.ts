/** Runs as a process of its own with a small heap: makes each call of the client once and reports how it ended. */
import { createRegionClient, type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'

const [url = ''] = process.argv.slice(2)
const clientOf = (base: string) =>
  createRegionClient({ url: base, userName: 'superuser', password: 'region password' }, { timeoutSeconds: 120 })
const client = clientOf(url)
const roomId = '00000000-0000-4000-8000-000000000000'
const creation = {} as Parameters<RegionClient['createRoom']>[1]

const calls: Record<string, () => Promise<unknown>> = {
  signIn: () => clientOf(`${url}/greedy`).status(),
  status: () => client.status(),
  rooms: () => client.rooms(),
  room: () => client.room('alpha'),
  createRoom: () => client.createRoom('alpha', creation),
  changeRoom: () => client.changeRoom('alpha', { roomId }),
  suspendRoom: () => client.suspendRoom('alpha', roomId),
  resumeRoom: () => client.resumeRoom('alpha', roomId),
  lockRoom: () => client.lockRoom('alpha', { roomId, holder: 'us' }),
  unlockRoom: () => client.unlockRoom('alpha', { roomId, holder: 'us' }),
  sessions: () => client.sessions('alpha'),
  openSession: () => client.openSession('alpha', 'ada@acme.example'),
  licences: () => client.licences('alpha'),
  databases: () => client.databases('alpha'),
  deleteUser: () => client.deleteUser('ada@acme.example'),
  startJob: () => client.startJob('job', { type: 'digestRoom', room: 'alpha' }),
  job: () => client.job('job'),
  cancelJob: () => client.cancelJob('job'),
  runJob: () => client.runJob('result', { type: 'restoreRoom', room: 'alpha', roomId, file: 'file' }),
  routes: () => client.routes(),
}

for (const [name, call] of Object.entries(calls)) {
  const ended = await call().then(
    () => 'answered',
    (error: unknown) => (error instanceof RegionRefusal ? error.status : String(error)),
  )
  console.log(JSON.stringify([name, ended]))
}
