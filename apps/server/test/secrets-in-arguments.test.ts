/** Everybody on the machine can read the arguments of processes, so ours contain no secret. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { administrator, type RunningServer, roomDraft, signIn, startServer, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

const secretKey = 'the key of all the secrets 4711'
let dir: string
let server: RunningServer
/** The arguments of all processes that have run in the meantime. */
const seen = new Set<string>()
const watching = new AbortController()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-arguments-'))
  await chmod(dir, 0o755)
  void watch()
  const settings = { DATA_DIR: dir, SECRET_KEY: secretKey, EMBEDDED_REGIONS: '2' }
  server = await startServer(settings, 'apps/server/src/main.ts')
}, 120_000)
afterAll(async () => {
  watching.abort()
  await server?.stop()
  await rm(dir, { recursive: true, force: true })
})

it.runIf(process.platform === 'linux')(
  'no process of a start and of work has a secret among its arguments',
  async () => {
    const client = await signIn(() => server.address, administrator)
    const body = roomDraft()
    await client.call('createRoom', { body })
    await until('the room is there', async () => {
      const { body: room } = await client.call('room', { query: { projectRoom: body.tenantName } })
      return room.projectRoomState === 'DEFAULT'
    })
    watching.abort()
    const arguments_ = [...seen]
    // PostgreSQL, its initdb, the regions and the server were among them.
    for (const program of ['initdb', 'postgres', 'apps/region/src/main.ts', 'apps/server/src/main.ts'])
      expect(
        arguments_.some((each) => each.includes(program)),
        program,
      ).toBe(true)
    const { url } = JSON.parse(await readFile(join(dir, 'postgres.json'), 'utf8')) as { url: string }
    const ofRegions = await secretsOfRegions()
    expect(ofRegions).toHaveLength(4)
    for (const secret of [secretKey, administrator.password, new URL(url).password, ...ofRegions]) {
      expect(secret.length).toBeGreaterThan(8)
      expect(arguments_.filter((each) => each.split(/[^\w-]+/).includes(secret) || each.includes(secret))).toEqual([])
    }
  },
)

/** Sees every process that lives at least as long as one pass takes. */
async function watch(): Promise<void> {
  while (!watching.signal.aborted) {
    for (const pid of await pids()) {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (line.includes(dir) || line.includes('apps/server/src/main.ts') || line.includes('apps/region/src/main.ts'))
        seen.add(line.replaceAll('\0', ' '))
    }
    await pause(5)
  }
}

async function pids(): Promise<string[]> {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
}

/** The secrets in the environment of the regions, which only their own user may read. */
async function secretsOfRegions(): Promise<string[]> {
  const found: string[] = []
  for (const pid of await pids()) {
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).split('\0')
    if (!environment.some((each) => each.startsWith(`REGION_DATA_DIR=${dir}`))) continue
    for (const each of environment)
      if (/^REGION_(SYSTEM_)?PASSWORD=/.test(each)) found.push(each.slice(each.indexOf('=') + 1))
  }
  return found
}
