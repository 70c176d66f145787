/** Shows the difference between a file and the rooms, as `diff` would. */
import { isForPeople, type Output } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import type { View } from '#output/view.ts'
import { shownText } from '#terminal/shown-text.ts'
import type { Colour, Terminal } from '#terminal/terminal.ts'
import { type FieldChange, planIsPossible, type RoomPlan } from './plan-room.ts'

const planView: View<RoomPlan> = {
  name: ({ projectRoomName }) => projectRoomName,
  none: '',
  fields: ['projectRoomName', 'action', 'changes', 'impossible', 'missing'],
  columns: [],
}

export async function printPlans(plans: readonly RoomPlan[], output: Output): Promise<void> {
  if (!isForPeople(output)) return void (await printList(planView, plans, output))
  await printForPeople(plans, (text, colour) =>
    output.terminal.writeLine(output.terminal.paint(shownText(text), colour)),
  )
}

/** Shows them on stderr before a question about them, where stdout is for a program or a file. */
export async function sayPlans(terminal: Terminal, plans: readonly RoomPlan[]): Promise<void> {
  await printForPeople(plans, async (text, colour) => terminal.say(text, colour))
}

type PrintLine = (text: string, colour: Colour | null) => Promise<void>

async function printForPeople(plans: readonly RoomPlan[], line: PrintLine): Promise<void> {
  for (const plan of plans) {
    if (plan.action !== 'none' || plan.impossible.length > 0) await printPlan(plan, line)
  }
  await line(summaryOf(plans), null)
}

async function printPlan(
  { projectRoomName, action, changes, impossible, missing }: RoomPlan,
  line: PrintLine,
): Promise<void> {
  await line(`${action === 'create' ? '+ ' : '~ '}${projectRoomName}`, 'bold')
  for (const change of changes) await printChange(change, line)
  for (const change of impossible) {
    await printChange(change, line)
    await line(`    ${change.field} cannot be changed`, 'yellow')
  }
  for (const field of missing) await line(`    ${field} is missing`, 'yellow')
}

async function printChange({ field, from, to }: FieldChange, line: PrintLine): Promise<void> {
  if (from !== null) await line(`  - ${field}: ${textOf(from)}`, 'red')
  if (to !== null) await line(`  + ${field}: ${textOf(to)}`, 'green')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function summaryOf(plans: readonly RoomPlan[]): string {
  const possible = plans.filter(planIsPossible)
  const count = (action: RoomPlan['action']) => possible.filter((plan) => plan.action === action).length
  const rest = plans.length - possible.length
  const impossible = rest === 0 ? '' : `, ${rest} impossible`
  return `${count('create')} to create, ${count('change')} to change, ${count('none')} as the file says${impossible}.`
}
