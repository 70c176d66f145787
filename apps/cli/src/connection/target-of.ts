/** Finds out what `--to` names. As with `>` of a shell, the name may lead to a pipe or a device, also by links. */
import { constants, createWriteStream, openSync } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

interface Target {
  /** The path that all links lead to. */
  path: string
  /** `file` if a file or nothing is there. A pipe or device would be lost if a file took its name. */
  kind: 'file' | 'pipe' | 'device'
}

/** @throws Failure for a folder; what the system says */
export async function targetOf(given: string): Promise<Target> {
  const there = await stat(given).catch(nullIfMissing)
  const isFolder = there === null ? basename(given) === '' || given.endsWith('/') : there.isDirectory()
  if (isFolder) throw usageFailure(`Please name a file, not a folder: ${given}`)
  const path = await endOfLinks(given)
  if (there?.isFIFO() === true) return { path, kind: 'pipe' }
  return { path, kind: there?.isFile() === false || isOpenFile(path) ? 'device' : 'file' }
}

/** Follows links, also to files that do not exist yet, which `realpath` refuses. */
async function endOfLinks(given: string): Promise<string> {
  const path = join(await realpath(dirname(given)), basename(given))
  const there = await lstat(path).catch(nullIfMissing)
  if (there?.isSymbolicLink() !== true || isOpenFile(path)) return path
  return endOfLinks(resolve(dirname(path), await readlink(path)))
}

/** /dev/stdout leads to an open file, perhaps opened for appending, and not to the name of a file. */
function isOpenFile(path: string): boolean {
  return /^\/(proc|dev\/fd)\//.test(path)
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

const readerPollMilliseconds = 100

/** Opens a target that is written in place. @param signal ends the wait for the reader of a pipe */
export async function openTarget(terminal: Terminal, { path, kind }: Target, signal: AbortSignal): Promise<Writable> {
  if (kind !== 'pipe') return createWriteStream(path, { flags: 'a', mode: 0o600 })
  for (let tries = 1; ; tries += 1) {
    const descriptor = openIfRead(path)
    if (descriptor !== null) return new Socket({ fd: descriptor, readable: false, writable: true })
    if (tries === 1) terminal.note(`Waiting for somebody who reads ${path} …`)
    await terminal.clock.pause(readerPollMilliseconds, signal)
  }
}

/**
 * An open that waits for a reader would keep the process from ending. O_CREAT, which the shell's `>` uses too, makes
 * the system refuse pipes that other users have put into a shared folder.
 * @returns null if the pipe has no reader yet
 */
function openIfRead(path: string): number | null {
  const { O_WRONLY, O_CREAT, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null
    throw error
  }
}
