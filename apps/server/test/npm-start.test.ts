/** `npm start` and `npm run region`: however it is ended, everything that it has started ends with it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

const isLinux = existsSync('/proc/self/environ')

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'roomkeeper-npm-start-'))
  await chmod(dir, 0o755)
})
afterAll(async () => {
  for (const id of isLinux ? processesOf(dir) : []) process.kill(id, 'SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

it.skipIf(!isLinux)(
  'ends the server, its PostgreSQL and its regions when npm is told to end or killed, when the terminal is closed, and on Ctrl+C',
  async () => {
    const ends: Record<string, (npm: ChildProcess) => void> = {
      'SIGTERM to npm alone': (npm) => npm.kill('SIGTERM'),
      'SIGKILL to npm alone': (npm) => npm.kill('SIGKILL'),
      'a closed terminal': (npm) => process.kill(-(npm.pid ?? 0), 'SIGHUP'),
      'Ctrl+C': (npm) => process.kill(-(npm.pid ?? 0), 'SIGINT'),
    }
    for (const [how, end] of Object.entries(ends)) {
      const { npm, output } = await start()
      if (how === 'SIGTERM to npm alone') expectCalm(output)
      // npm, the shell, the script, the server, PostgreSQL and two regions.
      expect(processesOf(dir).length, how).toBeGreaterThanOrEqual(6)
      end(npm)
      await until(`nothing is left after ${how}`, async () => processesOf(dir).length === 0, 30)
    }
  },
  180_000,
)

it.skipIf(!isLinux)(
  'a region that was started by npm ends with it, and so does its process',
  async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { npm } = await start(['run', 'region'], 'listens at')
      expect(processesOf(dir).length, signal).toBeGreaterThanOrEqual(3)
      npm.kill(signal)
      await until(`nothing is left after ${signal} to npm alone`, async () => processesOf(dir).length === 0, 30)
    }
  },
  120_000,
)

/** The first lines are few, and the last ones say where and with what to sign in. */
function expectCalm(output: string): void {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'))
  expect(lines.length).toBeLessThan(20)
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^Roomkeeper is ready at http:\/\/127\.0\.0\.1:\d+$/),
    expect.stringMatching(/^Operators sign in at http:\/\/127\.0\.0\.1:\d+\/project$/),
    'First administrator: admin@localhost',
    expect.stringMatching(/^Password \(shown only now\): \S{20,}$/),
  ])
}

/** Starts npm as the leader of a process group, as a terminal does. */
async function start(script = ['start'], ready = 'sign in at') {
  let output = ''
  const ofRegion = {
    REGION_DATA_DIR: join(dir, 'region'),
    REGION_PORT: '0',
    REGION_NAME: 'one',
    REGION_PASSWORD: 'p',
    REGION_SYSTEM_PASSWORD: 's',
  }
  const settings = { DATA_DIR: join(dir, 'data'), PORT: '0', LOG_LEVEL: 'warn', ...ofRegion }
  const npm = spawn('npm', script, {
    cwd: repository,
    env: { ...settings, PATH: process.env.PATH, HOME: process.env.HOME },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  await until('it is ready', async () => output.split(ready)[1]?.endsWith('\n') === true, 120)
  return { npm, output }
}

/** The ids of the processes that have this folder in their arguments or their environment. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter(
      (name) => /^\d+$/.test(name) && ['cmdline', 'environ'].some((file) => holds(`/proc/${name}/${file}`, folder)),
    )
    .map(Number)
}

function holds(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes(text)
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false
  }
}
