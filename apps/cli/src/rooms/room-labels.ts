/** `rooms label`: free words by which rooms are found. */
import { type Label, label, projectRoom } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { addJsonOption, addListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import type { View } from '#output/view.ts'

const labelView: View<Label> = {
  name: (each) => each.label,
  none: 'No project room has a label.',
  fields: Object.keys(label.shape),
  columns: [
    { title: 'LABEL', rank: 0, value: (each) => each.label },
    { title: 'ROOMS', rank: 1, value: ({ count }) => count },
  ],
}

const changes = {
  set: { description: 'Replace the labels of a room', field: 'labels' },
  add: { description: 'Add labels to a room', field: 'add' },
  remove: { description: 'Remove labels from a room', field: 'remove' },
} as const

export function addRoomLabels(rooms: Command, run: Run): void {
  const labels = rooms.command('label').alias('labels').description('Labels of project rooms')
  addListOptions(
    labels.command('list').alias('ls').description('List the labels of all rooms, the most frequent first'),
    labelView.fields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper rooms label list\n  roomkeeper rooms list --label VIP')
    .action(
      run(async (cli, { limit }: { limit: number }) => {
        const { body } = await (await cli.connect()).call('labels', {})
        await printList(labelView, body.slice(0, limit), cli.output)
      }),
    )
  for (const name of ['set', 'add', 'remove'] as const) addChange(labels, run, name)
}

function addChange(labels: Command, run: Run, name: keyof typeof changes): void {
  const { description, field } = changes[name]
  const args = name === 'set' ? '[labels...]' : '<labels...>'
  addJsonOption(labels.command(`${name} <room> ${args}`).description(description), Object.keys(projectRoom.shape))
    .addHelpText('after', `\nExamples:\n  roomkeeper rooms label ${name} fleet1 VIP 'Pilot customer'`)
    .action(
      run(async (cli, room: string, given: string[]) => {
        const body = { projectRoom: room, [field]: given }
        const { body: changed } = await (await cli.connect()).call('labelRoom', { body })
        await printOne(changed, changed.tenantName, cli.output)
      }),
    )
}
