/**
 * Identifies the process of a worker. Workers check whether the processes of other workers on the same machine still
 * exist, so that after a crash nobody has to wait for a lease to expire. This works only on Linux; elsewhere, and for
 * workers on other machines or in other containers, the lease decides.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { hasCode } from '#platform/system-error.ts'

export interface WorkerProcess {
  /** A hash of machine, boot and container, within which process ids are comparable. null: unknown. */
  machine: string | null
  pid: number
  /** In ticks since the machine booted: tells a reused process id from the original. */
  pidBegan: string | null
}

export function thisProcess(): WorkerProcess {
  return { machine: thisMachine(), pid: process.pid, pidBegan: beganAt(process.pid) ?? null }
}

/** True only if the process ran on this machine and certainly no longer exists. */
export function isGone({
  machine,
  pid,
  pidBegan,
}: { [Key in keyof WorkerProcess]: WorkerProcess[Key] | null }): boolean {
  if (machine === null || pid === null || machine !== thisMachine()) return false
  const began = beganAt(pid)
  return began !== undefined && began !== pidBegan
}

let known: string | null | undefined
function thisMachine(): string | null {
  known ??= readMachine()
  return known
}

function readMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const container = readlinkSync('/proc/self/ns/pid')
    return createHash('sha256').update(`${hostname()}\n${boot}\n${container}`).digest('hex')
  } catch {
    return null
  }
}

/** null: there is no such process; undefined: unknown, for example without free file handles. */
function beganAt(pid: number): string | null | undefined {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    const [state] = afterName.split(' ')
    return state === 'Z' || state === 'X' ? null : (afterName.split(' ')[19] ?? null)
  } catch (error) {
    return hasCode(error, 'ENOENT', 'ESRCH') ? null : undefined
  }
}
