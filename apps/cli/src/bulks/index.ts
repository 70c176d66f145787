/** `roomkeeper bulk`: one action for many project rooms, by the server. */
import type { Command } from 'commander'
import { addManageBulk } from './manage-bulk.ts'
import { addShowBulks } from './show-bulks.ts'
import { addStartBulk } from './start-bulk.ts'

export function addBulks(program: Command): void {
  const bulks = program.command('bulk').alias('bulks').description('One action for many project rooms')
  addStartBulk(bulks)
  addShowBulks(bulks)
  addManageBulk(bulks, 'cancel')
  addManageBulk(bulks, 'retry')
}
