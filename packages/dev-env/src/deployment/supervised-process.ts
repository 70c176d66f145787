/** A process that is started again whenever it ends, as a container with `restart: always`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { continueTree, killTree, stopTree } from '../process-tree.ts'
import { until } from '../until.ts'

export interface Supervised {
  /** Everything that it has printed, in all its lives. */
  output(): string
  /** How often it was started. */
  starts(): number
  /** Stops it and what it has started: it accepts connections and answers nothing. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Kills it and what it has started with SIGKILL. Resolves when it has been started again. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Asks it to end, and kills it when its time is over. It is not started again. */
  stop(): Promise<void>
}

export interface SupervisedOptions {
  command: readonly string[]
  env: Record<string, string>
  cwd: string
  /** The user as whom it runs; null: the same as ours. */
  identity: { uid: number; gid: number } | null
  stopSignal: NodeJS.Signals
  stopGraceSeconds: number
  /** What it may do under root; null: everything. */
  capabilities: readonly string[] | null
}

/** As Docker's: the pause before a restart doubles, up to a minute, until the process has lived for ten seconds. */
const firstPauseMilliseconds = 100
const longestPauseMilliseconds = 60_000
const livedMilliseconds = 10_000

export function supervise(options: SupervisedOptions): Supervised {
  const printed: string[] = []
  const over = new AbortController()
  let starts = 0
  let child: ChildProcess | null = null
  const living = (async () => {
    let pauseMilliseconds = firstPauseMilliseconds
    while (!over.signal.aborted) {
      const begun = Date.now()
      starts += 1
      child = start(options, printed)
      await ended(child)
      if (Date.now() - begun > livedMilliseconds) pauseMilliseconds = firstPauseMilliseconds
      await pause(pauseMilliseconds, undefined, { signal: over.signal }).catch(() => undefined)
      pauseMilliseconds = Math.min(pauseMilliseconds * 2, longestPauseMilliseconds)
    }
  })()
  return {
    output: () => printed.join(''),
    starts: () => starts,
    async freeze() {
      await stopTree(child?.pid)
    },
    thaw: () => continueTree(child?.pid),
    async kill() {
      const before = starts
      await killTree(child?.pid)
      await until('it is started again', async () => starts > before, 90)
    },
    signal: (name) => void child?.kill(name),
    async stop() {
      over.abort()
      const timer = setTimeout(() => void killTree(child?.pid), options.stopGraceSeconds * 1000)
      if (child !== null && !hasEnded(child)) child.kill(options.stopSignal)
      await living
      clearTimeout(timer)
    },
  }
}

/** The kernel ends it when this process is killed. */
function start({ command, env, cwd, identity, capabilities }: SupervisedOptions, printed: string[]): ChildProcess {
  const limits = capabilities === null || process.getuid?.() !== 0 ? [] : capabilityLimits(capabilities)
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...limits, '--', ...command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C reaches only the process that supervises it.
    detached: true,
    ...identity,
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  return child
}

function capabilityLimits(capabilities: readonly string[]): string[] {
  return ['--inh-caps=-all', `--bounding-set=${['-all', ...capabilities.map((each) => `+${each}`)].join(',')}`]
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) throw new Error('setpriv (util-linux) is needed.')
  if (!hasEnded(child)) await once(child, 'exit')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
