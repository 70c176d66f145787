/** `rooms note`: what operators tell each other about a room. */
import { longestPinnedNote, type RoomNote, roomNote } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { nonEmptyText } from '#arguments.ts'
import type { Run } from '#cli.ts'
import { addJsonOption, addListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText, type View } from '#output/view.ts'

const noteView: View<RoomNote> = {
  name: ({ id }) => id,
  none: 'The project room has no notes.',
  fields: Object.keys(roomNote.shape),
  columns: [
    { title: 'ID', rank: 0, value: ({ id }) => id },
    { title: 'PINNED', rank: 1, value: ({ pinned }) => (pinned ? 'yes' : '') },
    { title: 'AUTHOR', rank: 2, value: ({ author }) => author },
    { title: 'WRITTEN', rank: 3, value: ({ createdAt }) => timeText(createdAt) },
    { title: 'TEXT', rank: 0, value: ({ text }) => text },
  ],
}

export function addRoomNotes(rooms: Command, run: Run): void {
  const notes = rooms.command('note').alias('notes').description('Notes of a project room')
  addListOptions(notes.command('list <room>').alias('ls').description('List the notes of a room'), noteView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper rooms note list fleet1')
    .action(
      run(async (cli, projectRoom: string, { limit }: { limit: number }) => {
        const { body } = await (await cli.connect()).call('roomNotes', { query: { projectRoom } })
        await printList(noteView, body.slice(0, limit), cli.output)
      }),
    )
  addJsonOption(
    notes.command('add').argument('<room>').argument('<text>', 'of the note', nonEmptyText),
    noteView.fields,
  )
    .description('Add a note to a room')
    .option(
      '--pin',
      `mark it in lists, and show it before something is done with the room; at most ${longestPinnedNote} characters`,
    )
    .addHelpText('after', "\nExamples:\n  roomkeeper rooms note add fleet1 'Do not suspend before 12.12.' --pin")
    .action(
      run(async (cli, projectRoom: string, text: string, { pin = false }: { pin?: boolean }) => {
        const { body } = await (await cli.connect()).call('addRoomNote', { body: { projectRoom, text, pinned: pin } })
        await printOne(body, body.id, cli.output)
      }),
    )
  addPin(notes, run, true)
  addPin(notes, run, false)
  notes
    .command('delete <note>')
    .description('Delete a note, by its id')
    .addHelpText('after', '\nExamples:\n  roomkeeper rooms note delete "$(roomkeeper rooms note list fleet1 -l 1 -q)"')
    .action(
      run(async (cli, id: string) => {
        await (await cli.connect()).call('deleteRoomNote', { params: { id } })
        cli.terminal.note('The note was deleted.')
      }),
    )
}

function addPin(notes: Command, run: Run, pinned: boolean): void {
  const name = pinned ? 'pin' : 'unpin'
  addJsonOption(
    notes.command(`${name} <note>`).description(`${pinned ? 'Pin' : 'Unpin'} a note, by its id`),
    noteView.fields,
  )
    .addHelpText('after', `\nExamples:\n  roomkeeper rooms note ${name} "$(roomkeeper rooms note list fleet1 -l 1 -q)"`)
    .action(
      run(async (cli, id: string) => {
        const { body } = await (await cli.connect()).call('changeRoomNote', { params: { id }, body: { pinned } })
        await printOne(body, body.id, cli.output)
      }),
    )
}
