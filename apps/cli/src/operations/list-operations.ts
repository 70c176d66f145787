import {
  finishedOperation,
  type MonitoringEntry,
  monitoringEntry,
  type OperationState,
  operationStates,
  operationSummary,
} from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Cli, Run } from '#cli.ts'
import { usageFailure } from '#failure.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { rowsOfPages } from '#output/pages.ts'
import { printList } from '#output/print-list.ts'
import { type Column, timeText, type View } from '#output/view.ts'
import type { Colour } from '#terminal/terminal.ts'

interface Listed {
  operationId: string
  kind: string
  processType: string | null
  projectRoomName: string
}

const shared: readonly Column<Listed>[] = [
  { title: 'ID', rank: 0, value: ({ operationId }) => operationId },
  { title: 'PROCESS', rank: 2, value: ({ kind, processType }) => processType ?? kind },
  { title: 'PROJECT ROOM', rank: 1, value: ({ projectRoomName }) => projectRoomName },
]

function stateColumn<Row extends { state: OperationState }>(): Column<Row> {
  return { title: 'STATE', rank: 1, value: ({ state }) => state, colour: ({ state }) => colourOf(state) }
}

function viewOf<Row extends Listed>(
  schema: { shape: object },
  none: string,
  columns: readonly Column<Row>[],
): View<Row> {
  return {
    name: ({ operationId }) => operationId,
    none,
    fields: Object.keys(schema.shape),
    columns: [...shared, ...columns],
  }
}

const runningView = viewOf<Listed & { step: string | null; progress: number; startedAt: string; startedBy: string }>(
  operationSummary,
  'No operation runs or waits now.',
  [
    { title: 'DONE', rank: 3, value: ({ progress }) => `${Math.floor(progress * 100)}%` },
    { title: 'STEP', rank: 4, value: ({ step }) => step ?? 'waiting in line' },
    { title: 'STARTED', rank: 5, value: ({ startedAt }) => timeText(startedAt) },
    { title: 'BY', rank: 6, value: ({ startedBy }) => startedBy },
  ],
)

const finishedView = viewOf<
  Listed & { state: OperationState; endedAt: string; startedBy: string; errorText: string | null }
>(finishedOperation, 'No such operation has ended in the last 12 hours.', [
  stateColumn(),
  { title: 'ENDED', rank: 4, value: ({ endedAt }) => timeText(endedAt) },
  { title: 'BY', rank: 5, value: ({ startedBy }) => startedBy },
  { title: 'WHY', rank: 3, value: ({ errorText }) => errorText },
])

const everyView = viewOf<MonitoringEntry>(monitoringEntry, 'There is no such operation.', [
  stateColumn(),
  { title: 'BEGAN', rank: 4, value: ({ executionTime }) => timeText(executionTime) },
  { title: 'WHY', rank: 3, value: ({ errorText }) => errorText },
])

interface OperationListOptions extends ListOptions {
  finished?: boolean
  all?: boolean
  room?: string
  state?: OperationState
}

export function addListOperations(operations: Command, run: Run): void {
  addListOptions(operations.command('list').alias('ls').description('List the operations that run or wait now'), [
    ...new Set([runningView, finishedView, everyView].flatMap(({ fields }) => fields)),
  ])
    .option('--finished', 'those that ended in the last 12 hours, failures first, instead')
    .option('--all', 'running and ended ones, the newest first (CLOUD_OPERATOR and above)')
    .option('--room <room>', 'with --all: of rooms whose name contains this')
    .option('--state <state>', 'with --finished or --all: in this state, such as failed', oneOf(operationStates))
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper operations list\n  roomkeeper operations list --all --room fleet1 --limit 5',
    )
    .action(
      run(async (cli, options: OperationListOptions) => {
        await list(cli, options)
      }),
    )
}

async function list(cli: Cli, { finished, all, room, state, limit }: OperationListOptions): Promise<number> {
  if (state !== undefined && !(all === true || finished === true || room !== undefined))
    throw usageFailure('--state goes with --finished or --all.')
  const { output } = cli
  const server = await cli.connect()
  const isWanted = (each: { state: OperationState }) => state === undefined || each.state === state
  if (all === true || room !== undefined) {
    const entries = rowsOfPages(async (page, size) => {
      const query = { page, size, ...(room === undefined ? {} : { name_search: room }) }
      return (await server.call('monitoring', { query })).body
    })
    const isNew = output.isQuiet ? firstOfEachOperation() : () => true
    return printList(
      everyView,
      firstOf(entries, (each) => isWanted(each) && isNew(each), limit),
      output,
    )
  }
  if (finished === true) {
    const { body } = await server.call('finishedOperations', { query: {} })
    return printList(finishedView, body.filter(isWanted).slice(0, limit), output)
  }
  const { body } = await server.call('runningOperations', {})
  return printList(runningView, body.slice(0, limit), output)
}

/** The list has a row for each thing that an operation did, but `--quiet` prints its id once. */
function firstOfEachOperation(): (row: Listed) => boolean {
  const seen = new Set<string>()
  return ({ operationId }) => seen.size < seen.add(operationId).size
}

async function* firstOf<Row>(
  rows: AsyncIterable<Row>,
  isWanted: (row: Row) => boolean,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  let left = limit
  for await (const row of rows) {
    if (!isWanted(row)) continue
    yield row
    left -= 1
    if (left <= 0) return
  }
}

function colourOf(state: OperationState): Colour | null {
  switch (state) {
    case 'done':
      return 'green'
    case 'failed':
      return 'red'
    case 'cancelled':
    case 'cancelling':
      return 'yellow'
    case 'waiting':
    case 'running':
      return 'cyan'
    // A newer server may have others.
    default:
      return null
  }
}
