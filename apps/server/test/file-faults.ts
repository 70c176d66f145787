/**
 * Failures of a disk, for tests: under a folder, the n-th call that Node makes to the file system fails, is late, or is
 * the last thing that the process does. It intercepts the calls of Node to the disk: `node --import` it into a process
 * whose FILE_FAULT names a file, into which tests write what is to happen (see `planned`); or import it and use
 * `planFileFault`.
 */
import fsCallbacks, { readFileSync, renameSync, writeFileSync } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type FileCall = 'open' | 'write' | 'sync' | 'close' | 'read' | 'rename' | 'remove' | 'mkdir'

export interface FileFault {
  /** Calls about this folder, or what is in it, count. */
  under: string
  /** Which of them it is, from 1. */
  at: number
  /** Only calls of this kind count. Default: of all kinds. */
  call?: FileCall
  /**
   * EIO, ENOSPC: the call fails so; of what it was to write a half is there. kill: the process is killed there.
   * late: an open answers later than everything that does not wait for it.
   */
  how: 'EIO' | 'ENOSPC' | 'kill' | 'late'
}

const lateMilliseconds = 300
const planFile = process.env.FILE_FAULT
let current: { text: string; fault: FileFault; seen: number } | null = null
let hit: { call: FileCall; over: Promise<unknown> } | null = null
const readPlan = readFileSync
const movePlan = renameSync

/** Of this process, from now on; null: none any more. */
export function planFileFault(fault: FileFault | null): void {
  current = fault && { text: '', fault, seen: 0 }
  hit = null
}

/** The call at which the fault took effect, and when that is over; null: there were not so many. */
export const fileFaultHit = (): typeof hit => hit

/** Writes a plan for another process. @param file its FILE_FAULT */
export function writeFileFault(file: string, fault: FileFault): void {
  writeFileSync(`${file}.new`, JSON.stringify(fault))
  movePlan(`${file}.new`, file)
}

/** What the call has to meet with, if it is the one. */
function met(call: FileCall, path: string): FileFault['how'] | null {
  const plan = planFile === undefined ? current : planned(planFile)
  if (plan === null || hit !== null) return null
  const { fault } = plan
  if (!`${resolve(path)}/`.startsWith(`${fault.under}/`) || (fault.call ?? call) !== call) return null
  plan.seen += 1
  if (plan.seen !== fault.at) return null
  if (planFile === undefined) hit = { call, over: Promise.resolve() }
  else takePlan(planFile, call)
  return fault.how
}

function planned(file: string): typeof current {
  try {
    const text = readPlan(file, 'utf8')
    if (current?.text !== text) current = { text, fault: JSON.parse(text) as FileFault, seen: 0 }
  } catch {
    current = null
  }
  return current
}

/** Once only; a test reads `<file>.done`. */
function takePlan(file: string, call: FileCall): void {
  writeFileSync(`${file}.new`, call)
  movePlan(`${file}.new`, `${file}.done`)
  movePlan(file, `${file}.taken`)
  current = null
}

/** @param half what is left of a write that fails */
async function meet(call: FileCall, path: string, half: () => Promise<unknown> = async () => undefined): Promise<void> {
  const how = met(call, path)
  if (how === null) return
  if (how === 'late') return pause(lateMilliseconds)
  await half()
  if (how !== 'kill') throw Object.assign(new Error(`${how}: a test made this call fail, ${call}`), { code: how })
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

const pathsOfHandles = new WeakMap<FileHandle, string>()
const handles = await fs.open(import.meta.filename, 'r')
const prototype = Object.getPrototypeOf(handles) as FileHandle
await handles.close()

function intercept<Name extends 'rename' | 'rm' | 'unlink' | 'mkdir'>(name: Name, call: FileCall): void {
  const real = fs[name] as (...all: unknown[]) => Promise<unknown>
  Object.assign(fs, {
    [name]: async (path: string, ...more: unknown[]) => {
      await meet(call, String(path))
      return real(path, ...more)
    },
  })
}

function interceptHandle(name: 'sync' | 'datasync' | 'read', call: FileCall): void {
  const real = prototype[name] as (...all: unknown[]) => Promise<unknown>
  Object.assign(prototype, {
    async [name](this: FileHandle, ...all: unknown[]) {
      const path = pathsOfHandles.get(this)
      if (path !== undefined) await meet(call, path)
      return real.apply(this, all)
    },
  })
}

function interceptWrites(name: 'write' | 'writeFile'): void {
  const real = prototype[name] as (...all: unknown[]) => Promise<unknown>
  Object.assign(prototype, {
    async [name](this: FileHandle, content: Uint8Array | string, ...more: unknown[]) {
      const path = pathsOfHandles.get(this)
      const half = content.slice(0, Math.floor(content.length / 2))
      if (path !== undefined) await meet('write', path, () => real.call(this, half))
      return real.call(this, content, ...more)
    },
  })
}

intercept('rename', 'rename')
intercept('rm', 'remove')
intercept('unlink', 'remove')
intercept('mkdir', 'mkdir')
for (const name of ['sync', 'datasync'] as const) interceptHandle(name, 'sync')
interceptHandle('read', 'read')
for (const name of ['write', 'writeFile'] as const) interceptWrites(name)

const realOpen = fs.open
Object.assign(fs, {
  async open(path: string, ...more: []) {
    await meet('open', String(path))
    const handle = await realOpen(path, ...more)
    pathsOfHandles.set(handle, String(path))
    const close = handle.close
    handle.close = async () => {
      // One that fails has closed all the same.
      await meet('close', String(path), close)
      return close()
    }
    return handle
  },
})
// Streams of paths open their files by this one.
const openForStream = fsCallbacks.open as (...all: unknown[]) => void
Object.assign(fsCallbacks, {
  open(path: string, ...more: unknown[]) {
    const answer = more.pop() as (...all: unknown[]) => void
    const { promise, resolve: done } = Promise.withResolvers<void>()
    const before = hit
    meet('open', String(path)).then(() => {
      openForStream(path, ...more, (...all: unknown[]) => {
        answer(...all)
        done()
      })
    }, answer)
    if (hit !== null && hit !== before) hit.over = promise
  },
})
syncBuiltinESMExports()
