/** `roomkeeper activity`: who did what, and undoing it. */
import {
  type ActivityEntry,
  type ActivityPage,
  activityEntry,
  activityGroups,
  auditActions,
} from '@roomkeeper/contract'
import type { Command } from 'commander'
import { day, nonEmptyText, someOf, wholeNumber } from '#arguments.ts'
import type { Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { rowsPerPage } from '#output/pages.ts'
import { printList } from '#output/print-list.ts'
import { timeText, type View } from '#output/view.ts'

export function addActivity(program: Command, run: Run): void {
  const activity = program.command('activity').description('What was done, and by whom')
  addListActivity(activity, run)
  addUndo(activity, run)
}

const kinds = [...activityGroups, ...auditActions]
const usualLimit = 50

interface ActivityOptions extends ListOptions {
  room?: string
  customer?: string
  actor?: string
  kind?: (typeof kinds)[number][]
  from?: string
  to?: string
}

const activityView: View<ActivityEntry> = {
  name: ({ id }) => String(id),
  none: 'Nothing was done.',
  fields: Object.keys(activityEntry.shape),
  columns: [
    { title: 'ID', rank: 0, value: ({ id }) => id },
    { title: 'TIME', rank: 2, value: ({ at }) => timeText(at) },
    { title: 'BY', rank: 3, value: ({ actor }) => actor },
    { title: 'ACTION', rank: 1, value: ({ action }) => action },
    { title: 'PROJECT ROOM', rank: 1, value: ({ room }) => room },
    { title: 'WHAT', rank: 4, value: whatOf },
    { title: 'OUTCOME', rank: 5, value: ({ outcome }) => outcome?.state },
    { title: 'UNDO', rank: 6, value: ({ undo }) => undo?.action },
  ],
}

function whatOf({ detail, changes }: ActivityEntry): string {
  const changed = changes.map(({ field, from, to }) => `${field} ${shown(from)} → ${shown(to)}`)
  return [...(detail === null ? [] : [detail]), ...changed].join('; ')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function addListActivity(activity: Command, run: Run): void {
  const command = activity
    .command('list', { isDefault: true })
    .description('List what was done, the newest first')
    .option('--room <room>', 'with this project room', nonEmptyText)
    .option('--customer <company>', 'with the project rooms of this company', nonEmptyText)
    .option('--actor <email>', 'by this operator and their API tokens', nonEmptyText)
    .option('--kind <kinds>', `${activityGroups.join(', ')}, or actions, joined by commas`, someOf(kinds))
    .option('--from <day>', 'from this day on (UTC)', day)
    .option('--to <day>', 'until the end of this day (UTC)', day)
  addListOptions(command, activityView.fields)
    .addHelpText(
      'after',
      `\nWithout --limit: the newest ${usualLimit}.\n\nExamples:\n  roomkeeper activity --kind changes --from 2027-01-31\n  roomkeeper activity --room fleet1 -o json`,
    )
    .action(
      run(async (cli, options: ActivityOptions) => {
        await printList(activityView, newest(await cli.connect(), options), cli.output)
      }),
    )
}

async function* newest(
  server: Server,
  { limit = usualLimit, kind, from, to, room, customer, actor }: ActivityOptions,
): AsyncGenerator<ActivityEntry> {
  const narrowed = {
    ...(kind && { kinds: kind }),
    ...(room && { room }),
    ...(customer && { customer }),
    ...(actor && { actor }),
    ...(from && { from: startOf(from, 0) }),
    ...(to && { to: startOf(to, 1) }),
  }
  let left = limit
  let after: number | null = 0
  while (after !== null && left > 0) {
    const query = { ...narrowed, after, size: Math.min(left, rowsPerPage) }
    const page: ActivityPage = (await server.call('activity', { query })).body
    yield* page.data
    left -= page.data.length
    after = page.next
  }
}

function startOf(given: string, daysLater: number): string {
  const at = new Date(`${given}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + daysLater)
  return at.toISOString()
}

function addUndo(activity: Command, run: Run): void {
  const command = activity
    .command('undo')
    .argument('<entry>', 'its id in the list', wholeNumber(1))
    .description('Undo an edit, a suspension or a resumption, here and on the region')
  addWaitOptions(command)
    .addHelpText('after', '\nExamples:\n  roomkeeper activity undo 4711 --wait')
    .action(
      run(async (cli, entry: number, options: WaitOptions) => {
        const server = await cli.connect()
        const answer = await server.call('undoActivity', { params: { id: entry } })
        await finishStart(cli, server, options, {
          doing: `Undoing entry ${entry}`,
          done: `Entry ${entry} was undone`,
          operationId: operationOf(answer),
        })
      }),
    )
}
