import { type BulkAction, type BulkPreflight, type BulkRequest, bulkActions } from '@roomkeeper/contract'
import { Argument, type Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { isForPeople, type Output } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { refuseMissing } from '#rooms/find-room.ts'
import { addQueryOptions, isFiltered, type RoomQueryOptions, roomQuery } from '#rooms/query-options.ts'
import { countOfRooms } from '#rooms/show-rooms.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { addParameterOptions, type ParameterOptions, parametersOf } from './bulk-parameters.ts'
import { finishBulk } from './finish-bulk.ts'

interface StartOptions extends RoomQueryOptions, ParameterOptions, WaitOptions {
  all?: boolean
  except?: string[]
  roomsFrom?: string
  yes?: boolean
  dryRun?: boolean
}

export function addStartBulk(bulks: Command, run: Run): void {
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
  roomkeeper bulk start retry --filter failureCause=no-space
  roomkeeper bulk start move --region region-1 --target-region region-2 --except fleet1
  roomkeeper bulk start notify --all --text-file mail.txt
  roomkeeper bulk start label --label Pilot --add VIP --remove Pilot`,
    )
    .action(
      run(async (cli, action: BulkAction, rooms: string[], options: StartOptions) => {
        const selection = await selectionOf(cli, rooms, options)
        const server = await cli.connect()
        const request = {
          action,
          selection,
          parameters: await parametersOf(cli, server, action, options),
        } as BulkRequest
        await startAfterPreflight(cli, server, request, options)
      }),
    )
}

async function selectionOf(
  { terminal }: Cli,
  names: string[],
  options: StartOptions,
): Promise<BulkRequest['selection']> {
  const listed = options.roomsFrom === undefined ? [] : (await terminal.read(options.roomsFrom)).split('\n')
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

async function startAfterPreflight(
  cli: Cli,
  server: Server,
  request: BulkRequest,
  options: StartOptions,
): Promise<void> {
  const { action, selection } = request
  const { body: preflight } = await server.call('preflightBulk', { body: request })
  if ('except' in selection) await refuseMissing(server, selection.except)
  else if (preflight.total < selection.rooms.length) await refuseMissing(server, selection.rooms)
  const { terminal, output } = cli
  if (options.dryRun === true && !isForPeople(output)) return printOne(preflight, String(preflight.possible), output)
  const isAsked = options.yes !== true && preflight.possible > 0
  sayPreflight(terminal, action, preflight, isAsked)
  if (options.dryRun === true) return
  if (preflight.possible === 0) return endWithNothing('rooms' in selection, output)
  await confirmStart(server, action, preflight, options)
  const { body } = await server.call('startBulk', {
    body: { ...request, expectedTotal: preflight.total, selectionDigest: preflight.selectionDigest ?? undefined },
  })
  await finishBulk(cli, server, options, {
    doing: `${action} of ${countOfRooms(body.total)}`,
    done: `${action} of ${countOfRooms(body.total)} has ended`,
    id: body.operationId,
  })
}

/** @param isAsked a question follows, so that it is said also with `--quiet` */
function sayPreflight(terminal: Terminal, action: BulkAction, preflight: BulkPreflight, isAsked: boolean): void {
  if (terminal.isQuiet && !isAsked) return
  const { total, possible, impossible, retries, estimatedSeconds, mails, withPinnedNotes, pinnedNotes } = preflight
  const time = estimatedSeconds === null ? '' : `, in about ${Math.ceil(estimatedSeconds)} s`
  terminal.say(`${action}: possible for ${possible} of ${countOfRooms(total)}${time}.`)
  if (mails > 0) terminal.say(`  E-mails that go out: ${mails}`)
  for (const { processType, count } of retries) terminal.say(`  ${processType}: ${count}`)
  for (const { count, reason, examples } of impossible)
    terminal.say(`  not for ${count}: ${reason} (${examples.join(', ')})`, 'yellow')
  if (withPinnedNotes > 0) terminal.say(`Pinned notes of ${countOfRooms(withPinnedNotes)}:`, 'yellow')
  for (const { projectRoomName, text, author } of pinnedNotes)
    terminal.say(`  ${projectRoomName}: ${text} (${author})`, 'yellow')
}

/** A choice by options may find nothing, as in a nightly job; it is a mistake only where rooms were named. */
async function endWithNothing(areNamed: boolean, output: Output): Promise<void> {
  if (areNamed) throw new Failure('refused', 'It is possible for none of these project rooms.')
  output.terminal.note('There is nothing to do.')
  if (output.format !== 'table') await printOne({ operationId: null, state: 'nothing-to-do' }, '', output)
}

function confirmStart(
  server: Server,
  action: BulkAction,
  { total, possible }: BulkPreflight,
  options: StartOptions,
): Promise<void> {
  const isDeleting = action === 'delete'
  return confirmOrFail(server, {
    question: isDeleting ? `Type ${total} to delete ${countOfRooms(total)}:` : `Start it for ${possible} of ${total}?`,
    ...(isDeleting ? { typed: String(total) } : {}),
    yes: options.yes === true,
    isInputTaken: options.roomsFrom === '-' || options.textFile === '-',
  })
}
