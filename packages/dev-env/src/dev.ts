/**
 * `npm run dev`: the whole network for developers. The server restarts when its sources change, Vite reloads the
 * console, and an empty installation gets a few real rooms on its embedded regions.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { enterpriseDraft, miningDraft, type RoomDraftGiven, roomDraft } from './factories.ts'
import { signIn } from './operator-session.ts'
import { repository } from './process-under-test.ts'
import { administrator } from './start-server.ts'
import { until } from './until.ts'

const address = 'http://127.0.0.1:8080'
const packages = ['contract', 'rules', 'region-protocol', 'embedded-postgres-server', 'durable-file']
const watched = ['apps/server', 'apps/region', ...packages.map((name) => `packages/${name}`)]

let server = startServer()
const vite = startVite()
for (const folder of watched)
  watch(resolve(repository, folder), { recursive: true }, (_, file) => restartFor(String(file)))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(signal))
await fill()
console.log(
  `\nConsole with reloading: http://127.0.0.1:5173 (sign in as ${administrator.email}, password "${administrator.password}")\n`,
)

/** The IPC channel ends the server if this process dies. */
function startServer(): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=DeprecationWarning', 'apps/server/src/main.ts'], {
    cwd: repository,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: resolve(repository, 'data/dev'),
      PORT: '8080',
      ADMIN_PASSWORD: administrator.password,
    },
  })
}

let restarting: NodeJS.Timeout | undefined

/** Restarts the server once for all the steps in which an editor saves a file. */
function restartFor(file: string): void {
  if (!/\.(ts|sql)$/.test(file)) return
  clearTimeout(restarting)
  restarting = setTimeout(() => {
    console.log(`${file} changed, restarting the server …`)
    server.once('exit', () => {
      server = startServer()
    })
    if (server.exitCode === null) server.kill('SIGTERM')
    else server.emit('exit')
  }, 200)
}

function startVite(): ChildProcess {
  const vite = resolve(repository, 'node_modules/vite/bin/vite.js')
  return spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', '5173', '--strictPort'], {
    cwd: resolve(repository, 'apps/console'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  server.removeAllListeners('exit')
  const ended = [server, vite].map((child) => new Promise((resolveEnded) => child.once('exit', resolveEnded)))
  for (const child of [server, vite]) child.kill(signal)
  await Promise.all(ended)
  process.exit(0)
}

async function fill(): Promise<void> {
  await until('the server answers', async () => (await fetch(`${address}/readyz`).catch(() => null))?.ok === true, 60)
  const client = await signIn(() => address, administrator)
  const { data } = (await client.call('listRooms', { query: { size: 1 } })).body
  if (data.length > 0) return
  const rooms: RoomDraftGiven[] = [
    roomDraft({ tenantName: 'northwind', companyName: 'Northwind Traders', region: 1 }),
    roomDraft({ tenantName: 'contoso', companyName: 'Contoso', productType: 'online-shop', region: 2 }),
    miningDraft({ tenantName: 'fabrikam', companyName: 'Fabrikam', region: 1, expirationDate: '2030-12-31' }),
    enterpriseDraft({ tenantName: 'litware', companyName: 'Litware', region: 2 }),
  ]
  for (const body of rooms) await client.call('createRoom', { body })
}
