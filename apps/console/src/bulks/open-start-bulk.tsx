/** Starts an action for the selected rooms. The dialog is loaded when it is opened. */
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import type { BulkWanted } from './bulk-form.ts'

const StartBulkDialog = onDemand(() => import('./StartBulkDialog.tsx'), 'StartBulkDialog')

export function openStartBulk(wanted: BulkWanted): void {
  openDialog(<StartBulkDialog {...wanted} />)
}
