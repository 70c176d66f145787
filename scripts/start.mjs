/** `npm start`: prepares, starts the server, and restarts it when it has given up its lease. */
import { spawn } from 'node:child_process'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'

const leaseLostExitCode = 75

ensureInstalled()
ensureConsoleBuilt()
let stopping = false
/** After a lost lease the database may still be unreachable, so a start that fails is tried again. */
let isComingBack = false
let server = startServer()
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true
    server.kill(signal)
  })
}

function startServer() {
  // Its own process group, so that Ctrl+C reaches it only once, through here; the channel ends it if this process dies.
  // Limit Node's young generation to 4 MB instead of 16: uploads would fill it up with buffers.
  const flags = ['--disable-warning=DeprecationWarning', '--max-semi-space-size=4']
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
