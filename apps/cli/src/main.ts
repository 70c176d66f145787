#!/usr/bin/env node
/** The command line `roomkeeper`. */
import { endInterrupted, endUnwritten, run, sayBug } from './app/run.ts'
import { exitCodes } from './failure.ts'
import { listenForStops } from './terminal/unless-stopped.ts'

// The reader of the output has gone, as `head` does. A program that SIGPIPE ends has this exit code.
const brokenPipe = 141
const args = process.argv.slice(2)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(brokenPipe)
  endUnwritten(error, args)
})
process.stderr.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? brokenPipe : exitCodes.usage),
)

listenForStops(() => endInterrupted(args))
try {
  process.exitCode = await run(args)
} catch (error) {
  sayBug(error, args)
  process.exitCode = exitCodes.bug
}
