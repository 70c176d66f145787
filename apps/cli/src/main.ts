#!/usr/bin/env node
/** The command line `roomkeeper`. */
import { run, sayBug } from './app/run.ts'

// Whoever reads the output has gone, as `head` does: what ends by SIGPIPE ends with this code.
const brokenPipe = 141
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? brokenPipe : 1))
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  sayBug(error)
  process.exitCode = 70
}
