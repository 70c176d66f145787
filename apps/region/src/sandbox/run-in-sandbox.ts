/**
 * Runs tasks in a child process: tasks that may take long, so that no room waits for them, and tasks that read files
 * from outside. SQLite cannot be stopped in the middle of a statement, but its process can be killed. The rooms are
 * safe even if that process crashes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Refusal, refuse } from '#refusals.ts'
import type { SandboxMessage, TaskMessage } from './messages.ts'
import type { Tasks } from './tasks.ts'

export interface SandboxOptions {
  /** Kills the process. When the promise has settled, the task has ended. */
  signal: AbortSignal
  /** Once it has started, the task is given up after this long without progress. */
  seconds: number
  /** The task is given up if its process takes more memory than this. */
  memoryBytes?: number
  /** From 0 to 1. */
  progress?: (fraction: number) => void
}

type TaskName = keyof Tasks
/** How long a process may take to start on a busy machine. */
const startSeconds = 60
const gibibyte = 2 ** 30
/** A value in SQLite has at most 1,000,000,000 bytes, and digesting it needs up to three copies in memory. */
const memoryBytesAtMost = 4 * gibibyte

/** @throws {Refusal} the task's own, and 'takes-too-long', 'takes-too-much', 'reading-fails', 'sandbox-killed' */
export async function runInSandbox<Name extends TaskName>(
  name: Name,
  input: Parameters<Tasks[Name]>[0],
  options: SandboxOptions,
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  options.signal.throwIfAborted()
  const child = takeIdle() ?? startProcess()
  stayAwake(child)
  try {
    const answer = await ask(child, { name, input, memoryBytes: options.memoryBytes ?? memoryBytesAtMost }, options)
    keepIdle(child)
    if ('error' in answer) throw errorOf(answer.error)
    return answer.result as Awaited<ReturnType<Tasks[Name]>>
  } catch (error) {
    if (!idle.includes(child)) await end(child)
    throw error
  }
}

/** How long a task on this many bytes may go without reporting progress. */
export function secondsFor(bytes: number, checkSeconds: number): number {
  return checkSeconds + bytes / 1_000_000
}

type Answer = Extract<SandboxMessage, { result: unknown } | { error: unknown }>

function ask(child: ChildProcess, task: TaskMessage, { signal, seconds, progress }: SandboxOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const tooLong = () => settle(() => reject(refuse('takes-too-long', { seconds: Math.ceil(seconds) })))
    let timer = setTimeout(tooLong, (startSeconds + seconds) * 1000)
    const aborted = () => settle(() => reject(signal.reason))
    const ended = (code: number | null, by: NodeJS.Signals | null) => settle(() => reject(reasonOfEnd(code, by)))
    const failed = (error: Error) => settle(() => reject(error))
    const received = (message: SandboxMessage) => {
      if ('progress' in message) {
        clearTimeout(timer)
        timer = setTimeout(tooLong, seconds * 1000)
        progress?.(message.progress)
      } else if ('tooMuch' in message) settle(() => reject(refuse('takes-too-much')))
      else settle(() => resolve(message))
    }
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      child.off('exit', ended).off('error', failed).off('message', received)
      act()
    }
    signal.addEventListener('abort', aborted, { once: true })
    child.once('exit', ended).once('error', failed).on('message', received)
    child.send(task, (error) => {
      if (error !== null) failed(error)
    })
  })
}

/** A process that was killed from outside, perhaps because memory was short, gives a transient refusal. */
function reasonOfEnd(code: number | null, by: NodeJS.Signals | null): Error {
  if (by === 'SIGKILL' || by === 'SIGTERM') return refuse('sandbox-killed')
  if (by !== null) return refuse('reading-fails')
  return new Error(`The sandbox ended with ${code}.`)
}

function errorOf({ refusal, message, stack, codes }: Extract<SandboxMessage, { error: unknown }>['error']): Error {
  if (refusal !== null) return new Refusal(refusal.code, refusal.fields)
  return Object.assign(new Error(message), { stack }, codes)
}

/**
 * Starting a process takes longer than most tasks, so idle processes are kept for a while. They do not keep the region
 * alive.
 */
const idle: ChildProcess[] = []
const idleAtMost = 4
const idleMilliseconds = 60_000
const idleTimers = new WeakMap<ChildProcess, NodeJS.Timeout>()

const program = new URL('./sandbox-process.ts', import.meta.url)
/** All that a child gets of our environment, which also holds passwords. */
const passedOn = ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE']

function startProcess(): ChildProcess {
  const env = Object.fromEntries(passedOn.map((name) => [name, process.env[name]]))
  const child = fork(program, {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('error', () => undefined)
  child.once('exit', () => {
    clearTimeout(idleTimers.get(child))
    const index = idle.indexOf(child)
    if (index !== -1) idle.splice(index, 1)
  })
  return child
}

function takeIdle(): ChildProcess | undefined {
  let child = idle.pop()
  // A process that was killed meanwhile may still be in the list.
  while (child !== undefined && !child.connected) child = idle.pop()
  return child
}

function stayAwake(child: ChildProcess): void {
  clearTimeout(idleTimers.get(child))
  child.ref()
  child.channel?.ref()
}

function keepIdle(child: ChildProcess): void {
  if (!child.connected) return
  child.unref()
  child.channel?.unref()
  if (idle.length >= idleAtMost) {
    child.disconnect()
    return
  }
  idle.push(child)
  const release = () => {
    idle.splice(idle.indexOf(child), 1)
    child.disconnect()
  }
  idleTimers.set(child, setTimeout(release, idleMilliseconds).unref())
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
