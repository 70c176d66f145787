/** Starts an action for the selected rooms. The dialog is loaded when it is opened. */
import type { BulkAction, BulkSelection } from '@roomkeeper/contract'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'

const StartBulkDialog = onDemand(async () => ({ default: (await import('./StartBulkDialog.tsx')).StartBulkDialog }))

export interface BulkWanted {
  action: BulkAction
  selection: BulkSelection
  /** How many rooms are selected, as the list has counted them. */
  count: number
}

export function openStartBulk(wanted: BulkWanted): void {
  openDialog(<StartBulkDialog {...wanted} />, { outlastsPage: true })
}
