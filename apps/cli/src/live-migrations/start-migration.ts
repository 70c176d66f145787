import { type BodyGiven, type CodedReason, englishReason, type Preflight, type Routes } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { someText } from '#arguments/some-text.ts'
import { connect, type Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { isForPeople, outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { countOfRooms } from '#rooms/count-of-rooms.ts'
import { refuseMissing } from '#rooms/rooms-named.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'
import type { Progress } from '#terminal/progress.ts'
import { note, say } from '#terminal/say.ts'
import { migrationId } from './migration-id.ts'

interface StartOptions {
  all?: boolean
  search?: string
  except?: string[]
  skipActiveSessions?: boolean
  yes?: boolean
  dryRun?: boolean
}

export function addStartMigration(migrate: Command): void {
  const command = migrate
    .command('start')
    .argument('<migration>', 'id of the configuration', migrationId)
    .argument('[rooms...]', 'names; or choose them with the options below')
    .description('Begin to move project rooms')
    .option('--all', 'every room of the source that can move')
    .option('-s, --search <text>', 'those whose name, customer or e-mail contains this', someText)
    .option('--except <room...>', 'with --all or --search: not these')
    .option('--skip-active-sessions', 'also rooms that are in use')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only say what would happen')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper migrate start 1 --all --dry-run\n  roomkeeper migrate start 1 fleet1 fleet2 --yes --wait',
    )
    .action(async (id: number, rooms: string[], options: StartOptions) => {
      const selection = selectionOf(id, rooms, options)
      const server = await connect()
      await refuseMissing(server, options.except ?? [])
      await startSeen(server, command, id, selection, options)
    })
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

async function startSeen(server: Server, command: Command, id: number, selection: Selection, options: StartOptions) {
  const { body: preflight } = await server.call('preflightLiveMigration', {
    query: { size: mostLookedAt },
    body: selection,
  })
  const output = outputOf(command)
  const total = preflight.totalElements
  if (options.dryRun === true && !isForPeople(output)) return printOne(preflight, String(total), output)
  sayPreflight(preflight, options.yes === true ? note : say)
  if (options.dryRun === true) return
  if (total === 0) throw new Failure('refused', 'No project room matches.')
  if (preflight.whyNotStart !== null)
    throw new Failure('refused', englishReason(preflight.whyNotStart as CodedReason), {
      code: preflight.whyNotStart.code,
    })
  await confirmOrFail({ question: `Start to move ${countOfRooms(total)}?`, yes: options.yes === true })
  const { operationId } = (await server.call('startLiveMigration', { body: selection })).body
  await finishStart(server, command, {
    doing: `Moving ${countOfRooms(total)}`,
    done: 'The run has ended',
    operationId,
    progress: (watched) => runProgress(watched, id),
  })
  await failIfRoomsFailed(server, command, id, operationId)
}

/** Each of them has its region asked. */
const mostLookedAt = 50

/** @param tell also with `--quiet`, where a question follows */
function sayPreflight({ totalElements, obstacles, rooms }: Preflight, tell: typeof say): void {
  tell(`Chosen: ${countOfRooms(totalElements)}.`)
  for (const { text } of obstacles) tell(`  ${text}`, 'yellow')
  for (const room of rooms) {
    for (const { effect, text } of room.obstacles)
      tell(`  ${room.projectRoomName} ${wordOf(effect)}: ${text}`, 'yellow')
  }
  const rest = totalElements - rooms.length
  if (rest > 0) tell(`  … and ${rest} more that were not looked at.`, 'dim')
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

/** A run ends well as an operation also when some rooms were not moved. */
async function failIfRoomsFailed(server: Server, command: Command, id: number, operationId: string): Promise<void> {
  if (command.opts<{ wait?: boolean }>().wait !== true) return
  const { body } = await server.call('liveMigrationProgress', { params: { id } })
  if (body === null || body.operationId !== operationId) return
  if (body.postponed > 0) note(`${body.postponed} were postponed.`, 'yellow')
  if (body.failed === 0) return
  const hints = [`roomkeeper migrate status ${id}`]
  throw new Failure('operation-failed', `${body.failed} of ${countOfRooms(body.total)} failed to move.`, {
    operationId,
    hints,
  })
}
