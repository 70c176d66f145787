/**
 * Notices the end of npm and of the shell through which npm runs a script: neither passes on the signal that ends it, so
 * what the script has started would go on alone.
 */
import { readFileSync } from 'node:fs'

const everyMilliseconds = 300
const shells = ['sh', 'dash', 'ash', 'bash', 'busybox', 'zsh']

/** Calls `end` once when npm, or its shell, is gone. Does nothing if npm has not started this process. */
export function whenNpmEnds(end) {
  if (process.env.npm_lifecycle_event === undefined) return
  const before = callers()
  const timer = setInterval(() => {
    if (callers() === before) return
    clearInterval(timer)
    end()
  }, everyMilliseconds)
  timer.unref()
}

/** The parent's id and, if the parent is a shell on Linux, the id of npm. A process that dies is replaced by another. */
function callers() {
  const parent = process.ppid
  try {
    // `pid (name) state ppid …`
    const [, name, npm] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? []
    return shells.includes(name) ? `${parent} ${npm}` : `${parent}`
  } catch {
    return `${parent}`
  }
}
