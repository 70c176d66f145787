#!/usr/bin/env node
/** The command line `roomkeeper`. */
import { endInterrupted, run, sayBug } from './app/run.ts'
import { exitCodes } from './failure.ts'
import { listenForStops } from './terminal/unless-stopped.ts'

// Whoever reads the output has gone, as `head` does: what ends by SIGPIPE ends with this code.
const brokenPipe = 141
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? brokenPipe : 1))
}

const args = process.argv.slice(2)
listenForStops(() => endInterrupted(args))
try {
  process.exitCode = await run(args)
} catch (error) {
  sayBug(error, args)
  process.exitCode = exitCodes.bug
}
