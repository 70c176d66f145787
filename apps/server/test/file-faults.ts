/**
 * Disk failures for tests: the n-th file system call of Node under a folder fails, is late, or kills the process. The
 * module intercepts Node's file system calls. To use it in another process, load it there with `node --import` and let
 * FILE_FAULT name a file into which tests write the plan (see `planned`). In the same process, import it and call
 * `planFileFault`.
 */
import fsCallbacks, { readFileSync, renameSync, writeFileSync } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type FileCall = 'open' | 'write' | 'sync' | 'close' | 'read' | 'rename' | 'remove' | 'mkdir'

export interface FileFault {
  /** Only calls about this folder or anything in it count. */
  under: string
  /** Which of these calls is hit, counted from 1. */
  at: number
  /** Only calls of this kind count. Default: all kinds. */
  call?: FileCall
  /**
   * EIO, ENOSPC: the call fails with this code; a write has written half of its content. kill: the process is killed
   * during the call. late: the call takes longer than everything that does not wait for it.
   */
  how: 'EIO' | 'ENOSPC' | 'kill' | 'late'
}

const lateMilliseconds = 300
const planFile = process.env.FILE_FAULT
let current: { text: string; fault: FileFault; seen: number } | null = null
let hit: { call: FileCall; over: Promise<unknown> } | null = null
const readPlan = readFileSync
const movePlan = renameSync

/** Plans a fault for this process, or none if null. */
export function planFileFault(fault: FileFault | null): void {
  current = fault && { text: '', fault, seen: 0 }
  hit = null
}

/** The call that was hit, and a promise that resolves when it is over; null if there were too few calls. */
export const fileFaultHit = (): typeof hit => hit

/** Writes the plan for another process. @param file the FILE_FAULT of that process */
export function writeFileFault(file: string, fault: FileFault): void {
  writeFileSync(`${file}.new`, JSON.stringify(fault))
  movePlan(`${file}.new`, file)
}

/** The fault for this call, or null if the call is not the planned one. */
function faultFor(call: FileCall, path: string): FileFault['how'] | null {
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

/** Makes sure that the fault happens only once, and tells the test through the file `<file>.done`. */
function takePlan(file: string, call: FileCall): void {
  writeFileSync(`${file}.new`, call)
  movePlan(`${file}.new`, `${file}.done`)
  movePlan(file, `${file}.taken`)
  current = null
}

/** @param half performs the part of a write that a failure leaves behind */
async function injectFault(
  call: FileCall,
  path: string,
  half: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const how = faultFor(call, path)
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
      await injectFault(call, String(path))
      return real(path, ...more)
    },
  })
}

function interceptHandle(name: 'sync' | 'datasync' | 'read', call: FileCall): void {
  const real = prototype[name] as (...all: unknown[]) => Promise<unknown>
  Object.assign(prototype, {
    async [name](this: FileHandle, ...all: unknown[]) {
      const path = pathsOfHandles.get(this)
      if (path !== undefined) await injectFault(call, path)
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
      if (path !== undefined) await injectFault('write', path, () => real.call(this, half))
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
    await injectFault('open', String(path))
    const handle = await realOpen(path, ...more)
    pathsOfHandles.set(handle, String(path))
    const close = handle.close
    handle.close = async () => {
      // A close that fails has closed the file all the same.
      await injectFault('close', String(path), close)
      return close()
    }
    return handle
  },
})
// Streams that are created from paths open their files with this function.
const openForStream = fsCallbacks.open as (...all: unknown[]) => void
Object.assign(fsCallbacks, {
  open(path: string, ...more: unknown[]) {
    const answer = more.pop() as (...all: unknown[]) => void
    const { promise, resolve: done } = Promise.withResolvers<void>()
    const before = hit
    injectFault('open', String(path)).then(() => {
      openForStream(path, ...more, (...all: unknown[]) => {
        answer(...all)
        done()
      })
    }, answer)
    if (hit !== null && hit !== before) hit.over = promise
  },
})
syncBuiltinESMExports()
