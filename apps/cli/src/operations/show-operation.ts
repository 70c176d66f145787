/** `operations get` and `operations logs`. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, type LogLine, logLine, logLinesAtMost } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { connect, type Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { isForPeople, outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'
import { type Colour, coloured } from '#terminal/colours.ts'
import { writeLine } from '#terminal/say.ts'
import { shownText } from '#terminal/shown-text.ts'
import { hintsOf } from './wait-for-operation.ts'

export function addGetOperation(operations: Command): void {
  operations
    .command('get <operation>')
    .description('Show the state and the steps of an operation')
    .addHelpText('after', '\nExamples:\n  roomkeeper operations get 4f9c… -o yaml')
    .action(async (operationId: string, _options: object, command: Command) => {
      const log = await readLog(await connect(), operationId, 0)
      const { lines: _, ...shown } = log
      await printOne({ operationId, ...shown }, operationId, outputOf(command))
    })
}

const lineView: View<LogLine> = {
  name: ({ text }) => text,
  none: 'The log is empty.',
  fields: Object.keys(logLine.shape),
  columns: [],
}

export function addOperationLogs(operations: Command): void {
  operations
    .command('logs <operation>')
    .alias('log')
    .description('Print the log of an operation')
    .option('-f, --follow', 'go on until it ends; exit code 4 if it fails or is cancelled')
    .addHelpText('after', '\nExamples:\n  roomkeeper operations logs -f 4f9c…')
    .action(async (operationId: string, { follow = false }: { follow?: boolean }, command: Command) => {
      const output = outputOf(command)
      const server = await connect()
      const ended: End = { state: null, errorText: null }
      const lines = linesOf(server, operationId, { follow, ended })
      if (isForPeople(output)) for await (const line of lines) await printLine(line)
      else await printList(lineView, lines, output)
      if (follow) failIfItDid(operationId, ended)
    })
}

/** @throws Failure as `--wait` does */
function failIfItDid(operationId: string, { state, errorText }: End): void {
  if (state === 'cancelled') throw new Failure('operation-failed', 'The operation was cancelled.', { operationId })
  if (state !== 'failed') return
  const hints = hintsOf(operationId, ['retry'])
  throw new Failure('operation-failed', `The operation failed: ${errorText ?? 'see its log.'}`, { operationId, hints })
}

interface End {
  state: Log['state'] | null
  errorText: string | null
}
type Log = Answer<'operationLog'>['body']

const pauseSeconds = 0.7

async function* linesOf(server: Server, operationId: string, { follow, ended }: { follow: boolean; ended: End }) {
  for (let after = 0; ; ) {
    const { lines, state, errorText } = await readLog(server, operationId, after)
    yield* lines
    after = lines.at(-1)?.n ?? after
    if (lines.length === logLinesAtMost) continue
    if (!follow || state === 'done' || state === 'failed' || state === 'cancelled') {
      Object.assign(ended, { state, errorText })
      return
    }
    await pause(pauseSeconds * 1000)
  }
}

async function readLog(server: Server, processId: string, after: number): Promise<Log> {
  return (await server.call('operationLog', { query: { processId, after } })).body
}

const colours: Readonly<Record<string, Colour>> = { warning: 'yellow', error: 'red' }

function printLine({ at, level, text }: LogLine): Promise<void> {
  const time = coloured(timeText(at), 'dim', process.stdout)
  return writeLine(`${time}  ${coloured(shownText(text), colours[level] ?? null, process.stdout)}`)
}
