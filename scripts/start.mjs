/** `npm start`: prepares, starts the server, and restarts it when it has given up its lease. */
import { spawn } from 'node:child_process'
import { whenNpmEnds } from './callers.mjs'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'

const leaseLostExitCode = 75

/** npm passes a signal on that the terminal has sent to this process, too. */
const sameSignalMilliseconds = 500

let stopping = false
let stoppedAt = 0
/** After a lost lease the database may still be unreachable, so a start that fails is tried again. */
let isComingBack = false
let server
whenNpmEnds(() => stop('SIGTERM'))
ensureInstalled()
ensureConsoleBuilt()
console.log('Starting the database, the server and its regions …')
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
// The terminal is closed. What cannot be written to it any more does not matter.
process.on('SIGHUP', () => stop('SIGTERM'))
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
server = startServer()

/** A second signal reaches the server too, which then ends at once. */
function stop(signal) {
  if (stopping && Date.now() - stoppedAt < sameSignalMilliseconds) return
  stopping = true
  stoppedAt = Date.now()
  server?.kill(signal)
}

function startServer() {
  // Its own process group, so that Ctrl+C reaches it only once, through here; the channel ends it if this process dies.
  // Limit Node's young generation to 4 MB instead of 16: uploads would fill it up with buffers,
  // which file-store/give-back-buffers.ts collects.
  const flags = ['--disable-warning=DeprecationWarning', '--max-semi-space-size=4', '--expose-gc']
  const child = spawn(ownNode, [...flags, 'apps/server/src/main.ts'], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', () => {
    isComingBack = false
  })
  child.on('exit', (code, signal) => {
    if (!stopping && (code === leaseLostExitCode || (isComingBack && code === 1))) {
      isComingBack = true
      const wait = code === leaseLostExitCode ? 0 : 2000
      setTimeout(() => {
        if (!stopping) server = startServer()
      }, wait)
      return
    }
    process.exitCode = code ?? (signal === null ? 0 : 1)
  })
  return child
}
