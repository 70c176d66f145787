/** Starts a program of this repository as a real process that reports over its IPC channel when it is ready. */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../../..')
/** As with `npm start`. */
export const compileCache = resolve(repository, 'node_modules/.cache/node')

export interface ProcessUnderTest<Ready> {
  ready: Ready
  child: ChildProcess
  /** Everything that it has printed. */
  output(): string
  /** Sends a signal and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Resolves when the process has ended. */
  ended: Promise<void>
}

const startSeconds = 60

/** @param flags for Node @throws Error with its output, when it ends or is not ready after `startSeconds` */
export async function startProcess<Ready>(
  program: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<ProcessUnderTest<Ready>> {
  const printed: string[] = []
  const child = spawn(
    process.execPath,
    ['--disable-warning=DeprecationWarning', ...flags, resolve(repository, program)],
    {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  const ended = new Promise<void>((resolveEnded) => child.once('exit', () => resolveEnded()))
  const ready = await new Promise<Ready>((resolveReady, reject) => {
    const fail = () => reject(new Error(`${program} did not start:\n${printed.join('')}`))
    const timer = setTimeout(() => child.kill('SIGKILL'), startSeconds * 1000)
    child.once('message', (message) => {
      clearTimeout(timer)
      child.off('exit', fail)
      resolveReady(message as Ready)
    })
    child.once('exit', fail)
  })
  return {
    ready,
    child,
    ended,
    output: () => printed.join(''),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}
