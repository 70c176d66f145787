/** `operations get` and `operations logs`. */
import { type Answer, type LogLine, logLine, logLinesAtMost, routes } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { addJsonOption, isForPeople } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText, type View } from '#output/view.ts'
import { shownText } from '#terminal/shown-text.ts'
import type { Colour, Terminal } from '#terminal/terminal.ts'
import { hintsOf } from './wait-for-operation.ts'

const { lines: _, ...shownFields } = routes.operationLog.answers[200].shape
const operationFields = ['operationId', ...Object.keys(shownFields)]

export function addGetOperation(operations: Command, run: Run): void {
  addJsonOption(
    operations.command('get <operation>').description('Show the state and the steps of an operation'),
    operationFields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper operations get 4f9c… -o yaml')
    .action(
      run(async (cli, operationId: string) => {
        const log = await readLog(await cli.connect(), operationId, 0)
        const { lines: _, ...shown } = log
        await printOne({ operationId, ...shown }, operationId, cli.output)
      }),
    )
}

const lineView: View<LogLine> = {
  name: ({ text }) => text,
  none: 'The log is empty.',
  fields: Object.keys(logLine.shape),
  columns: [],
}

export function addOperationLogs(operations: Command, run: Run): void {
  addJsonOption(
    operations.command('logs <operation>').alias('log').description('Print the log of an operation'),
    lineView.fields,
  )
    .option('-f, --follow', 'go on until it ends; exit code 4 if it fails or is cancelled')
    .addHelpText('after', '\nExamples:\n  roomkeeper operations logs -f 4f9c…')
    .action(
      run(async (cli, operationId: string, { follow = false }: { follow?: boolean }) => {
        const { output } = cli
        const server = await cli.connect()
        const ended: End = { state: null, errorText: null }
        const lines = linesOf(cli, server, operationId, { follow, ended })
        if (isForPeople(output)) for await (const line of lines) await printLine(cli.terminal, line)
        else await printList(lineView, lines, output)
        if (follow) throwIfFailed(operationId, ended)
      }),
    )
}

/** @throws Failure as `--wait` does */
function throwIfFailed(operationId: string, { state, errorText }: End): void {
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

async function* linesOf(
  { terminal }: Cli,
  server: Server,
  operationId: string,
  { follow, ended }: { follow: boolean; ended: End },
) {
  for (let after = 0; ; ) {
    const { lines, state, errorText } = await readLog(server, operationId, after)
    yield* lines
    after = lines.at(-1)?.n ?? after
    if (lines.length === logLinesAtMost) continue
    if (!follow || state === 'done' || state === 'failed' || state === 'cancelled') {
      Object.assign(ended, { state, errorText })
      return
    }
    await terminal.clock.pause(pauseSeconds * 1000)
  }
}

async function readLog(server: Server, processId: string, after: number): Promise<Log> {
  return (await server.call('operationLog', { query: { processId, after } })).body
}

const colours: Readonly<Record<string, Colour>> = { warning: 'yellow', error: 'red' }

function printLine(terminal: Terminal, { at, level, text }: LogLine): Promise<void> {
  const time = terminal.paint(timeText(at), 'dim')
  return terminal.writeLine(`${time}  ${terminal.paint(shownText(text), colours[level] ?? null)}`)
}
