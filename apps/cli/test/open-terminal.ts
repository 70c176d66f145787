/** The command line on a terminal, which util-linux's `script` makes. */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cli } from './cli-under-test.ts'

interface TerminalOptions {
  env: Record<string, string>
  columns?: number
  config?: string | undefined
}

/** @param line the arguments */
export async function openTerminal(
  cli: Cli,
  line: string,
  { env, columns = 80, config = join(cli.dir, 'terminal') }: TerminalOptions,
) {
  await mkdir(config, { recursive: true })
  const command = `stty cols ${columns}; ${process.execPath} ${cli.program} ${line}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', HOME: cli.dir, XDG_CONFIG_HOME: config, TERM: 'xterm', ...env },
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  return { shown: () => shown, type: (text: string) => child.stdin.write(text), ended }
}
