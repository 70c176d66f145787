/** An installed PostgreSQL with its programs (initdb, pg_dump, pg_restore), which the embedded one does not have. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@roomkeeper/dev-env'

export interface InstalledPostgres {
  /** A folder for the files of the test. */
  dir: string
  urlOf(database: string): string
  /** Runs one of the client programs. */
  run(program: string, args: string[]): void
  stop(): void
}

/** The folder of the programs; null if PostgreSQL is not installed, or if there is no user to run it as. */
export const installedPrograms: string | null = findPrograms()

const asRoot = process.getuid?.() === 0

export async function startInstalledPostgres(): Promise<InstalledPostgres> {
  const bin = installedPrograms ?? ''
  const dir = mkdtempSync(join(tmpdir(), 'roomkeeper-restore-'))
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  if (asRoot) chownSync(dir, Number(idOf('-u')), Number(idOf('-g')))
  chmodSync(dir, 0o755)
  const server = (program: string, args: string[]) => {
    const path = join(bin, program)
    if (asRoot) execFileSync('runuser', ['-u', 'postgres', '--', path, ...args], { stdio: 'ignore', cwd: dir })
    else execFileSync(path, args, { stdio: 'ignore', cwd: dir })
  }
  server('initdb', ['-D', join(dir, 'data'), '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8'])
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1`
  server('pg_ctl', ['-D', join(dir, 'data'), '-o', options, '-l', join(dir, 'log'), '-w', 'start'])
  return {
    dir,
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    run(program, args) {
      execFileSync(join(bin, program), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args])
    },
    stop() {
      server('pg_ctl', ['-D', join(dir, 'data'), '-m', 'immediate', 'stop'])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function findPrograms(): string | null {
  try {
    const folder = '/usr/lib/postgresql'
    const newest = readdirSync(folder)
      .map(Number)
      .sort((a, b) => b - a)
      .find((version) => ['initdb', 'pg_dump'].every((name) => readdirSync(`${folder}/${version}/bin`).includes(name)))
    if (newest === undefined || spawnSync('id', ['postgres']).status !== 0) return null
    return `${folder}/${newest}/bin`
  } catch {
    return null
  }
}

function idOf(what: string): string {
  return execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }).trim()
}
