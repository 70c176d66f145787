/** The command line as its users have it: one file, run as a process of its own, by the oldest Node there is. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@roomkeeper/dev-env'
import { bundle } from '../bundle.ts'
import { olderNode } from './older-node.ts'

export interface Said {
  code: number | null
  out: string
  err: string
}

export interface RunningCli {
  child: ChildProcess
  out(): string
  /** What it has said on stderr so far. */
  err(): string
  untilSaid(part: string): Promise<void>
  ended: Promise<Said>
}

interface CallOptions {
  input?: string | Uint8Array
  env?: Record<string, string>
}

export interface Cli {
  /** A folder for files of the tests, and the home of the calls. */
  dir: string
  /** The bundled program. */
  program: string
  call(args: readonly string[], options?: CallOptions): Promise<Said>
  start(args: readonly string[], options?: CallOptions): RunningCli
  /** Everything that all calls have said. */
  transcript(): string
  remove(): Promise<void>
}

export async function openCli(env: Record<string, string> = {}): Promise<Cli> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-cli-'))
  const program = join(dir, 'roomkeeper.mjs')
  await bundle(program)
  const said: string[] = []
  const start: Cli['start'] = (args, { input = '', env: more = {} } = {}) => {
    const child = spawn(olderNode ?? process.execPath, [program, ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH ?? '', HOME: dir, NODE_COMPILE_CACHE: join(dir, 'cache'), ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const ended = new Promise<Said>((resolve) => {
      child.once('close', (code) => {
        said.push(out, err)
        resolve({ code, out, err })
      })
    })
    const untilSaid = (part: string) => until(`${args.join(' ')} says ${part}`, async () => err.includes(part))
    return { child, ended, out: () => out, err: () => err, untilSaid }
  }
  return {
    dir,
    program,
    start,
    call: (args, options) => start(args, options).ended,
    transcript: () => said.join('\n'),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
