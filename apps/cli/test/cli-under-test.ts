/**
 * The command line: in the process of the test, or, where the process itself is what is tested, as its users have it:
 * one file, run by the oldest Node there is.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { until } from '@roomkeeper/dev-env'
import { bundle } from '../bundle.ts'
import { run } from '../src/app/run.ts'
import { systemClock, Terminal } from '../src/terminal/terminal.ts'
import { interrupt } from '../src/terminal/unless-stopped.ts'
import { olderNode } from './older-node.ts'

export interface Said {
  code: number | null
  out: string
  err: string
}

interface Running {
  out(): string
  /** What it has said on stderr so far. */
  err(): string
  untilSaid(part: string): Promise<void>
  ended: Promise<Said>
}

export interface RunningProcess extends Running {
  child: ChildProcess
}

interface RunningCall extends Running {
  /** Ctrl-C. */
  interrupt(): void
  type(text: string): void
}

interface CallOptions {
  /** Absent: nothing, unless it is typed on the terminal. */
  input?: string | Uint8Array
  env?: Record<string, string>
}

export interface Cli {
  /** A folder for files of the tests, and the home of the calls. */
  dir: string
  /** The bundled program. */
  program: string
  /** In this process. */
  call(args: readonly string[], options?: CallOptions): Promise<Said>
  begin(args: readonly string[], options?: CallOptions & { isTerminal?: boolean }): RunningCall
  /** As a process. */
  start(args: readonly string[], options?: CallOptions): RunningProcess
  /** Everything that all calls have said. */
  transcript(): string
  remove(): Promise<void>
}

export async function openCli(env: Record<string, string> = {}): Promise<Cli> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-cli-'))
  const program = join(dir, 'roomkeeper.mjs')
  await bundle(program)
  const said: string[] = []
  const begin: Cli['begin'] = (args, { input = '', env: more = {}, isTerminal = false } = {}) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: isTerminal })
    const stdout = collector()
    const stderr = Object.assign(collector(), { isTTY: isTerminal })
    const terminal = new Terminal({ stdin, stdout, stderr, env: { HOME: dir, ...env, ...more }, clock: systemClock })
    if (!isTerminal) stdin.end(input)
    const ended = run(terminal, args).then((code) => {
      said.push(stdout.text(), stderr.text())
      return { code, out: stdout.text(), err: stderr.text() }
    })
    return {
      ended,
      out: stdout.text,
      err: stderr.text,
      untilSaid: (part) => untilSaid(args, part, stderr.text),
      interrupt: () => interrupt(terminal),
      type: (text) => stdin.write(text),
    }
  }
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
    return { child, ended, out: () => out, err: () => err, untilSaid: (part) => untilSaid(args, part, () => err) }
  }
  return {
    dir,
    program,
    start,
    begin,
    call: (args, options) => begin(args, options).ended,
    transcript: () => said.join('\n'),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

function untilSaid(args: readonly string[], part: string, err: () => string): Promise<void> {
  return until(`${args.join(' ')} says ${part}`, async () => err().includes(part))
}

function collector() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() })
}
