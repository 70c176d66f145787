#!/usr/bin/env node
import { printFailure } from './app/print-failure.ts'
/** The command line `roomkeeper`, as a process: nothing else touches the streams and the environment of the process. */
import { run } from './app/run.ts'
import { bugFailure, exitCodes, Failure, usageFailure } from './failure.ts'
import { wantsJson } from './output/output-options.ts'
import { systemClock, Terminal } from './terminal/terminal.ts'
import { interrupt } from './terminal/unless-stopped.ts'

// The reader of the output has gone, as `head` does. A program that SIGPIPE ends has this exit code.
const brokenPipe = 141
const args = process.argv.slice(2)
const { stdin, stdout, stderr, execArgv } = process
// Options of Node mean the same in both places.
const env = { ...process.env, NODE_OPTIONS: [process.env.NODE_OPTIONS ?? '', ...execArgv].join(' ') }
const terminal = new Terminal({ stdin, stdout, stderr, env, clock: systemClock })

function print(failure: Failure): number {
  printFailure(terminal, failure, { isJson: wantsJson(args), flags: [], profile: undefined })
  return exitCodes[failure.kind]
}

stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(brokenPipe)
  process.exit(print(usageFailure(`The output cannot be written: ${error.message}`)))
})
stderr.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? brokenPipe : exitCodes.usage),
)

let isStopping = false
function stop(): void {
  if (!isStopping && interrupt(terminal)) {
    isStopping = true
    return
  }
  terminal.drawBar('')
  process.exit(print(new Failure('interrupted', 'Stopped.')))
}
process.on('SIGINT', stop).on('SIGTERM', stop)

try {
  process.exitCode = await run(terminal, args)
} catch (error) {
  process.exitCode = print(bugFailure(error))
}
