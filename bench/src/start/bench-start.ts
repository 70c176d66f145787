/** How long `npm start` takes until it is ready, once everything is installed, built and compiled. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median, table, timed } from '../measure.ts'
import { report } from '../report.ts'

const repository = resolve(import.meta.dirname, '../../..')

export async function benchStart({ rounds }: { rounds: number }): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))
  await chmod(dataDir, 0o755)
  // The first one makes the database and the regions, and compiles.
  await start(dataDir)
  const times: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    times.push(await start(dataDir))
    bare.push(await timed(() => ended(spawn('npm', ['exec', '--', 'node', '-e', '0'], { cwd: repository }))))
  }
  await rm(dataDir, { recursive: true })
  const rows = [
    ['npm start until it is ready', median(times).toFixed(0), Math.max(...times).toFixed(0)],
    ['npm exec -- node -e 0', median(bare).toFixed(0), Math.max(...bare).toFixed(0)],
  ]
  report(table(['start, ms', 'median', 'longest'], rows))
}

/** @returns milliseconds until it is ready; it has ended by then */
async function start(dataDir: string): Promise<number> {
  const begun = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
  const server = spawn('npm', ['start'], { cwd: repository, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = await new Promise<number>((resolveReady, reject) => {
    let printed = ''
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes('Roomkeeper is ready')) resolveReady(performance.now() - begun)
    })
    server.once('exit', () => reject(new Error(`npm start ended:\n${printed}`)))
  })
  server.kill('SIGTERM')
  await ended(server)
  return ready
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolveEnded) => child.once('exit', () => resolveEnded()))
}
