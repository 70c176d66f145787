/**
 * `postgres.owner.json` in the data folder: where its PostgreSQL was last started. It tells people who holds the lock,
 * and whether the process id in postmaster.pid is one that we could see.
 */
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { replaceFile } from '@roomkeeper/durable-file'

export interface Owner {
  host: string
  /** The running kernel's boot id; empty if it cannot be read. */
  bootId: string
  /** Process ids have a meaning only within this namespace; empty if it cannot be read. */
  pidNamespace: string
  startedAt: string
}

const fileOf = (dataDir: string) => join(dataDir, 'postgres.owner.json')

export async function recordOwner(dataDir: string): Promise<void> {
  await replaceFile(fileOf(dataDir), `${JSON.stringify(await ourselves(), null, 2)}\n`, 0o644)
}

/** Describes the owner to the person who starts a second PostgreSQL. */
export async function describeOwner(dataDir: string): Promise<string> {
  const [owner, us] = await Promise.all([readOwner(dataDir), ourselves()])
  if (owner === null) return 'by a process that this one cannot see'
  const since = `started on ${owner.host} at ${owner.startedAt}`
  if (owner.bootId !== us.bootId) return `on another machine, ${since}`
  return owner.pidNamespace === us.pidNamespace ? since : `in another container, ${since}`
}

async function readOwner(dataDir: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(fileOf(dataDir), 'utf8')) as Owner
  } catch {
    return null
  }
}

async function ourselves(): Promise<Owner> {
  const [bootId, pidNamespace] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ])
  return { host: hostname(), bootId: bootId.trim(), pidNamespace, startedAt: new Date().toISOString() }
}
