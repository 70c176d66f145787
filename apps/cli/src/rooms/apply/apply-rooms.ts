import type { Command } from 'commander'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { addTimeoutOption } from '#operations/wait-options.ts'
import { isForPeople } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { regionIn } from '#regions/index.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import { roomsNamed } from '../find-room.ts'
import { readRoomsFile } from '../read-rooms-file.ts'
import type { RoomFields } from '../room-fields.ts'
import { countOfRooms } from '../show-rooms.ts'
import { applyAll, resultView } from './apply-all.ts'
import type { WantedRoom } from './apply-plan.ts'
import { describeImpossible, planIsPossible, planRoom } from './plan-room.ts'
import { printPlans, sayPlans } from './print-plans.ts'

interface ApplyOptions {
  file: string
  yes?: boolean
  dryRun?: boolean
  timeout?: number
}

export function addApplyRooms(rooms: Command, run: Run): void {
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
    .action(
      run(async (cli, options: ApplyOptions) => {
        const wanted = await readRoomsFile(cli.terminal, options.file)
        checkNames(wanted, options.file)
        const server = await cli.connect()
        await applyPlanned(cli, server, await planned(server, wanted), options)
      }),
    )
}

function checkNames(rooms: readonly RoomFields[], file: string): void {
  const names = rooms.map(({ tenantName }) => tenantName)
  const without = names.indexOf(undefined)
  if (without !== -1) throw usageFailure(`${file}: room ${without + 1} has no tenantName.`)
  const seen = new Set<unknown>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined) throw usageFailure(`${file} names ${String(twice)} twice.`)
}

async function planned(server: Server, rooms: readonly RoomFields[]): Promise<WantedRoom[]> {
  const { body: regions } = await server.call('regions', {})
  const found = await roomsNamed(
    server,
    rooms.map(({ tenantName }) => String(tenantName)),
  )
  return rooms.map((wanted) => {
    const region = wanted.region === undefined ? null : regionIn(regions, wanted.region as string | number)
    return { wanted, region, plan: planRoom(wanted, found.get(String(wanted.tenantName)) ?? null, region) }
  })
}

async function applyPlanned(cli: Cli, server: Server, rooms: WantedRoom[], options: ApplyOptions): Promise<void> {
  const { terminal, output } = cli
  const plans = rooms.map(({ plan }) => plan)
  const isDryRun = options.dryRun === true
  if (isDryRun || isForPeople(output)) await printPlans(plans, output)
  if (!plans.every(planIsPossible)) throw new Failure('refused', `${describeImpossible(plans)} Nothing was done.`)
  const toDo = rooms.filter(({ plan }) => plan.action !== 'none')
  if (isDryRun && toDo.length > 0)
    throw new Failure('differs', `${countOfRooms(toDo.length)} would be created or changed.`)
  if (isDryRun) return
  if (toDo.length > 0) {
    const isSeen = isForPeople(output) && terminal.showsOutput
    if (options.yes !== true && !isSeen) await sayPlans(terminal, plans)
    const question = `Create or change ${countOfRooms(toDo.length)}?`
    await confirmOrFail(server, { question, yes: options.yes === true, isInputTaken: options.file === '-' })
  }
  const { results, failure } = await applyAll(terminal, server, rooms, options.timeout)
  if (!isForPeople(output)) await printList(resultView, results, output)
  if (failure !== null) throw failure
}
