import type { Region } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { eachConcurrently } from '#app/each-concurrently.ts'
import { connect, type Server } from '#connection/connect.ts'
import { exitCodes, Failure, usageFailure } from '#failure.ts'
import { addTimeoutOption } from '#operations/wait-options.ts'
import { type Output, outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import type { View } from '#output/view.ts'
import { regionIn } from '#regions/find-region.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'
import { say } from '#terminal/say.ts'
import { countOfRooms } from '../count-of-rooms.ts'
import { findRoomIfAny } from '../find-room.ts'
import { readRoomsFile } from '../read-rooms-file.ts'
import type { RoomFields } from '../room-fields.ts'
import { applyPlan, type WantedRoom } from './apply-plan.ts'
import { planRoom } from './plan-room.ts'
import { printPlans } from './print-plans.ts'

interface ApplyOptions {
  file: string
  yes?: boolean
  dryRun?: boolean
  timeout?: number
}

/** A region has places for few operations at once. */
const roomsAtOnce = 4

export function addApplyRooms(rooms: Command): void {
  const command = rooms
    .command('apply')
    .description('Create and change project rooms until they are as a file says')
    .requiredOption('-f, --file <file>', 'rooms as YAML or JSON: a list, or one (- for stdin)')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only show the differences; exit code 5 if there are some')
  addTimeoutOption(command, 'wait for one operation no longer than this, such as 90s, 10m or 2h; exit code 124')
    .addHelpText(
      'after',
      `
Rooms that the file does not name are left alone, and so are fields that it does not name. What only
the server sets, such as a room's state, is not compared. Applied a second time, a file changes nothing.

Examples:
  roomkeeper rooms list -o yaml > rooms.yaml
  roomkeeper rooms apply -f rooms.yaml --dry-run
  roomkeeper rooms apply -f rooms.yaml --yes`,
    )
    .action(async (options: ApplyOptions) => {
      const wanted = await readRoomsFile(options.file)
      checkNames(wanted, options.file)
      const server = await connect()
      await applyWanted(server, await planned(server, wanted), options, outputOf(command))
    })
}

function checkNames(rooms: readonly RoomFields[], file: string): void {
  const names = rooms.map(({ tenantName }) => tenantName)
  const without = names.indexOf(undefined)
  if (without !== -1) throw usageFailure(`${file}: room ${without + 1} has no tenantName.`)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw usageFailure(`${file} names ${String(twice)} twice.`)
}

async function planned(server: Server, rooms: readonly RoomFields[]): Promise<WantedRoom[]> {
  const { body: regions } = await server.call('regions', {})
  const regionOf = ({ region }: RoomFields): Region | null =>
    region === undefined ? null : regionIn(regions, region as string | number)
  const found: WantedRoom[] = []
  await eachConcurrently([...rooms.entries()], roomsAtOnce, async ([index, wanted]) => {
    const region = regionOf(wanted)
    const room = await findRoomIfAny(server, String(wanted.tenantName))
    found[index] = { wanted, region, plan: planRoom(wanted, room, region) }
  })
  return found
}

async function applyWanted(server: Server, rooms: WantedRoom[], options: ApplyOptions, output: Output): Promise<void> {
  const plans = rooms.map(({ plan }) => plan)
  const isDryRun = options.dryRun === true
  const isForPeople = output.format === 'table' && !output.isQuiet
  if (isDryRun || isForPeople) await printPlans(plans, output)
  const impossible = plans.filter((plan) => plan.impossible.length > 0)
  if (impossible.length > 0) {
    const names = impossible.map(({ projectRoomName }) => projectRoomName).join(', ')
    throw new Failure('refused', `The file wants of ${names} what cannot be changed. Nothing was done.`)
  }
  const toDo = rooms.filter(({ plan }) => plan.action !== 'none')
  if (isDryRun && toDo.length > 0)
    throw new Failure('differs', `${countOfRooms(toDo.length)} would be created or changed.`)
  if (isDryRun) return
  if (toDo.length > 0) {
    const question = `Create or change ${countOfRooms(toDo.length)}?`
    await confirmOrFail({ question, yes: options.yes === true, isInputTaken: options.file === '-' })
  }
  const results = await applyAll(server, rooms, options)
  if (!isForPeople)
    await printList(
      resultView,
      results.map(({ failure: _, ...shown }) => shown),
      output,
    )
  const failures = results.flatMap(({ failure }) => failure ?? [])
  if (failures.length > 0) throw worstOf(failures, results.length)
}

interface Result {
  projectRoomName: string
  action: WantedRoom['plan']['action']
  state: 'done' | 'failed'
  error: string | null
  failure: Failure | null
}

const resultView: View<Omit<Result, 'failure'>> = {
  name: ({ projectRoomName }) => projectRoomName,
  none: '',
  fields: ['projectRoomName', 'action', 'state', 'error'],
  columns: [],
}

/** Each room's result stands on its own. */
async function applyAll(server: Server, rooms: readonly WantedRoom[], { timeout }: ApplyOptions): Promise<Result[]> {
  const results: Result[] = []
  await eachConcurrently([...rooms.entries()], roomsAtOnce, async ([index, room]) => {
    const { projectRoomName, action } = room.plan
    const failure = action === 'none' ? null : await failureOf(applyPlan(server, room, { timeoutSeconds: timeout }))
    results[index] = {
      projectRoomName,
      action,
      state: failure === null ? 'done' : 'failed',
      error: failure?.message ?? null,
      failure,
    }
    if (failure !== null) sayWhy(projectRoomName, failure)
    else if (action !== 'none') say(`${projectRoomName} was ${action === 'create' ? 'created' : 'changed'}.`, 'green')
  })
  return results
}

/** @throws what concerns not only this room */
async function failureOf(work: Promise<void>): Promise<Failure | null> {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted' && error.kind !== 'unreachable') return error
    throw error
  }
}

function sayWhy(name: string, { message, details: { title, errors = [] } }: Failure): void {
  say(`${name}: ${title === undefined ? '' : `${title}: `}${message}`, 'red')
  for (const { field, message: why } of errors) say(`  ${field}: ${why}`)
}

function worstOf(failures: readonly Failure[], total: number): Failure {
  const { kind } = failures.reduce((one, other) => (exitCodes[other.kind] > exitCodes[one.kind] ? other : one))
  return new Failure(kind, `${failures.length} of ${countOfRooms(total)} could not be made what the file says.`)
}
