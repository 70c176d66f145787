import { type BodyGiven, type CodedReason, englishReason, type Preflight, type Routes } from '@roomkeeper/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { nonEmptyText } from '#arguments.ts'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { isForPeople } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { refuseMissing } from '#rooms/find-room.ts'
import { countOfRooms } from '#rooms/show-rooms.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import type { Progress } from '#terminal/progress.ts'
import type { Terminal } from '#terminal/terminal.ts'

interface StartOptions extends WaitOptions {
  all?: boolean
  search?: string
  except?: string[]
  skipActiveSessions?: boolean
  yes?: boolean
  dryRun?: boolean
}

export function addStartMigration(migrate: Command, run: Run): void {
  const command = migrate
    .command('start')
    .argument('<migration>', 'id of the configuration', migrationId)
    .argument('[rooms...]', 'names; or choose them with the options below')
    .description('Begin to move project rooms')
    .option('--all', 'every room of the source that can move')
    .option('-s, --search <text>', 'those whose name, customer or e-mail contains this', nonEmptyText)
    .option('--except <room...>', 'with --all or --search: not these')
    .option('--skip-active-sessions', 'also rooms that are in use')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only say what would happen')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper migrate start 1 --all --dry-run\n  roomkeeper migrate start 1 fleet1 fleet2 --yes --wait',
    )
    .action(
      run(async (cli, id: number, rooms: string[], options: StartOptions) => {
        const selection = selectionOf(id, rooms, options)
        const server = await cli.connect()
        await refuseMissing(server, options.except ?? [])
        await startAfterPreflight(cli, server, id, selection, options)
      }),
    )
}

type Selection = BodyGiven<Routes['startLiveMigration']>

function selectionOf(id: number, rooms: string[], options: StartOptions): Selection {
  const isQuery = options.all === true || options.search !== undefined
  if (isQuery === rooms.length > 0)
    throw usageFailure('Please either name the rooms, or choose them with --all or --search.')
  if (!isQuery && options.except !== undefined) throw usageFailure('--except goes with --all or --search.')
  return {
    liveMigrationData: { id },
    selectedRooms: isQuery ? (options.except ?? []) : rooms,
    allMatching: isQuery ? { search: options.search ?? '' } : null,
    skippActiveSessions: options.skipActiveSessions === true,
  }
}

async function startAfterPreflight(cli: Cli, server: Server, id: number, selection: Selection, options: StartOptions) {
  const { body: preflight } = await server.call('preflightLiveMigration', {
    query: { size: mostLookedAt },
    body: selection,
  })
  const { terminal, output } = cli
  const total = preflight.totalElements
  if (options.dryRun === true && !isForPeople(output)) return printOne(preflight, String(total), output)
  sayPreflight(terminal, preflight, options.yes !== true)
  if (options.dryRun === true) return
  if (total === 0) throw new Failure('refused', 'No project room matches.')
  if (preflight.whyNotStart !== null)
    throw new Failure('refused', englishReason(preflight.whyNotStart as CodedReason), {
      code: preflight.whyNotStart.code,
    })
  await confirmOrFail(server, { question: `Start to move ${countOfRooms(total)}?`, yes: options.yes === true })
  const { operationId } = (await server.call('startLiveMigration', { body: selection })).body
  await finishStart(cli, server, options, {
    doing: `Moving ${countOfRooms(total)}`,
    done: 'The run has ended',
    operationId,
    progress: (watched) => runProgress(watched, id),
  })
  if (options.wait === true) await failIfRoomsFailed(terminal, server, id, operationId)
}

/** Each of them has its region asked. */
const mostLookedAt = 50

/** @param isAsked a question follows, so that it is said also with `--quiet` */
function sayPreflight(terminal: Terminal, { totalElements, obstacles, rooms }: Preflight, isAsked: boolean): void {
  if (terminal.isQuiet && !isAsked) return
  terminal.say(`Chosen: ${countOfRooms(totalElements)}.`)
  for (const { text } of obstacles) terminal.say(`  ${text}`, 'yellow')
  for (const room of rooms) {
    for (const { effect, text } of room.obstacles)
      terminal.say(`  ${room.projectRoomName} ${wordOf(effect)}: ${text}`, 'yellow')
  }
  const rest = totalElements - rooms.length
  if (rest > 0) terminal.say(`  … and ${rest} more that were not looked at.`, 'dim')
}

function wordOf(effect: Preflight['obstacles'][number]['effect']): string {
  switch (effect) {
    case 'fails':
      return 'would fail'
    case 'postponed':
      return 'would be postponed'
    case 'hint':
      return 'would be moved all the same'
  }
}

async function runProgress(server: Server, id: number): Promise<Progress | null> {
  const { body } = await server.call('liveMigrationProgress', { params: { id } })
  if (body === null) return null
  const ended = body.done + body.failed + body.postponed
  const failed = body.failed === 0 ? '' : `, ${body.failed} failed`
  const fraction = body.total === 0 ? null : ended / body.total
  return { step: `${ended} of ${body.total}${failed}`, fraction, isCount: true }
}

/** The operation of a run succeeds even if some rooms were not moved. */
async function failIfRoomsFailed(terminal: Terminal, server: Server, id: number, operationId: string): Promise<void> {
  const { body } = await server.call('liveMigrationProgress', { params: { id } })
  if (body === null || body.operationId !== operationId) return
  const { done, failed, postponed, total } = body
  const more = postponed === 0 ? '' : `, and ${postponed} were postponed`
  if (failed === 0)
    return terminal.note(`${done} of ${countOfRooms(total)} moved${more}.`, postponed > 0 ? 'yellow' : 'green')
  const hints = [`roomkeeper migrate status ${id}`]
  throw new Failure('operation-failed', `${failed} of ${countOfRooms(total)} failed to move${more}.`, {
    operationId,
    hints,
  })
}

/** A parser of the id of a configuration of a live migration. */
export function migrationId(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new InvalidArgumentError("It is a number: see 'roomkeeper migrate list'.")
}
