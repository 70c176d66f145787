/** What a process costs, as Linux tells it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** CPU time since the process began, in milliseconds. */
export function cpuOf(pid: number | undefined): number {
  return cpuTimeOf(pid ?? 0).own
}

/** What the machine would have more without the process, in MiB: what it shares with others does not count. */
export function privateMegabytesOf(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_\w+: +(\d+)/gm)].map(([, number]) => Number(number))
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
}

/** What of the process is in memory, in MiB; 0 if it has ended. */
export function memoryOf(pid: number | undefined): number {
  return statusOf(pid, 'VmRSS')
}

/** The most that of the process has been in memory since `forgetPeak`, in MiB. */
export function peakOf(pid: number): number {
  return statusOf(pid, 'VmHWM')
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusOf(pid: number | undefined, field: string): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  const [, kilobytes = 0] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Milliseconds of CPU time, user and system, since the process started. */
export interface CpuTime {
  own: number
  /** The time of all descendants; one that has ended counts if its parent has waited for it. */
  descendants: number
}

export function cpuTimeOf(process: number): CpuTime {
  const all = readProcesses()
  const counted = new Set([process])
  for (let before = -1; before !== counted.size; ) {
    before = counted.size
    for (const { pid, parent } of all) if (counted.has(parent)) counted.add(pid)
  }
  const tree = all.filter(({ pid }) => counted.has(pid))
  const own = tree.find(({ pid }) => pid === process)?.ticks ?? 0
  const ticks = tree.reduce((sum, each) => sum + each.ticks + each.ticksOfEnded, 0)
  return { own: (own * 1000) / ticksPerSecond, descendants: ((ticks - own) * 1000) / ticksPerSecond }
}

/** The CPU time of a process and all its descendants, ended ones included, in milliseconds. */
export function cpuOfTree(pid: number): number {
  const { own, descendants } = cpuTimeOf(pid)
  return own + descendants
}

/** Null if there is no such process here. */
export function parentOf(pid: number): number | null {
  return statOf(String(pid))?.[1] ?? null
}

const ticksPerSecond = 100

function readProcesses(): { pid: number; parent: number; ticks: number; ticksOfEnded: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = statOf(name)
      if (fields === null) return []
      const [, parent = 0] = fields
      // Fields 14 to 17 of proc(5).
      const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15)
      return { pid: Number(name), parent, ticks: user + system, ticksOfEnded: userOfEnded + systemOfEnded }
    })
}

/** The fields after the program's name, from the state on; null: the process has ended meanwhile. */
function statOf(pid: string): number[] | null {
  try {
    return (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number)
  } catch {
    return null
  }
}
