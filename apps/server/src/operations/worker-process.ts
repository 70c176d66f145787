/**
 * Which process a worker is. A worker that starts where others have run looks whether those processes are still there,
 * so that after a crash and a restart nobody has to wait for a lease to run out. Only Linux tells enough; elsewhere
 * (and for other machines and containers) the lease decides.
 */
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Database, queryRows } from '#platform/database.ts'

export interface WorkerProcess {
  /** Where process ids mean the same: machine, boot and container. null: unknown. */
  machine: string | null
  pid: number
  /** In ticks since the machine's boot: a process id that is used again has another. */
  pid_began: string | null
}

export function thisProcess(): WorkerProcess {
  return { machine: thisMachine(), pid: process.pid, pid_began: beganAt(process.pid) }
}

/** Ends the leases of workers whose processes ran here and are gone. */
export async function endLeasesOfTheDead({ db }: Database): Promise<void> {
  const machine = thisMachine()
  if (machine === null) return
  const here = await queryRows<{ id: string; pid: number; pid_began: string }>(
    db,
    'select id, pid, pid_began from workers where machine = $1',
    [machine],
  )
  const dead = here.filter((each) => beganAt(each.pid) !== each.pid_began).map((each) => each.id)
  if (dead.length > 0) await queryRows(db, `update workers set heartbeat_at = 'epoch' where id = any($1)`, [dead])
}

function thisMachine(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    const container = readlinkSync('/proc/self/ns/pid')
    return createHash('sha256').update(`${hostname()}\n${boot}\n${container}`).digest('hex')
  } catch {
    return null
  }
}

/** null: there is no such process. */
function beganAt(pid: number): string | null {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
    const [state] = afterName.split(' ')
    return state === 'Z' || state === 'X' ? null : (afterName.split(' ')[19] ?? null)
  } catch {
    return null
  }
}
