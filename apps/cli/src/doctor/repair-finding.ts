import { type Finding, type Repair, type RepairPreview, repairs } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Cli, Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { isForPeople } from '#output/output-options.ts'
import { rowsOfPages } from '#output/pages.ts'
import { printOne } from '#output/print-one.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import type { Terminal } from '#terminal/terminal.ts'

interface RepairOptions extends WaitOptions {
  repair?: Repair
  yes?: boolean
  dryRun?: boolean
}

export function addRepairFinding(doctor: Command, run: Run): void {
  const command = doctor
    .command('repair <finding>')
    .description('Put right what was found')
    .option('--repair <repair>', 'which, where there are several: see the list of findings', oneOf(repairs))
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'only say what would change')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
First says what the repair would change.

Examples:
  roomkeeper doctor repair 4f9c… --dry-run
  roomkeeper doctor repair 4f9c… --repair mark-missing --yes --wait`,
    )
    .action(
      run(async (cli, id: string, options: RepairOptions) => {
        const server = await cli.connect()
        const repair = options.repair ?? (await onlyRepairOf(server, id))
        await repairAfterPreview(cli, server, id, repair, options)
      }),
    )
}

async function onlyRepairOf(server: Server, id: string): Promise<Repair> {
  for await (const finding of openFindings(server)) {
    if (finding.id !== id) continue
    const [only, ...others] = finding.repairs
    if (only === undefined) throw new Failure('refused', `This finding has no repair: ${finding.text}`)
    if (others.length === 0) return only
    throw usageFailure(`Please give --repair: ${finding.repairs.join(' or ')}.`)
  }
  throw new Failure('refused', 'There is no such finding, or it is gone.', {
    hints: ['roomkeeper doctor findings'],
  })
}

async function repairAfterPreview(
  cli: Cli,
  server: Server,
  id: string,
  repair: Repair,
  options: RepairOptions,
): Promise<void> {
  const answer = await server.call('repairFinding', { params: { id }, body: { repair, preview: true } })
  const preview = answer.body as RepairPreview
  const { terminal, output } = cli
  if (options.dryRun === true && !isForPeople(output)) return printOne(preview, repair, output)
  sayPreview(terminal, repair, preview, options.yes !== true)
  if (preview.reason !== null) throw new Failure('refused', preview.reason, { code: 'repair-impossible' })
  if (options.dryRun === true) return
  await confirmOrFail(server, { question: `Repair it by ${repair}?`, yes: options.yes === true })
  const started = await server.call('repairFinding', { params: { id }, body: { repair } })
  await finishStart(cli, server, options, {
    doing: `Repairing by ${repair}`,
    done: 'It was repaired',
    operationId: operationOf(started),
  })
}

/** @param isAsked a question follows, so that it is said also with `--quiet` */
function sayPreview(terminal: Terminal, repair: Repair, { changes }: RepairPreview, isAsked: boolean): void {
  if (terminal.isQuiet && !isAsked) return
  terminal.say(changes.length === 0 ? `${repair}: no field changes.` : `${repair} changes:`)
  for (const { field, from, to } of changes) terminal.say(`  ${field}: ${textOf(from)} → ${textOf(to)}`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** What does not agree, errors first, one page in memory at a time. */
export function openFindings(server: Server, limit?: number): AsyncGenerator<Finding> {
  const readPage = async (page: number, size: number) =>
    (await server.call('doctorFindings', { query: { page, size } })).body
  return rowsOfPages(readPage, limit)
}
