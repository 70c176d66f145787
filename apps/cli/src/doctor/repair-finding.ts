import { type Repair, type RepairPreview, repairs } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments/one-of.ts'
import { connect, type Server } from '#connection/connect.ts'
import { Failure, usageFailure } from '#failure.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { isForPeople, outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'
import { note, say } from '#terminal/say.ts'
import { openFindings } from './open-findings.ts'

interface RepairOptions {
  repair?: Repair
  yes?: boolean
  dryRun?: boolean
}

export function addRepairFinding(doctor: Command): void {
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
    .action(async (id: string, options: RepairOptions) => {
      const server = await connect()
      const repair = options.repair ?? (await onlyRepairOf(server, id))
      await repairSeen(server, command, id, repair, options)
    })
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

async function repairSeen(
  server: Server,
  command: Command,
  id: string,
  repair: Repair,
  options: RepairOptions,
): Promise<void> {
  const answer = await server.call('repairFinding', { params: { id }, body: { repair, preview: true } })
  const preview = answer.body as RepairPreview
  const output = outputOf(command)
  if (options.dryRun === true && !isForPeople(output)) return printOne(preview, repair, output)
  sayPreview(repair, preview, options.yes === true ? note : say)
  if (preview.reason !== null) throw new Failure('refused', preview.reason, { code: 'repair-impossible' })
  if (options.dryRun === true) return
  await confirmOrFail({ question: `Repair it by ${repair}?`, yes: options.yes === true })
  const started = await server.call('repairFinding', { params: { id }, body: { repair } })
  await finishStart(server, command, {
    doing: `Repairing by ${repair}`,
    done: 'It was repaired',
    operationId: operationOf(started),
  })
}

/** @param tell also with `--quiet`, where a question follows */
function sayPreview(repair: Repair, { changes }: RepairPreview, tell: typeof say): void {
  tell(changes.length === 0 ? `${repair}: no field changes.` : `${repair} changes:`)
  for (const { field, from, to } of changes) tell(`  ${field}: ${textOf(from)} → ${textOf(to)}`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
