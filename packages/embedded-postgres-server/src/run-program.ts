/** Runs a program to its end, as PostgreSQL's user. */
import { spawn } from 'node:child_process'
import type { Identity } from './identity.ts'

export interface Finished {
  code: number | null
  /** Its standard output and standard error. */
  output: string
}

export function runProgram(
  program: string,
  parameters: readonly string[],
  run: { identity: Identity | null; cwd: string },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: run.cwd,
      env: cleanEnvironment(),
      ...run.identity,
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Our environment without PG… variables and locales, which would change what the program does. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}
