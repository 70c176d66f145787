import { type BulkAction, type BulkPreflight, type BulkRequest, bulkActions } from '@roomkeeper/contract'
import { Argument, type Command } from 'commander'
import { oneOf } from '#arguments/one-of.ts'
import { connect, type Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { isForPeople, type Output, outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { countOfRooms } from '#rooms/count-of-rooms.ts'
import { addQueryOptions, isFiltered, type RoomQueryOptions, roomQuery } from '#rooms/query-options.ts'
import { refuseMissing } from '#rooms/rooms-named.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'
import { readInput } from '#terminal/read-input.ts'
import { note, say } from '#terminal/say.ts'
import { addParameterOptions, type ParameterOptions, parametersOf } from './bulk-parameters.ts'
import { finishBulk } from './finish-bulk.ts'

interface StartOptions extends RoomQueryOptions, ParameterOptions {
  all?: boolean
  except?: string[]
  roomsFrom?: string
  yes?: boolean
  dryRun?: boolean
}

export function addStartBulk(bulks: Command): void {
  const command = bulks
    .command('start')
    .description('Take one action for many project rooms')
    .addArgument(new Argument('<action>', bulkActions.join(', ')).argParser(oneOf(bulkActions)))
    .argument('[rooms...]', 'names; or choose them with the options below')
  addQueryOptions(command)
    .option('--all', 'all project rooms')
    .option('--rooms-from <file>', 'names, one a line (- for stdin)')
    .option('--except <room...>', 'with a choice by options: not these')
  addParameterOptions(command)
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only say for which rooms it is possible')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
First says for how many rooms the action is possible, and why not for the others.

Examples:
  roomkeeper bulk start suspend --filter 'expirationDate<2027-01-01' --dry-run
  roomkeeper bulk start backup fleet1 fleet2 --yes --wait
  roomkeeper bulk start move --region region-1 --target-region region-2 --except fleet1
  roomkeeper bulk start notify --all --text-file mail.txt`,
    )
    .action(async (action: BulkAction, rooms: string[], options: StartOptions) => {
      const selection = await selectionOf(rooms, options)
      const server = await connect()
      const request = { action, selection, parameters: await parametersOf(server, action, options) } as BulkRequest
      await startSeen(server, command, request, options)
    })
}

async function selectionOf(names: string[], options: StartOptions): Promise<BulkRequest['selection']> {
  const listed = options.roomsFrom === undefined ? [] : (await readInput(options.roomsFrom)).split('\n')
  const rooms = [...names, ...listed.map((name) => name.trim())].filter((name) => name !== '')
  const isQuery = options.all === true || isFiltered(options)
  if (isQuery && (rooms.length > 0 || options.roomsFrom !== undefined))
    throw usageFailure('Please either name the rooms, or choose them with options.')
  if (isQuery) {
    const order = { order_by: 'tenantName', order_dir: 'asc' as const, search_keys: [], search_values: [] }
    return { query: { ...roomQuery(options), ...order }, except: options.except ?? [] }
  }
  if (options.except !== undefined) throw usageFailure('--except goes with a choice by options.')
  if (rooms.length === 0) throw usageFailure('Please name project rooms, or choose them with options such as --all.')
  return { rooms: [...new Set(rooms)] }
}

async function startSeen(server: Server, command: Command, request: BulkRequest, options: StartOptions): Promise<void> {
  const { action, selection } = request
  const { body: preflight } = await server.call('preflightBulk', { body: request })
  if ('except' in selection) await refuseMissing(server, selection.except)
  else if (preflight.total < selection.rooms.length) await refuseMissing(server, selection.rooms)
  const output = outputOf(command)
  if (options.dryRun === true && !isForPeople(output)) return printOne(preflight, String(preflight.possible), output)
  const isAsked = options.yes !== true && preflight.possible > 0
  sayPreflight(action, preflight, isAsked ? say : note)
  if (options.dryRun === true) return
  if (preflight.possible === 0) return endWithNothing('rooms' in selection, output)
  await confirmStart(action, preflight, options)
  const { body } = await server.call('startBulk', {
    body: { ...request, expectedTotal: preflight.total, selectionDigest: preflight.selectionDigest ?? undefined },
  })
  await finishBulk(server, command, {
    doing: `${action} of ${countOfRooms(body.total)}`,
    done: `${action} of ${countOfRooms(body.total)} is done`,
    id: body.operationId,
  })
}

/** @param tell also with `--quiet`, where a question follows */
function sayPreflight(action: BulkAction, preflight: BulkPreflight, tell: typeof say): void {
  const { total, possible, impossible, estimatedSeconds } = preflight
  const time = estimatedSeconds === null ? '' : `, in about ${Math.ceil(estimatedSeconds)} s`
  tell(`${action}: possible for ${possible} of ${countOfRooms(total)}${time}.`)
  for (const { count, reason, examples } of impossible)
    tell(`  not for ${count}: ${reason} (${examples.join(', ')})`, 'yellow')
}

/** What a choice by options finds may be nothing, as every night; rooms that were named were meant. */
async function endWithNothing(areNamed: boolean, output: Output): Promise<void> {
  if (areNamed) throw new Failure('refused', 'It is possible for none of these project rooms.')
  note('There is nothing to do.')
  if (output.format !== 'table') await printOne({ operationId: null, state: 'nothing-to-do' }, '', output)
}

function confirmStart(action: BulkAction, { total, possible }: BulkPreflight, options: StartOptions): Promise<void> {
  const isDeleting = action === 'delete'
  return confirmOrFail({
    question: isDeleting ? `Type ${total} to delete ${countOfRooms(total)}:` : `Start it for ${possible} of ${total}?`,
    ...(isDeleting ? { typed: String(total) } : {}),
    yes: options.yes === true,
    isInputTaken: options.roomsFrom === '-' || options.textFile === '-',
  })
}
