/**
 * Runs a program to its end, and ends with its exit code. A signal that is to end this process ends the program first.
 */
import { spawn } from 'node:child_process'
import { whenNpmEnds } from './callers.mjs'
import { environment, root } from './prepare.mjs'

export function runToItsEnd(program, args) {
  const child = spawn(program, args, { cwd: root, env: environment, stdio: 'inherit' })
  const end = (signal) => child.kill(signal)
  whenNpmEnds(() => end('SIGTERM'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => end('SIGTERM'))
  // A terminal sends it to the program, too, and a second one may mean: at once.
  process.on('SIGINT', () => process.stdin.isTTY || end('SIGINT'))
  child.on('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code) => process.exit(code ?? 1))
}
